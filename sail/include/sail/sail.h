/* libsail: what a program links to show its pixels on a Vitrail wall. C ABI.
 *
 * An application connects a session to the manager, opens streams (each is one window on the wall),
 * submits frames, and polls events. The library compresses the frames and sends their pixel blocks
 * straight to the receivers that show them.
 *
 * Threads: functions on one session or stream may be called from any thread, except that a stream's
 * frames are submitted by one thread at a time and sail_stream_close/sail_session_close end the use
 * of the handle. Errors: functions return a sail_status, and write a sentence into *error where
 * they take one. Sizes in pixels, times in nanoseconds ("wall time": the manager's steady clock)
 * unless named.
 */
#ifndef SAIL_SAIL_H
#define SAIL_SAIL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SAIL_API __attribute__((visibility("default")))

/* Grows with each added function; a change that breaks old callers changes the library's soname. */
#define SAIL_API_VERSION 8

typedef struct sail_session sail_session;
typedef struct sail_stream sail_stream;

typedef enum sail_status {
  SAIL_OK = 0,
  SAIL_DROPPED = 1,     /* not sent: the receivers have not kept up; counted as dropped */
  SAIL_TIMEOUT = 2,     /* nothing happened in the time given */
  SAIL_INVALID = -1,    /* an argument is wrong */
  SAIL_REFUSED = -2,    /* the manager said no */
  SAIL_UNAVAILABLE = -3 /* no manager there */
} sail_status;

typedef struct sail_error {
  char text[256]; /* a sentence, zero-terminated */
} sail_error;

/* The values are those of the data protocol. */
typedef enum sail_pixel_format {
  SAIL_RGBA = 1, /* 4 bytes a pixel; A is read by codecs with alpha only */
  SAIL_BGRA = 2, /* 4 bytes a pixel; A is read by codecs with alpha only */
  SAIL_RGB = 3,  /* 3 bytes a pixel */
  SAIL_NV12 = 4, /* planes Y, CbCr; chroma 2x2 subsampled, sizes rounded up */
  SAIL_I420 = 5, /* planes Y, Cb, Cr; chroma 2x2 subsampled, sizes rounded up */
  SAIL_NV16 = 6, /* planes Y, CbCr; chroma 2x1 subsampled (4:2:2), width rounded up */
  SAIL_I422 = 7, /* planes Y, Cb, Cr; chroma 2x1 subsampled (4:2:2), width rounded up */
  /* For streams of JPEG 2000 only. Deep: samples of 16 bits, little-endian, the lower
   * sail_frame.bits of which count. */
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
  SAIL_XYZ = 4     /* of SAIL_RGB_DEEP: digital cinema, SMPTE ST 428-1 */
} sail_color_matrix;
typedef enum sail_color_range { SAIL_LIMITED = 1, SAIL_FULL = 2 } sail_color_range;

typedef struct sail_rect {
  int32_t x, y, width, height;
} sail_rect;

/* --- session ------------------------------------------------------------------------------------
 */

typedef struct sail_session_options {
  const char* name;    /* what people see in lists; NULL: the program's name */
  const char* manager; /* "host:port"; NULL: $VITRAIL_MANAGER, else 127.0.0.1:7440 */
  int encode_threads;  /* threads that help the submitting one; 0: one a core, less one; -1: none */
  int quiet;           /* 1: nothing on standard error */
} sail_session_options;

/* Connects and waits for the manager's answer, at most 5 s. $VITRAIL_KEY_FILE has the key. Later
 * losses of the manager are mended by the library: it reconnects and opens the streams again.
 * options may be NULL; error may be NULL. Returns NULL on failure. */
SAIL_API sail_session* sail_session_open(const sail_session_options* options, sail_error* error);
/* Closes the streams that are left, too. */
SAIL_API void sail_session_close(sail_session* session);

