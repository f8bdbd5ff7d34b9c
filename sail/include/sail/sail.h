/* libsail: the library with which a program shows its pixels on a Vitrail wall. C ABI.
 *
 * An application connects a session to the manager, opens streams (each is one window on the wall),
 * submits frames, and polls events. The library compresses the frames and sends their pixel blocks
 * directly to the receivers that show them.
 *
 * Threads: functions on one session or stream may be called from any thread. However, a stream's
 * frames must be submitted by one thread at a time, and sail_stream_close and sail_session_close
 * end the use of the handle. Errors: functions return a sail_status and, if they take one, write a
 * sentence to *error. Unless stated otherwise, sizes are in pixels and times in nanoseconds of
 * "wall time", the manager's steady clock. */
#ifndef SAIL_SAIL_H
#define SAIL_SAIL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SAIL_API __attribute__((visibility("default")))

/* Incremented with each added function. Incompatible changes change the library's soname. */
#define SAIL_API_VERSION 11

typedef struct sail_session sail_session;
typedef struct sail_stream sail_stream;

typedef enum sail_status {
  SAIL_OK = 0,
  SAIL_DROPPED = 1,     /* not sent, because the receivers have not kept up; counted as dropped */
  SAIL_TIMEOUT = 2,     /* nothing happened within the given time */
  SAIL_INVALID = -1,    /* an argument is wrong */
  SAIL_REFUSED = -2,    /* the manager refused */
  SAIL_UNAVAILABLE = -3 /* no manager is reachable */
} sail_status;

typedef struct sail_error {
  char text[256]; /* a sentence, zero-terminated */
} sail_error;

/* The values are those of the data protocol. */
typedef enum sail_pixel_format {
  SAIL_RGBA = 1, /* 4 bytes per pixel; only codecs with alpha read A */
  SAIL_BGRA = 2, /* 4 bytes per pixel; only codecs with alpha read A */
  SAIL_RGB = 3,  /* 3 bytes per pixel */
  SAIL_NV12 = 4, /* planes Y, CbCr; chroma 2x2 subsampled, sizes rounded up */
  SAIL_I420 = 5, /* planes Y, Cb, Cr; chroma 2x2 subsampled, sizes rounded up */
  SAIL_NV16 = 6, /* planes Y, CbCr; chroma 2x1 subsampled (4:2:2), width rounded up */
  SAIL_I422 = 7, /* planes Y, Cb, Cr; chroma 2x1 subsampled (4:2:2), width rounded up */
  /* For JPEG 2000 streams only. Deep formats: 16-bit little-endian samples, of which the lower
   * sail_frame.bits are used. */
  SAIL_I444 = 8, /* planes Y, Cb, Cr of the same size */
  SAIL_I420_DEEP = 9,
  SAIL_I422_DEEP = 10,
  SAIL_I444_DEEP = 11,
  SAIL_RGB_DEEP = 12 /* one plane: R, G, B; with the matrix SAIL_XYZ X', Y', Z' */
} sail_pixel_format;

typedef enum sail_color_matrix {
  SAIL_BT601 = 1,
  SAIL_BT709 = 2,
  SAIL_BT2020 = 3, /* non-constant luminance */
  SAIL_XYZ = 4     /* for SAIL_RGB_DEEP: digital cinema, SMPTE ST 428-1 */
} sail_color_matrix;
typedef enum sail_color_range { SAIL_LIMITED = 1, SAIL_FULL = 2 } sail_color_range;

typedef struct sail_rect {
  int32_t x, y, width, height;
} sail_rect;

/* --- session ------------------------------------------------------------------------------------
 */

typedef struct sail_session_options {
  const char* name;    /* shown to people in lists; NULL: the program's name */
  const char* manager; /* "host:port"; NULL: $VITRAIL_MANAGER, else 127.0.0.1:7440 */
  int encode_threads;  /* besides the submitting thread; 0: one per core, minus one; -1: none */
  int quiet;           /* 1: writes nothing to standard error */
} sail_session_options;

