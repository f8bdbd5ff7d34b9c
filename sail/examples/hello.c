/* A moving rainbow in a window on the wall: a complete SAIL application in C.
 *
 *   hello_c [FRAMES]      (endless without a number) */
#include <sail/sail.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1280, HEIGHT = 720 };

static uint8_t pixels[WIDTH * HEIGHT * 4];

static void draw(long frame) {
  for (int y = 0; y < HEIGHT; ++y) {
    for (int x = 0; x < WIDTH; ++x) {
      uint8_t* pixel = pixels + 4 * (y * WIDTH + x);
      pixel[0] = (uint8_t)(x + 4 * frame); /* red */
      pixel[1] = (uint8_t)(y + 2 * frame); /* green */
      pixel[2] = (uint8_t)(x + y);         /* blue */
    }
  }
}

int main(int argc, char** argv) {
  const long frames = argc > 1 ? atol(argv[1]) : -1;
  sail_error error;
  /* The manager's address comes from $VITRAIL_MANAGER. */
  sail_session* session = sail_session_open(NULL, &error);
  if (session == NULL) return fprintf(stderr, "hello: %s\n", error.text), 1;

  const sail_stream_options options = {.title = "hello", .width = WIDTH, .height = HEIGHT};
  sail_stream* stream = sail_stream_open(session, &options, &error);
  if (stream == NULL) return fprintf(stderr, "hello: %s\n", error.text), 1;

  const sail_frame frame = {.format = SAIL_RGBA, .planes = {pixels}, .strides = {WIDTH * 4}};
  int open = 1;
  for (long i = 0; open && i != frames; ++i) {
    draw(i);
    sail_submit(stream, &frame, NULL); /* SAIL_DROPPED: the wall is busy; the next replaces it */

    /* Checks if the window was closed. The wait of 20 ms also limits the rate to 50 frames a
     * second. */
    sail_event event;
    while (sail_poll_event(session, &event, 20) == SAIL_OK) {
      if (event.type == SAIL_EVENT_CLOSE) open = 0;
    }
  }
  sail_session_close(session); /* closes the stream too */
  return 0;
}