/* Wall time now: for when frames are seen and sound is heard, and to start at an instant. */
SAIL_API int64_t sail_wall_time(const sail_session* session);

/* --- stream -------------------------------------------------------------------------------------
 */

#define SAIL_NO_DELAY (-1)

/* What a window shows, told well enough that the manager can start it again: when a layout, a
 * session or an undone close brings the window back. */
typedef struct sail_content {
  const char* const* media; /* files (absolute paths), test cards or addresses, in order */
  size_t media_count;       /* at most 256, of 16384 bytes together */
  const char* program;      /* that plays them, as the manager knows it: "bplay", "vitrail-show",
                             * "vitrail-web", "vitrail-vnc" */
  int loop;
} sail_content;

/* Where the film of a group is: at position_s at the instant at_ns, and on from there. */
typedef struct sail_timeline {
  double position_s;
  int64_t at_ns; /* wall time */
  double rate;   /* times the normal speed */
  int paused;    /* 1: it stands there */
} sail_timeline;

typedef struct sail_stream_options {
  const char* title; /* of the window */
  int32_t width, height;
  /* "dxt1", "dxt5" (with alpha) or "dxt5ycocg", then "+lz4" or "+zstd" for a lossless second stage,
   * then ":fast", ":good" or ":high" (how much care is taken; good by default): "dxt1+zstd:fast".
   * "raw": pixels, with a second stage or without. "htj2k" or "j2k": JPEG 2000, then the rate:
   * ":500mbit", ":2bpp" (bits a pixel; the default) or ":lossless". NULL: "dxt1". */
  const char* codec;
  /* Where the window goes, wall pixels: the picture is fitted into it; width 0: the manager
   * chooses. With `replaces` the window keeps its place, and only the shape of this counts: how the
   * picture is to be seen where its pixels are not square. */
  sail_rect place;
  /* 1: sail_submit waits until the receivers can take the frame instead of dropping it. */
  int wait_when_full;
  int encoded; /* 1: the frames come encoded, see sail_submit_encoded */
  /* For encoded frames: the size of their pixel blocks, multiples of 16, 0: the library's own for
   * the codec (sail_block_size); and, for JPEG 2000, how often a picture can be halved (levels of
   * the wavelet transform, at most 3). */
  int32_t block_width, block_height;
  int32_t max_reduction;
  /* Frames a second that will be submitted: for keeping a rate in megabits a second, and to tell
   * people when there are fewer, and whether the application takes too long for them (waiting in
   * sail_poll_event does not count) or what comes behind it. 0: measured, for the rate at least 30.
   */
  double fps;
  /* A stream of the same session whose place in the layout, tile by tile in the same swap, this one
   * takes with its first frame; to be closed by the application then. NULL: none. */
  sail_stream* replaces;
  /* How frames travel: "tcp", or "udp", which does not wait for what was lost, and is paced and
   * mended: for long or lossy ways and for frames that must be even. NULL: the wall's choice. */
  const char* transport;
  /* From a frame's submission to its swap: what is there sooner is kept till then, so that frames
   * are even however late each came, and over UDP what was lost can still be mended. 1 to 2000;
   * 0: the library's choice: by the links over UDP, none over TCP; SAIL_NO_DELAY: frames are shown
   * as soon as all tiles have them. */
  int32_t delay_ms;
  /* Over UDP: the largest IP packet that the ways to all receivers carry, bytes, 576 to 9216;
   * 0: the wall's. */
  int32_t mtu;
  int takes_input;             /* 1: SAIL_EVENT_INPUT comes */
  const sail_content* content; /* NULL: unknown; copied */
  /* "frame" or NULL: all tiles show a frame in one swap. "none": each as soon as it has it. */
  const char* step;
  /* A name: the stream is a member of this group, whose streams show frames of equal present_ns in
   * one swap, all of them or none. `fps` must be that of the others, where both are known. The
   * first member makes the group, with this timeline (NULL: from its beginning, a second from now).
   * SAIL_EVENT_TIMELINE tells what holds. */
  const char* group;
  const sail_timeline* timeline;
} sail_stream_options;