/* Connects and waits for the manager's answer, at most 5 s. The key is that of
 * $VITRAIL_KEY_FILE, or else the one that this user's `vitrail up` keeps for the wall. If the
 * manager is lost later, the library reconnects and reopens the streams. options may be
 * NULL; error may be NULL. Returns NULL on failure. */
SAIL_API sail_session* sail_session_open(const sail_session_options* options, sail_error* error);
/* Also closes the streams that are still open. */
SAIL_API void sail_session_close(sail_session* session);

/* The current wall time: for the times of frames and sound, and for a start at a given time. */
SAIL_API int64_t sail_wall_time(const sail_session* session);

typedef enum sail_primaries {
  SAIL_PRIMARIES_BT709 = 1, /* of sRGB, too */
  SAIL_PRIMARIES_P3 = 2,    /* with the white D65 */
  SAIL_PRIMARIES_BT2020 = 3
} sail_primaries;

typedef struct sail_display_colors {
  sail_primaries primaries;
  double peak_nits; /* luminance of white, in cd/m² */
  double gamma;     /* 0: the curve of sRGB */
} sail_display_colors;

/* What the wall's displays show, as the wall file says it; without that BT.709, 203 cd/m² and gamma
 * 2.2. Displays show the pixels of frames as they are, so an application whose pixels have other
 * colours converts them. May change when the manager has restarted. */
SAIL_API sail_status sail_wall_display_colors(const sail_session* session,
                                              sail_display_colors* colors);

/* --- stream -------------------------------------------------------------------------------------
 */

#define SAIL_NO_DELAY (-1)

/* What a window shows, in enough detail for the manager to start it again when a layout, a session
 * or an undone close brings the window back. */
typedef struct sail_content {
  const char* const* media; /* files (absolute paths), test cards or URLs, in order */
  size_t media_count;       /* at most 256, with 16384 bytes in total */
  /* The program that plays them: "bplay", "vitrail-show", "vitrail-web" or "vitrail-vnc". */
  const char* program;
  int loop;
} sail_content;

/* The position of a group's film: position_s at the time at_ns, advancing at `rate` from there. */
typedef struct sail_timeline {
  double position_s;
  int64_t at_ns; /* wall time */
  double rate;   /* multiple of normal speed */
  int paused;    /* 1: stopped at position_s */
} sail_timeline;

