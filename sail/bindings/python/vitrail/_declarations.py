"""sail.h as cffi reads it. Written by scripts/python-interface: do not edit."""

DECLARATIONS = """
#define SAIL_API_VERSION 11
#define SAIL_NO_DELAY -1
#define SAIL_AT_END 2
#define SAIL_OTHER_SUBTITLES -2
typedef struct sail_session sail_session;
typedef struct sail_stream sail_stream;
typedef enum sail_status {
  SAIL_OK = 0,
  SAIL_DROPPED = 1,
  SAIL_TIMEOUT = 2,
  SAIL_INVALID = -1,
  SAIL_REFUSED = -2,
  SAIL_UNAVAILABLE = -3
} sail_status;
typedef struct sail_error {
  char text[256];
} sail_error;
typedef enum sail_pixel_format {
  SAIL_RGBA = 1,
  SAIL_BGRA = 2,
  SAIL_RGB = 3,
  SAIL_NV12 = 4,
  SAIL_I420 = 5,
  SAIL_NV16 = 6,
  SAIL_I422 = 7,
  SAIL_I444 = 8,
  SAIL_I420_DEEP = 9,
  SAIL_I422_DEEP = 10,
  SAIL_I444_DEEP = 11,
  SAIL_RGB_DEEP = 12
} sail_pixel_format;
typedef enum sail_color_matrix {
  SAIL_BT601 = 1,
  SAIL_BT709 = 2,
  SAIL_BT2020 = 3,
  SAIL_XYZ = 4
} sail_color_matrix;
typedef enum sail_color_range { SAIL_LIMITED = 1, SAIL_FULL = 2 } sail_color_range;
typedef struct sail_rect {
  int32_t x, y, width, height;
} sail_rect;
typedef struct sail_session_options {
  const char* name;
  const char* manager;
  int encode_threads;
  int quiet;
} sail_session_options;
sail_session* sail_session_open(const sail_session_options* options, sail_error* error);
void sail_session_close(sail_session* session);
int64_t sail_wall_time(const sail_session* session);
typedef enum sail_primaries {
  SAIL_PRIMARIES_BT709 = 1,
  SAIL_PRIMARIES_P3 = 2,
  SAIL_PRIMARIES_BT2020 = 3
} sail_primaries;
typedef struct sail_display_colors {
  sail_primaries primaries;
  double peak_nits;
  double gamma;
} sail_display_colors;
sail_status sail_wall_display_colors(const sail_session* session,
                                              sail_display_colors* colors);
typedef struct sail_content {
  const char* const* media;
  size_t media_count;
  const char* program;
  int loop;
} sail_content;
typedef struct sail_timeline {
  double position_s;
  int64_t at_ns;
  double rate;
  int paused;
} sail_timeline;
typedef struct sail_stream_options {
  const char* title;
  int32_t width, height;
  const char* codec;
  sail_rect place;
  int wait_when_full;
  int encoded;
  int32_t block_width, block_height;
  int32_t max_reduction;
  double fps;
  sail_stream* replaces;
  const char* transport;
  int32_t delay_ms;
  int32_t mtu;
  int takes_input;
  const sail_content* content;
  const char* step;
  const char* group;
  const sail_timeline* timeline;
  const char* codec_reason;
} sail_stream_options;
sail_stream* sail_stream_open(sail_session* session, const sail_stream_options* options,
                                       sail_error* error);
typedef struct sail_part {
  const char* name;
  int32_t rank;
  int32_t ranks;
  sail_rect region;
  const char* absent;
} sail_part;
sail_stream* sail_stream_join(sail_session* session, const sail_stream_options* options,
                                       const sail_part* part, sail_error* error);
sail_status sail_band(int32_t width, int32_t height, int32_t rank, int32_t ranks,
                               sail_rect* region);
void sail_stream_close(sail_stream* stream);
uint32_t sail_stream_id(const sail_stream* stream);
typedef void (*sail_release_fn)(void* opaque);
typedef struct sail_frame {
  sail_pixel_format format;
  const uint8_t* planes[3];
  ptrdiff_t strides[3];
  sail_color_matrix matrix;
  sail_color_range range;
  sail_release_fn release;
  void* opaque;
  int bits;
  int64_t present_ns;
  int again;
} sail_frame;
sail_status sail_submit(sail_stream* stream, const sail_frame* frame,
                                 uint64_t* frame_number);
typedef struct sail_encoded_frame {
  const uint8_t* bytes;
  size_t byte_count;
  const uint32_t* lengths;
  size_t block_count;
  sail_color_matrix matrix;
  sail_color_range range;
  int64_t present_ns;
  int again;
} sail_encoded_frame;
sail_status sail_block_size(const char* codec, int32_t* width, int32_t* height);
sail_status sail_submit_encoded(sail_stream* stream, const sail_encoded_frame* frame,
                                         uint64_t* frame_number);
sail_status sail_skip(sail_stream* stream, uint64_t frames);
sail_status sail_stream_window(const sail_stream* stream, sail_rect* wall_rect,
                                        int* visible);
sail_status sail_stream_picture(const sail_stream* stream, int32_t* width,
                                         int32_t* height);
typedef struct sail_stream_stats {
  uint64_t frames_submitted;
  uint64_t frames_sent;
  uint64_t frames_shown;
  uint64_t frames_dropped;
  uint64_t frames_in_flight;
  uint64_t bytes_sent;
  uint64_t frames_superseded;
  uint64_t frames_old_epoch;
  uint64_t frames_incomplete;
  uint64_t frames_hidden;
  uint64_t frames_lost;
  uint64_t frames_unsent;
} sail_stream_stats;
sail_status sail_stream_get_stats(const sail_stream* stream, sail_stream_stats* stats);
typedef struct sail_playback {
  double position_s;
  int64_t at_ns;
  double duration_s;
  double rate;
  double volume;
  int paused;
  int loop;
  int has_sound;
  int live;
  int32_t page;
  int32_t pages;
  int64_t silent_since_s;
  int fallback;
  int64_t jumped_s;
} sail_playback;
sail_status sail_set_playback(sail_stream* stream, const sail_playback* playback);
typedef struct sail_subtitle_track {
  const char* language;
  const char* title;
  const char* format;
  const char* file;
  int pictures;
  int forced;
} sail_subtitle_track;
typedef struct sail_sound_track {
  const char* language;
  const char* title;
  const char* format;
  const char* layout;
  int32_t channels;
} sail_sound_track;
typedef struct sail_tracks {
  const sail_subtitle_track* subtitles;
  size_t subtitle_count;
  const sail_sound_track* sounds;
  size_t sound_count;
  int32_t subtitle;
  int32_t sound;
} sail_tracks;
sail_status sail_set_tracks(sail_stream* stream, const sail_tracks* tracks);
typedef enum sail_audio_format {
  SAIL_S16 = 1,
  SAIL_FLOAT = 2
} sail_audio_format;
typedef struct sail_audio {
  sail_audio_format format;
  const void* samples;
  size_t count;
  int32_t rate;
  int32_t channels;
  int64_t at_ns;
  int with_picture;
  int restart;
} sail_audio;
sail_status sail_submit_audio(sail_stream* stream, const sail_audio* audio);
int sail_wall_has_audio(const sail_stream* stream);
typedef enum sail_event_type {
  SAIL_EVENT_CLOSE = 1,
  SAIL_EVENT_RESIZE = 2,
  SAIL_EVENT_PAUSE = 3,
  SAIL_EVENT_RESUME = 4,
  SAIL_EVENT_SEEK = 5,
  SAIL_EVENT_RATE = 6,
  SAIL_EVENT_FRAME = 7,
  SAIL_EVENT_DISCONNECTED = 8,
  SAIL_EVENT_CONNECTED = 9,
  SAIL_EVENT_REFRESH = 10,
  SAIL_EVENT_CODEC = 11,
  SAIL_EVENT_LINK = 12,
  SAIL_EVENT_INPUT = 13,
  SAIL_EVENT_LOOP = 14,
  SAIL_EVENT_VOLUME = 15,
  SAIL_EVENT_PAGE = 16,
  SAIL_EVENT_TIMELINE = 17,
  SAIL_EVENT_RECEIVER = 18,
  SAIL_EVENT_SUBTITLES = 19,
  SAIL_EVENT_SOUND_TRACK = 20
} sail_event_type;
typedef struct sail_frame_fate {
  uint64_t number;
  int shown;
  uint32_t receivers;
  int64_t submitted_ns;
  int64_t first_swapped_ns;
  int64_t last_swapped_ns;
} sail_frame_fate;
typedef enum sail_transport { SAIL_TCP = 1, SAIL_UDP = 2 } sail_transport;
typedef struct sail_link_stats {
  char receiver[72];
  sail_transport transport;
  double mbit_per_s;
  double limit_mbit_per_s;
  double busy_pct;
  double rtt_ms;
  double delay_ms;
  double queue_ms;
  double jitter_ms;
  double fec_pct;
  int32_t reduction;
  uint64_t bytes_sent;
  uint64_t bytes_parity;
  uint64_t packets_sent;
  uint64_t packets_retransmitted;
  uint64_t packets_arrived;
  uint64_t bytes_arrived;
  uint64_t packets_lost;
  uint64_t packets_reordered;
  uint64_t packets_duplicated;
  uint64_t packets_late;
  uint64_t mended_fec;
  uint64_t mended_retransmit;
  uint64_t socket_full;
  uint64_t frames_lost;
  uint32_t bursts[8];
  int32_t same_host;
  int32_t shared_memory;
  char memory_trouble[124];
} sail_link_stats;
typedef struct sail_receiver {
  char name[72];
  int reachable;
  char text[216];
} sail_receiver;
typedef enum sail_input_type {
  SAIL_INPUT_ENTER = 1,
  SAIL_INPUT_LEAVE = 2,
  SAIL_INPUT_MOVE = 3,
  SAIL_INPUT_DOWN = 4,
  SAIL_INPUT_UP = 5,
  SAIL_INPUT_WHEEL = 6,
  SAIL_INPUT_KEY_DOWN = 7,
  SAIL_INPUT_KEY_UP = 8,
  SAIL_INPUT_TOUCH_DOWN = 9,
  SAIL_INPUT_TOUCH_MOVE = 10,
  SAIL_INPUT_TOUCH_UP = 11,
  SAIL_INPUT_PINCH = 12
} sail_input_type;
enum { SAIL_SHIFT = 1, SAIL_CONTROL = 2, SAIL_ALT = 4, SAIL_META = 8 };
typedef struct sail_input {
  sail_input_type type;
  uint32_t client;
  int has_point;
  int32_t button;
  double x, y;
  int32_t buttons;
  int32_t modifiers;
  double wheel_x, wheel_y;
  char key[36];
  int32_t touch;
  double scale;
} sail_input;
typedef struct sail_event {
  sail_event_type type;
  sail_stream* stream;
  sail_rect rect;
  double value;
  sail_frame_fate frame;
  char codec[72];
  union {
    sail_link_stats link;
    sail_input input;
    sail_timeline timeline;
    sail_receiver receiver;
  };
} sail_event;
sail_status sail_poll_event(sail_session* session, sail_event* event, int timeout_ms);
sail_status sail_watch_frames(sail_stream* stream);
sail_status sail_watch_links(sail_stream* stream);
"""