/* Waits for the manager's answer, and up to half a second for the receivers, so that the first
 * frame reaches all tiles. Returns NULL on failure. */
SAIL_API sail_stream* sail_stream_open(sail_session* session, const sail_stream_options* options,
                                       sail_error* error);
/* --- one stream from several senders ------------------------------------------------------------
 *
 * Programs of a parallel application ("ranks") show one window, each giving a region of every frame
 * straight to the receivers that show it. A frame is shown when all of its parts are there, in one
 * swap, or not at all. */
typedef struct sail_part {
  const char* name; /* by which the ranks find each other on the wall; at most 64 bytes */
  int32_t rank;     /* from 0 */
  int32_t ranks;    /* at most 64 */
  /* Of the frames, what this rank gives: it begins at multiples of 8, and all of them together
   * cover the frames, each pixel once. */
  sail_rect region;
  /* What is seen when a rank has died, or is silent for half a second. "wait" or NULL: the last
   * frame that all had, until it is back; "last": the others go on, with what it gave last; "dark":
   * they go on, and its region is black. */
  const char* absent;
} sail_part;

/* Opens the stream of a rank. Its options are those of all ranks: width and height are of the whole
 * frames, title, place and input are rank 0's. The frames that are submitted are as large as the
 * region. Waits until all ranks have joined, at most 10 s: then those that are there get an
 * error that names the others, as they do when ranks disagree about sizes, codec or each other's
 * number, or when regions overlap or leave a hole.
 *
 * Without a `group` the n-th frame that one rank submits (sail_skip counts, too) belongs to the
 * n-th of all others, and has no present_ns. All ranks submit all frames, also those in which
 * nothing has changed in their region; sail_submit waits for ranks that are behind. On
 * SAIL_EVENT_REFRESH, which some ranks may get and others not, a rank submits its last frame with
 * `again`, and nothing else: that frame keeps its place among those of the others. A rank that has
 * died cannot come back. In a `group` frames of equal present_ns belong together, and a rank that
 * has died may join again.
 *
 * Whoever closes the window closes it for all ranks; so does a rank that ends its stream. */
SAIL_API sail_stream* sail_stream_join(sail_session* session, const sail_stream_options* options,
                                       const sail_part* part, sail_error* error);
/* The region of a rank when each gives a band, all about as high. SAIL_INVALID: there are more
 * ranks than bands. */
SAIL_API sail_status sail_band(int32_t width, int32_t height, int32_t rank, int32_t ranks,
                               sail_rect* region);

/* The window leaves the wall. Frames that are not shown by now are dropped. */
SAIL_API void sail_stream_close(sail_stream* stream);
/* The number of its window, as `vitrail ls` shows it. A stream that replaces another has the same.
 */
SAIL_API uint32_t sail_stream_id(const sail_stream* stream);

/* The library no longer reads the frame's pixels. */
typedef void (*sail_release_fn)(void* opaque);

typedef struct sail_frame {
  sail_pixel_format format;
  const uint8_t* planes[3];
  ptrdiff_t strides[3];     /* bytes from one row of a plane to the next, top to bottom */
  sail_color_matrix matrix; /* of YUV formats; 0: BT.709 */
  sail_color_range range;   /* of YUV formats; 0: limited */
  sail_release_fn release;  /* may be NULL */
  void* opaque;             /* for release */
  int bits;                 /* of a sample of deep formats, 9 to 16; else not read */
  /* Wall time at which it is to be seen; 0: as soon as it can be on all tiles. What lies more than
   * half a second ahead, or before the time of the frame before, is SAIL_INVALID; more than a
   * second past, the frame is dropped. One that comes late is shown late, by all tiles and all
   * members of the group, unless another has overtaken it. */
  int64_t present_ns;
  /* 1: the picture that was submitted last, once more. Of a rank without a `group` it is the same
   * frame for the other ranks; elsewhere it makes no difference. */
  int again;
} sail_frame;