typedef struct sail_stream_options {
  const char* title; /* of the window */
  int32_t width, height;
  /* "dxt1", "dxt5" (with alpha) or "dxt5ycocg"; then "+lz4" or "+zstd" for a lossless second stage;
   * then ":fast", ":good" or ":high" for the effort (default: good): "dxt1+zstd:fast". "raw":
   * uncompressed pixels, optionally with a second stage. "htj2k" or "j2k": JPEG 2000, then the
   * rate: ":500mbit", ":2bpp" (bits per pixel; the default) or ":lossless". NULL: "dxt1". Only with
   * `encoded`, for frames that receivers decode: "h264", "h265", "av1", "vp9", "mjpeg". */
  const char* codec;
  /* Window rectangle in wall pixels, into which the picture is fitted; width 0: the manager
   * chooses. With `replaces` the window keeps its rectangle, and only the aspect ratio of `place`
   * is used: the display aspect ratio of a picture whose pixels are not square. */
  sail_rect place;
  /* 1: sail_submit waits until the receivers can take the frame instead of dropping it. */
  int wait_when_full;
  int encoded; /* 1: frames are submitted encoded, see sail_submit_encoded */
  /* For encoded frames: the size of their pixel blocks, multiples of 16; 0: the library's default
   * for the codec (sail_block_size). For JPEG 2000 also how often a picture can be halved (levels
   * of the wavelet transform, at most 3). */
  int32_t block_width, block_height;
  int32_t max_reduction;
  /* Frames per second that will be submitted. Used for a rate in megabits per second, and to show
   * people when frames are missing and whether the application (waiting in sail_poll_event does not
   * count) or a later stage is too slow. 0: measured; for the rate at least 30. */
  double fps;
  /* A stream of the same session that this one replaces with its first frame: it takes over the
   * window, tile by tile in the same swap. The application must close the old stream then. NULL:
   * none. */
  sail_stream* replaces;
  /* Transport of frames: "tcp", or "udp", which does not wait for lost packets, and is paced and
   * uses FEC and retransmission: for long or lossy networks and for even frame pacing. NULL: the
   * wall's default. */
  const char* transport;
  /* Delay from a frame's submission to its swap, 1 to 2000. Frames that arrive earlier are
   * buffered, so that frame pacing is even despite jitter and lost packets can be recovered over
   * UDP. 0: the library's choice: depends on the links over UDP, none over TCP. SAIL_NO_DELAY:
   * frames are shown as soon as all tiles have them. */
  int32_t delay_ms;
  /* For UDP: the largest IP packet that all paths to receivers can carry, in bytes, 576 to 9216; 0:
   * the wall's default. */
  int32_t mtu;
  int takes_input;             /* 1: the stream gets SAIL_EVENT_INPUT */
  const sail_content* content; /* NULL: unknown; copied */
  /* "frame" or NULL: all tiles show a frame in one swap. "none": each tile shows it at once. */
  const char* step;
  /* Name of the group that the stream joins. All streams of a group show frames of equal present_ns
   * in one swap, or none of them does. `fps` must be equal in all streams where it is known. The
   * first member creates the group, with this timeline (NULL: starts from the beginning in one
   * second). SAIL_EVENT_TIMELINE reports the timeline in effect. */
  const char* group;
  const sail_timeline* timeline;
  /* A sentence for people: why `codec` was chosen, at most 400 bytes. NULL: none. */
  const char* codec_reason;
} sail_stream_options;

/* Waits for the manager's answer, and up to half a second for the receivers, so that the first
 * frame reaches all tiles. Returns NULL on failure. */
SAIL_API sail_stream* sail_stream_open(sail_session* session, const sail_stream_options* options,
                                       sail_error* error);
/* --- one stream from several senders ------------------------------------------------------------
 *
 * The programs of a parallel application ("ranks") share one window: each sends a region of every
 * frame directly to the receivers that show it. A frame is shown in one swap when all its regions
 * have arrived, or not at all. */
typedef struct sail_part {
  const char* name; /* common to all ranks of the window; at most 64 bytes */
  int32_t rank;     /* from 0 */
  int32_t ranks;    /* at most 64 */
  /* The region of the frames that this rank submits. x and y are multiples of 8. The regions of all
   * ranks cover the frame, each pixel once. */
  sail_rect region;
  /* Shown while a rank is lost or silent for half a second. "wait" or NULL: the last
   * complete frame, until the rank is back. "last": the others continue, with the rank's last
   * region. "dark": they continue, with the rank's region black. */
  const char* absent;
} sail_part;

/* Opens the stream of a rank. The options describe the whole stream: width and height are those of
 * whole frames; title, place and input are taken from rank 0. Submitted frames have the size of the
 * region. Waits until all ranks have joined, at most 10 s. After that, the ranks present get an
 * error that names the missing ones. They also get an error if ranks disagree about sizes, codec or
 * number of ranks, or if regions overlap or leave a gap.
 *
 * Without a `group`, the n-th frame of a rank (including those passed to sail_skip) belongs to the
 * n-th frame of all others, and has no present_ns. All ranks must submit all frames, even if
 * nothing has changed in their region; sail_submit waits for slower ranks. On SAIL_EVENT_REFRESH,
 * which only some ranks may get, a rank submits its last frame with `again`, and nothing else: that
 * frame keeps its number. A rank that has died cannot rejoin. In a `group`, frames of equal
 * present_ns belong together, and a rank that has died may rejoin.
 *
 * Closing the window closes it for all ranks; so does a rank that closes its stream. */
SAIL_API sail_stream* sail_stream_join(sail_session* session, const sail_stream_options* options,
                                       const sail_part* part, sail_error* error);