/* Shows the frame as soon as it can be on all tiles at once. The frame has the stream's size.
 * The call encodes it, with the help of the session's threads, while what is done is sent already;
 * the pixels are not read any more when it returns. release, when not NULL, is called once before
 * that, also when the frame is dropped, but not when the status is negative. While there is no
 * manager every frame is dropped.
 *
 * Blocks that have not changed since the frame before are neither encoded nor sent, and a frame
 * that is all what the tiles show already counts as shown at once; blocks that no tile shows are
 * not encoded while frames follow one another. The last frame is kept, encoded, for when the window
 * moves: a still picture is submitted once, and once more on SAIL_EVENT_REFRESH. *frame_number,
 * when not NULL, gets the frame's number, counted from 1. */
SAIL_API sail_status sail_submit(sail_stream* stream, const sail_frame* frame,
                                 uint64_t* frame_number);

/* A frame whose pixel blocks are compressed already. They come in rows from left to right, each of
 * the stream's block size but for those at the right and bottom edges, and are what the codec gives
 * for such a picture: texel blocks in rows, pixels (B, G, R, 255), or a codestream. With a second
 * stage a block is its compressed form where that is shorter. lengths[i]: bytes of block i. */
typedef struct sail_encoded_frame {
  const uint8_t* bytes;
  size_t byte_count; /* the sum of the lengths */
  const uint32_t* lengths;
  size_t block_count;
  /* What the components of JPEG 2000 are; 0: red, green, blue. */
  sail_color_matrix matrix;
  sail_color_range range; /* of YUV components; 0: limited */
  int64_t present_ns;     /* as in sail_frame */
  int again;              /* the same */
} sail_encoded_frame;

/* The size of the pixel blocks that the library cuts frames of a codec (named as for
 * sail_stream_options) into. SAIL_INVALID: there is no such codec. */
SAIL_API sail_status sail_block_size(const char* codec, int32_t* width, int32_t* height);

/* sail_submit for streams that were opened with `encoded`: nothing is encoded; the bytes are copied
 * before the call returns. SAIL_INVALID when the blocks are not those of the stream's size and
 * codec. */
SAIL_API sail_status sail_submit_encoded(sail_stream* stream, const sail_encoded_frame* frame,
                                         uint64_t* frame_number);

/* So many frames of the stream's were due and let go before they were submitted, since it was too
 * late for them: they count for the rate that the application would show. */
SAIL_API sail_status sail_skip(sail_stream* stream, uint64_t frames);

/* Where the window stands, wall pixels. visible: 1 when any tile shows any of it. */
SAIL_API sail_status sail_stream_window(const sail_stream* stream, sail_rect* wall_rect,
                                        int* visible);

/* As large as all of the stream's picture would be seen in its window, upright, wall pixels: people
 * may have turned it, or show a part. For applications that draw for a size. */
SAIL_API sail_status sail_stream_picture(const sail_stream* stream, int32_t* width,
                                         int32_t* height);

typedef struct sail_stream_stats {
  uint64_t frames_submitted;
  uint64_t frames_sent;    /* to at least one receiver; those that show nothing new are not */
  uint64_t frames_shown;   /* on every tile of its routing map */
  uint64_t frames_dropped; /* submitted, and not shown on every tile */
  uint64_t frames_in_flight;
  uint64_t bytes_sent; /* on the data connections */
  /* frames_dropped by cause, as told about once a second */
  uint64_t frames_superseded; /* a later one was shown in their place */
  uint64_t frames_old_epoch;  /* sent for a layout that is no longer shown */
  uint64_t frames_incomplete; /* built on a frame that was lost */
  uint64_t frames_hidden;     /* no tile shows the window */
  uint64_t frames_lost;       /* packets were lost and not mended in time */
  uint64_t frames_unsent;     /* never sent everywhere: receivers or links had not kept up */
} sail_stream_stats;

SAIL_API sail_status sail_stream_get_stats(const sail_stream* stream, sail_stream_stats* stats);

/* A value of sail_playback.paused: SAIL_EVENT_RESUME lets it begin again. */
#define SAIL_AT_END 2

/* What plays in the window, for the screens of people who control it. All zero: a film of unknown
 * length without sound at its start, at normal speed. */
typedef struct sail_playback {
  double position_s; /* from the start, at at_ns */
  int64_t at_ns;     /* wall time; 0: now */
  double duration_s; /* 0: unknown, or without end */
  double rate;       /* times the normal speed; 0: 1 */
  double volume;     /* 0 to 1; read when it has sound */
  int paused;        /* 1: yes; SAIL_AT_END: no, but it has come to its end and stands there */
  int loop;          /* it begins again at its end */
  int has_sound;     /* 1: SAIL_EVENT_VOLUME is obeyed */
  int live;          /* 1: it cannot be paused and sought */
  int32_t page;      /* of a document, from 1; 0: it has no pages */
  int32_t pages;
  int64_t silent_since_s; /* since 1970: its live source has sent nothing since; 0: it sends */
  int fallback;           /* 1: something else is shown meanwhile */
  int64_t jumped_s;       /* since 1970: its time stamps jumped then, lastly; 0: they never did */
} sail_playback;

/* Tells the manager, and again after each reconnection. May be called as often as one likes, say
 * with each frame: what has changed by the passing of time alone is not told. SAIL_INVALID: a value
 * is out of its range. */
SAIL_API sail_status sail_set_playback(sail_stream* stream, const sail_playback* playback);

/* --- sound --------------------------------------------------------------------------------------
 */

typedef enum sail_audio_format {
  SAIL_S16 = 1,  /* int16_t */
  SAIL_FLOAT = 2 /* float, -1 to 1; beyond it is cut off */
} sail_audio_format;

typedef struct sail_audio {
  sail_audio_format format;
  const void* samples; /* interleaved; copied */
  size_t count;        /* of each channel, at most two seconds; 0: only with `restart` */
  int32_t rate;        /* a second, 8000 to 192000 */
  int32_t channels;    /* 1 to 8: mono, or left, right and so on */
  /* Wall time at which the first is heard, at most 2 s ahead (see sail_wall_time). */
  int64_t at_ns;
  /* 1: at_ns is when the picture that goes with it is submitted. The library adds what pictures of
   * the stream take to the wall. 0 with those that have a present_ns. */
  int with_picture;
  int restart; /* 1: what was submitted before and has not been heard yet is not (pause, seek) */
} sail_audio;

/* The sound of the stream, for the loudspeakers that the wall has. Each submission goes on where
 * the one before ended, or leaves a pause; what overlaps or comes too late is left out. Differences
 * of some milliseconds are made good by the way. Any format may follow any other. SAIL_DROPPED:
 * nobody plays it (no loudspeakers, or the window is muted), it is too late already, or too much
 * waits. SAIL_INVALID: an argument is wrong, or it ends more than 2 s ahead. One thread at a time.
 */
SAIL_API sail_status sail_submit_audio(sail_stream* stream, const sail_audio* audio);
/* 1: the wall has loudspeakers for the sound of streams, muted or not. */
SAIL_API int sail_wall_has_audio(const sail_stream* stream);

/* --- events -------------------------------------------------------------------------------------
 */