/* Computes the region of a rank if each rank gets a horizontal band of about equal height.
 * SAIL_INVALID: there are more ranks than bands. */
SAIL_API sail_status sail_band(int32_t width, int32_t height, int32_t rank, int32_t ranks,
                               sail_rect* region);

/* Closes the window. Frames that are not shown yet are dropped. */
SAIL_API void sail_stream_close(sail_stream* stream);
/* The number of the stream's window, as shown by `vitrail ls`. A stream that replaces another one
 * has the same number. */
SAIL_API uint32_t sail_stream_id(const sail_stream* stream);

/* Called when the library no longer reads the frame's pixels. */
typedef void (*sail_release_fn)(void* opaque);

typedef struct sail_frame {
  sail_pixel_format format;
  const uint8_t* planes[3];
  ptrdiff_t strides[3];     /* bytes from one row of a plane to the next, top to bottom */
  sail_color_matrix matrix; /* for YUV formats; 0: BT.709 */
  sail_color_range range;   /* for YUV formats; 0: limited */
  sail_release_fn release;  /* may be NULL */
  void* opaque;             /* argument of release */
  int bits;                 /* per sample, 9 to 16; for deep formats only */
  /* Wall time at which the frame is to be shown; 0: as soon as all tiles can. More than half a
   * second ahead, or before the time of the previous frame: SAIL_INVALID. More than a second in the
   * past: the frame is dropped. A frame that arrives late is shown late, by all tiles and all
   * members of the group, unless a newer one has overtaken it. */
  int64_t present_ns;
  /* 1: the frame repeats the picture submitted last. For a rank without a `group` it has the number
   * of that frame; otherwise `again` makes no difference. */
  int again;
} sail_frame;

/* Shows the frame as soon as all tiles can show it at once. The frame must have the stream's size.
 * The call encodes it with the help of the session's threads; finished blocks are already sent
 * meanwhile. When the call returns, the pixels are no longer read. release, if not NULL, is called
 * once before the return, even if the frame is dropped, but not if the status is negative. While no
 * manager is connected, frames go to the same receivers as before; every frame is dropped if the
 * manager was lost before it named receivers.
 *
 * Blocks that have not changed since the previous frame are neither encoded nor sent. A frame
 * without any change counts as shown at once. Blocks that no tile shows are not encoded while
 * frames follow one another. The library keeps the last frame, encoded, for moves of the window: a
 * still picture needs to be submitted only once, and again on SAIL_EVENT_REFRESH. If frame_number
 * is not NULL, *frame_number gets the frame's number, counted from 1. */
SAIL_API sail_status sail_submit(sail_stream* stream, const sail_frame* frame,
                                 uint64_t* frame_number);

/* A frame whose pixel blocks are already compressed. The blocks come in rows, from left to right.
 * Each has the stream's block size, except at the right and bottom edges. Its content is the
 * codec's encoding of such a picture: rows of texel blocks, pixels (B, G, R, 255), or a codestream.
 * With a second stage, a block is stored compressed if that is shorter. lengths[i]: the bytes of
 * block i. */
typedef struct sail_encoded_frame {
  const uint8_t* bytes;
  size_t byte_count; /* the sum of the lengths */
  const uint32_t* lengths;
  size_t block_count;
  /* Meaning of the components of JPEG 2000 blocks, or of "raw" blocks in YUV 4:2:0 (packed planes);
   * 0: red, green, blue. */
  sail_color_matrix matrix;
  sail_color_range range; /* for YUV components; 0: limited */
  int64_t present_ns;     /* as in sail_frame */
  int again;              /* as in sail_frame */
} sail_encoded_frame;

/* The default size of pixel blocks of a codec (named as in sail_stream_options). SAIL_INVALID:
 * unknown codec. */
SAIL_API sail_status sail_block_size(const char* codec, int32_t* width, int32_t* height);