typedef enum sail_event_type {
  SAIL_EVENT_CLOSE = 1,  /* somebody closed the window: the application should end the stream */
  SAIL_EVENT_RESIZE = 2, /* the window moved or changed size: `rect`, wall pixels */
  SAIL_EVENT_PAUSE = 3,
  SAIL_EVENT_RESUME = 4,
  SAIL_EVENT_SEEK = 5,         /* `value`: seconds from the start */
  SAIL_EVENT_RATE = 6,         /* `value`: times the normal speed */
  SAIL_EVENT_FRAME = 7,        /* a frame's fate is known: `frame` (only after sail_watch_frames) */
  SAIL_EVENT_DISCONNECTED = 8, /* the manager is gone; the library keeps
                                * trying, and frames go on as they did */
  SAIL_EVENT_CONNECTED = 9,    /* it, or another one, knows the streams again */
  /* The layout shows parts of the last frame that were left out of it, since nobody saw them, or
   * shows it in another size, or that frame was dropped, or lost on its way: an application that
   * would not submit another frame by itself now submits the last one again (`again`). */
  SAIL_EVENT_REFRESH = 10,
  SAIL_EVENT_CODEC = 11, /* somebody wants another codec: `codec`, as for sail_stream_options */
  /* Once a second for each receiver of the stream: `link` (only after sail_watch_links) */
  SAIL_EVENT_LINK = 12,
  /* Pointer, keys and touches over the window: `input` (only for streams that take
   * it). Moves that are not polled in time become one; downs and ups never. */
  SAIL_EVENT_INPUT = 13,
  SAIL_EVENT_LOOP = 14,   /* `value`: 1, begin again at the end; 0, do not */
  SAIL_EVENT_VOLUME = 15, /* `value`: 0 to 1 */
  SAIL_EVENT_PAGE = 16,   /* `value`: a document's page, from 1 */
  /* `value` 1: the stream is a member of a group, whose film is where `timeline` says. A film's
   * picture is to be seen (present_ns) when the timeline reaches its time. 0: it is none any more.
   * Members get this in place of pause, resume, seek and rate. */
  SAIL_EVENT_TIMELINE = 17,
  /* For a second frames have not got through to a receiver of the stream, so the others go on
   * without it; or they do again, or by another transport: `receiver` */
  SAIL_EVENT_RECEIVER = 18
} sail_event_type;

typedef struct sail_frame_fate {
  uint64_t number;
  int shown;                /* 1: on every tile of its routing map */
  uint32_t receivers;       /* that were sent any of it; 0: no tile shows the window */
  int64_t submitted_ns;     /* wall time */
  int64_t first_swapped_ns; /* wall time of the first tile's swap; 0 when not shown */
  int64_t last_swapped_ns;  /* and of the last one */
} sail_frame_fate;

typedef enum sail_transport { SAIL_TCP = 1, SAIL_UDP = 2 } sail_transport;

/* What is known of a stream's way to one receiver. Counters since the connection was made, rates
 * and times over the last second. Over TCP the values marked (UDP) are 0. */
typedef struct sail_link_stats {
  char receiver[72]; /* its name, zero-terminated */
  sail_transport transport;
  double mbit_per_s;       /* sent, without UDP and IP headers */
  double limit_mbit_per_s; /* what the link is thought to carry; 0: no limit was met */
  double busy_pct;         /* of the last second in which bytes waited for the network (TCP) */
  double rtt_ms;           /* round trip */
  double delay_ms;         /* of packets, one way, mean (UDP) */
  double queue_ms;         /* what of it is above the least of the last ten seconds (UDP) */
  double jitter_ms;        /* of the delay, as RFC 3550 has it (UDP) */
  double fec_pct;          /* parity, of the frames' bytes (UDP) */
  int32_t reduction;       /* halvings of the picture because of the link */
  uint64_t bytes_sent;     /* parity and repetitions, too */
  uint64_t bytes_parity;   /* of them (UDP) */
  uint64_t packets_sent;   /* (UDP) */
  uint64_t packets_retransmitted; /* sent again; over TCP segments, by the system */
  /* As the receiver counts (UDP). */
  uint64_t packets_arrived;
  uint64_t bytes_arrived;
  uint64_t packets_lost;
  uint64_t packets_reordered;
  uint64_t packets_duplicated;
  uint64_t packets_late;      /* came when it had been given up */
  uint64_t mended_fec;        /* packets' worth got from parity */
  uint64_t mended_retransmit; /* and by being sent again */
  uint64_t socket_full;       /* dropped at the receiver's own socket, of all its streams */
  uint64_t frames_lost;       /* given up, since not mended in time */
  uint32_t bursts[8];         /* losses of 1, 2, 3-4, 5-8, 9-16, 17-32, 33-64, more in a row */
} sail_link_stats;

typedef struct sail_receiver {
  char name[72];  /* zero-terminated */
  int reachable;  /* 0: frames do not get through to it */
  char text[216]; /* why, and what to do, to be written behind its name; zero-terminated */
} sail_receiver;

typedef enum sail_input_type {
  SAIL_INPUT_ENTER = 1, /* a pointer came over the window */
  SAIL_INPUT_LEAVE = 2,
  SAIL_INPUT_MOVE = 3,
  SAIL_INPUT_DOWN = 4, /* of `button` */
  SAIL_INPUT_UP = 5,
  SAIL_INPUT_WHEEL = 6,
  SAIL_INPUT_KEY_DOWN = 7, /* again and again while the key is held */
  SAIL_INPUT_KEY_UP = 8,
  SAIL_INPUT_TOUCH_DOWN = 9, /* of the finger `touch` */
  SAIL_INPUT_TOUCH_MOVE = 10,
  SAIL_INPUT_TOUCH_UP = 11,
  SAIL_INPUT_PINCH = 12 /* two fingers apart or together: `scale` */
} sail_input_type;

enum { SAIL_SHIFT = 1, SAIL_CONTROL = 2, SAIL_ALT = 4, SAIL_META = 8 };

typedef struct sail_input {
  sail_input_type type;
  uint32_t client; /* whose: a number for each person at the wall, 0: nobody's */
  int has_point;   /* 0: x and y are not known (keys, leave) */
  int32_t button;  /* of downs and ups: 0 left, 1 middle, 2 right, more as the mouse has more */
  double x, y;     /* pixels of the stream's frames from the top left corner, fractions too; outside
                    * of the frame while a button is held */
  int32_t buttons; /* held now, a sum: 1 left, 2 right, 4 middle, 8 and so on */
  int32_t modifiers;       /* SAIL_SHIFT and so on, a sum */
  double wheel_x, wheel_y; /* notches to the right and downwards */
  char key[36];  /* UTF-8, zero-terminated: the character typed, or the key's name as in DOM's
                  * KeyboardEvent.key: "a", "Enter", "ArrowLeft" */
  int32_t touch; /* tells the fingers of a client apart */
  double scale;  /* of a pinch, since the last one */
} sail_input;

typedef struct sail_event {
  sail_event_type type;
  sail_stream* stream; /* NULL for events of the session */
  sail_rect rect;
  double value;
  sail_frame_fate frame;
  char codec[72]; /* zero-terminated */
  union {         /* which one, the type says */
    sail_link_stats link;
    sail_input input;
    sail_timeline timeline;
    sail_receiver receiver;
  };
} sail_event;

/* The next event, waiting at most timeout_ms (0: not at all). SAIL_TIMEOUT: none came. At most 1024
 * events wait; then the oldest are lost, fates of frames, figures of links and moves first. */
SAIL_API sail_status sail_poll_event(sail_session* session, sail_event* event, int timeout_ms);

/* Asks for a SAIL_EVENT_FRAME for each frame from now on. */
SAIL_API sail_status sail_watch_frames(sail_stream* stream);
/* Asks for a SAIL_EVENT_LINK a second for each receiver of the stream from now on. */
SAIL_API sail_status sail_watch_links(sail_stream* stream);

#ifdef __cplusplus
}
#endif

#endif