/* Like sail_submit, for streams opened with `encoded`: nothing is encoded; the bytes are copied
 * before the call returns. Of "h264" and so on, the only block has access units as in "Carried
 * streams" of PROTOCOL.md: those that no earlier frame had. They are kept for later frames even if
 * this one is dropped; receivers make the thumbnails. SAIL_INVALID: the blocks do not match the
 * stream's size and codec. */
SAIL_API sail_status sail_submit_encoded(sail_stream* stream, const sail_encoded_frame* frame,
                                         uint64_t* frame_number);

/* Reports frames that the application skipped, because it was too late for them. They count towards
 * the frame rate that the application intends. */
SAIL_API sail_status sail_skip(sail_stream* stream, uint64_t frames);

/* The window's rectangle in wall pixels. visible: 1 if any tile shows a part of it. */
SAIL_API sail_status sail_stream_window(const sail_stream* stream, sail_rect* wall_rect,
                                        int* visible);

/* The size, in wall pixels, that the whole upright picture would have in its window; people may
 * have rotated or zoomed it. For applications that render for a given size. */
SAIL_API sail_status sail_stream_picture(const sail_stream* stream, int32_t* width,
                                         int32_t* height);

typedef struct sail_stream_stats {
  uint64_t frames_submitted;
  uint64_t frames_sent;    /* to at least one receiver; frames without changes are not sent */
  uint64_t frames_shown;   /* on every tile of their routing maps */
  uint64_t frames_dropped; /* submitted, but not shown on every tile */
  uint64_t frames_in_flight;
  uint64_t bytes_sent; /* on the data connections */
  /* frames_dropped by cause, updated about once a second; without those of a frozen window */
  uint64_t frames_superseded; /* replaced by a later one */
  uint64_t frames_old_epoch;  /* sent for a layout that is no longer shown */
  uint64_t frames_incomplete; /* depend on a frame that was lost, or could not be decoded */
  uint64_t frames_hidden;     /* no tile shows the window */
  uint64_t frames_lost;       /* lost packets were not recovered in time */
  uint64_t frames_unsent;     /* not sent to all receivers: receivers or links did not keep up */
} sail_stream_stats;

SAIL_API sail_status sail_stream_get_stats(const sail_stream* stream, sail_stream_stats* stats);

/* A value of sail_playback.paused: at the end; SAIL_EVENT_RESUME restarts the film. */
#define SAIL_AT_END 2

/* What plays in the window, for the controls that people see. All zero: a film of unknown length
 * without sound, at its start, at normal speed. */
typedef struct sail_playback {
  double position_s; /* from the start, at at_ns */
  int64_t at_ns;     /* wall time; 0: now */
  double duration_s; /* 0: unknown or endless */
  double rate;       /* multiple of normal speed; 0 means 1 */
  double volume;     /* 0 to 1; used if has_sound */
  int paused;        /* 1: paused; SAIL_AT_END: stopped at its end, not paused */
  int loop;          /* 1: restarts at its end */
  int has_sound;     /* 1: SAIL_EVENT_VOLUME has an effect */
  int live;          /* 1: cannot be paused or seeked */
  int32_t page;      /* of a document, from 1; 0: no pages */
  int32_t pages;
  int64_t silent_since_s; /* when its live source fell silent, s since 1970; 0: it is not silent */
  int fallback;           /* 1: a replacement is shown meanwhile */
  int64_t jumped_s;       /* when the source's time stamps last jumped, s since 1970; 0: never */
} sail_playback;

/* Sends the state to the manager, and again after each reconnection. May be called as often as
 * convenient, for example with each frame: progress of time alone is not sent. SAIL_INVALID: a
 * value is out of range. */
SAIL_API sail_status sail_set_playback(sail_stream* stream, const sail_playback* playback);

/* Texts may be NULL: unknown. Longer texts than people read in a list are cut. */
typedef struct sail_subtitle_track {
  const char* language; /* as the film names it: "eng" */
  const char* title;
  const char* format; /* "subrip" */
  const char* file;   /* name of the file beside the film that holds it; NULL: the film itself */
  int pictures;       /* 1: stored as pictures, not as text */
  int forced;         /* 1: translates only what is not in the film's language */
} sail_subtitle_track;

typedef struct sail_sound_track {
  const char* language;
  const char* title;
  const char* format; /* "aac" */
  const char* layout; /* of the channels: "5.1" */
  int32_t channels;   /* 0: unknown */
} sail_sound_track;

/* A value of sail_tracks.subtitle: a file that is not listed. */
#define SAIL_OTHER_SUBTITLES (-2)

/* The tracks of the film between which people choose. Tracks are numbered from 1. */
typedef struct sail_tracks {
  const sail_subtitle_track* subtitles;
  size_t subtitle_count; /* at most 64 */
  const sail_sound_track* sounds;
  size_t sound_count; /* at most 99 */
  int32_t subtitle;   /* the chosen one, as the value of SAIL_EVENT_SUBTITLES */
  int32_t sound;      /* the one that is heard, as the value of SAIL_EVENT_SOUND_TRACK */
} sail_tracks;

/* Sends the tracks to the manager together with the playback state; without that, nothing is sent.
 * May be called as often as convenient. Both lists empty: the film has no tracks to choose from.
 * The values are copied. SAIL_INVALID: a number is out of range. */
SAIL_API sail_status sail_set_tracks(sail_stream* stream, const sail_tracks* tracks);

/* --- sound --------------------------------------------------------------------------------------
 */

typedef enum sail_audio_format {
  SAIL_S16 = 1,  /* int16_t */
  SAIL_FLOAT = 2 /* float, -1 to 1; clipped beyond */
} sail_audio_format;

typedef struct sail_audio {
  sail_audio_format format;
  const void* samples; /* interleaved; copied */
  size_t count;        /* samples per channel, at most two seconds; 0: only with `restart` */
  int32_t rate;        /* samples per second, 8000 to 192000 */
  int32_t channels;    /* 1 to 8: mono, or left, right and so on */
  /* Wall time at which the first sample is heard, at most 2 s ahead (see sail_wall_time). */
  int64_t at_ns;
  /* 1: at_ns is when the corresponding picture is submitted; the library adds the latency of the
   * stream's pictures. 0: use with frames that have a present_ns. */
  int with_picture;
  int restart; /* 1: discard earlier sound that has not been heard yet (pause, seek) */
} sail_audio;

/* Submits the stream's sound for the wall's loudspeakers. Each submission continues where the
 * previous one ended, or leaves a gap; overlapping or late samples are discarded. Deviations of
 * some milliseconds are corrected gradually. The format may change with each call. SAIL_DROPPED:
 * nothing plays the sound (no loudspeakers, or the window is muted), it is too late, or too much is
 * queued. SAIL_INVALID: an argument is wrong, or the sound ends more than 2 s ahead. One thread at
 * a time. */
SAIL_API sail_status sail_submit_audio(sail_stream* stream, const sail_audio* audio);
/* 1: the wall has loudspeakers for the sound of streams, muted or not. */
SAIL_API int sail_wall_has_audio(const sail_stream* stream);

/* --- events -------------------------------------------------------------------------------------
 */

typedef enum sail_event_type {
  SAIL_EVENT_CLOSE = 1,  /* the window was closed: the application should close the stream */
  SAIL_EVENT_RESIZE = 2, /* the window moved or changed size: `rect`, wall pixels */
  SAIL_EVENT_PAUSE = 3,
  SAIL_EVENT_RESUME = 4,
  SAIL_EVENT_SEEK = 5,  /* `value`: seconds from the start */
  SAIL_EVENT_RATE = 6,  /* `value`: multiple of normal speed */
  SAIL_EVENT_FRAME = 7, /* a frame's result is known: `frame` (only after sail_watch_frames) */
  /* The manager is lost. The library keeps trying to reconnect; frames are still sent. */
  SAIL_EVENT_DISCONNECTED = 8,
  SAIL_EVENT_CONNECTED = 9, /* this or another manager knows the streams again */
  /* The receivers need the last frame again: parts that were not visible are now shown, its size on
   * the wall has changed, or it was dropped or lost. An application that would not submit a new
   * frame now submits the last one again (`again`). */
  SAIL_EVENT_REFRESH = 10,
  /* Another codec is requested: `codec`, as in sail_stream_options, or "auto": the application
   * chooses. */
  SAIL_EVENT_CODEC = 11,
  /* Once a second per receiver of the stream: `link` (only after sail_watch_links) */
  SAIL_EVENT_LINK = 12,
  /* Pointer, keys and touches on the window: `input` (only for streams that take input). Unpolled
   * moves are merged into one; button, key and touch events never are. */
  SAIL_EVENT_INPUT = 13,
  SAIL_EVENT_LOOP = 14,   /* `value`: 1: restart at the end; 0: do not */
  SAIL_EVENT_VOLUME = 15, /* `value`: 0 to 1 */
  SAIL_EVENT_PAGE = 16,   /* `value`: a document's page, from 1 */
  /* `value` 1: the stream is a member of a group, and `timeline` gives the film's position. A
   * picture is to be shown (present_ns) when the timeline reaches its film time. 0: the stream is
   * no longer a member. Members get this event instead of pause, resume, seek and rate. */
  SAIL_EVENT_TIMELINE = 17,
  /* `receiver`: frames have not reached a receiver of the stream for a second, so the others
   * continue without it; or they reach it again, or by another transport. */
  SAIL_EVENT_RECEIVER = 18,
  /* `value`: the film's subtitle track to show, from 1; 0: none; -1: only the forced ones in the
   * language of the sound */
  SAIL_EVENT_SUBTITLES = 19,
  /* `value`: the film's sound track to play, from 1; 0: its default; -1: all mono tracks as one
   * programme */
  SAIL_EVENT_SOUND_TRACK = 20
} sail_event_type;

typedef struct sail_frame_fate {
  uint64_t number;
  int shown;                /* 1: on every tile of its routing map */
  uint32_t receivers;       /* receivers that got a part of it; 0: no tile shows the window */
  int64_t submitted_ns;     /* wall time */
  int64_t first_swapped_ns; /* wall time of the first tile's swap; 0 if not shown */
  int64_t last_swapped_ns;  /* wall time of the last tile's swap */
} sail_frame_fate;

typedef enum sail_transport { SAIL_TCP = 1, SAIL_UDP = 2 } sail_transport;

/* Statistics of a stream's link to one receiver. Counters are since the connection was made; rates
 * and times cover the last second. Over TCP the values marked (UDP) are 0. */
typedef struct sail_link_stats {
  char receiver[72]; /* its name, zero-terminated */
  sail_transport transport;
  double mbit_per_s;       /* sent, without UDP and IP headers */
  double limit_mbit_per_s; /* estimated capacity of the link; 0: no limit reached */
  double busy_pct;         /* share of the last second in which data waited for the network (TCP) */
  double rtt_ms;           /* round trip */
  double delay_ms;         /* one-way packet delay, mean (UDP) */
  double queue_ms;         /* delay above the minimum of the last ten seconds (UDP) */
  double jitter_ms;        /* of the delay, as in RFC 3550 (UDP) */
  double fec_pct;          /* repair symbols, in percent of the frames' bytes (UDP) */
  int32_t reduction;       /* halvings of the picture because of the link */
  uint64_t bytes_sent;     /* including repair symbols and retransmissions */
  uint64_t bytes_parity;   /* repair symbols, included in bytes_sent (UDP) */
  uint64_t packets_sent;   /* (UDP) */
  uint64_t packets_retransmitted; /* retransmissions; over TCP segments, by the system */
  /* Counted by the receiver (UDP). */
  uint64_t packets_arrived;
  uint64_t bytes_arrived;
  uint64_t packets_lost;
  uint64_t packets_reordered;
  uint64_t packets_duplicated;
  uint64_t packets_late;      /* arrived after they were given up */
  uint64_t mended_fec;        /* packets recovered by FEC */
  uint64_t mended_retransmit; /* packets recovered by retransmission */
  uint64_t socket_full;       /* dropped at the receiver's socket, for all its streams */
  uint64_t frames_lost;       /* not recovered in time */
  uint32_t bursts[8]; /* lengths of loss bursts: 1, 2, 3-4, 5-8, 9-16, 17-32, 33-64, more packets */
  /* 1: the receiver is on this host, by its address; 0: on another one; -1: not connected. */
  int32_t same_host;
  int32_t shared_memory;    /* 1: the receiver reads the stream's blocks in this host's memory */
  char memory_trouble[124]; /* why not, if it should; zero-terminated; "": no trouble */
} sail_link_stats;

typedef struct sail_receiver {
  char name[72];  /* zero-terminated */
  int reachable;  /* 0: frames do not reach it */
  char text[216]; /* the reason and what to do, to be shown after its name; zero-terminated */
} sail_receiver;

typedef enum sail_input_type {
  SAIL_INPUT_ENTER = 1, /* a pointer entered the window */
  SAIL_INPUT_LEAVE = 2,
  SAIL_INPUT_MOVE = 3,
  SAIL_INPUT_DOWN = 4, /* of `button` */
  SAIL_INPUT_UP = 5,
  SAIL_INPUT_WHEEL = 6,
  SAIL_INPUT_KEY_DOWN = 7, /* repeated while the key is held */
  SAIL_INPUT_KEY_UP = 8,
  SAIL_INPUT_TOUCH_DOWN = 9, /* of the finger `touch` */
  SAIL_INPUT_TOUCH_MOVE = 10,
  SAIL_INPUT_TOUCH_UP = 11,
  SAIL_INPUT_PINCH = 12 /* two fingers move apart or together: `scale` */
} sail_input_type;

enum { SAIL_SHIFT = 1, SAIL_CONTROL = 2, SAIL_ALT = 4, SAIL_META = 8 };

typedef struct sail_input {
  sail_input_type type;
  uint32_t client; /* number of the person at the wall who caused it; 0: unknown */
  int has_point;   /* 0: x and y are unknown (keys, leave) */
  int32_t button;  /* of down and up events: 0 left, 1 middle, 2 right, more for other buttons */
  /* Pixels of the stream's frames from the top left corner, with fractions. May be outside of the
   * frame while a button is held. */
  double x, y;
  int32_t buttons;         /* buttons held now, a sum: 1 left, 2 right, 4 middle, 8 and so on */
  int32_t modifiers;       /* a sum of SAIL_SHIFT and so on */
  double wheel_x, wheel_y; /* notches to the right and downwards */
  /* UTF-8, zero-terminated: the character typed, or the key's name as in DOM's KeyboardEvent.key:
   * "a", "Enter", "ArrowLeft". */
  char key[36];
  int32_t touch; /* identifies the finger of a client */
  double scale;  /* of a pinch, since the previous event */
} sail_input;

typedef struct sail_event {
  sail_event_type type;
  sail_stream* stream; /* NULL for events of the session */
  sail_rect rect;
  double value;
  sail_frame_fate frame;
  char codec[72]; /* zero-terminated */
  union {         /* valid member depends on type */
    sail_link_stats link;
    sail_input input;
    sail_timeline timeline;
    sail_receiver receiver;
  };
} sail_event;

/* Returns the next event; waits at most timeout_ms (0: does not wait). SAIL_TIMEOUT: none. At most
 * 1024 events are queued; beyond that the oldest are lost, starting with frame results, link
 * statistics and moves. */
SAIL_API sail_status sail_poll_event(sail_session* session, sail_event* event, int timeout_ms);

/* Enables a SAIL_EVENT_FRAME for each frame from now on. */
SAIL_API sail_status sail_watch_frames(sail_stream* stream);
/* Enables a SAIL_EVENT_LINK per second and receiver of the stream from now on. */
SAIL_API sail_status sail_watch_links(sail_stream* stream);

#ifdef __cplusplus
}
#endif

#endif
