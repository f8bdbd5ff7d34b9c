/* A paint window for everyone at the wall; each client paints in a different colour. Left button or
 * finger: paint; wheel: brush size; Escape: clear the picture. */
#include <sail/sail.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 1280, HEIGHT = 720, THINNEST = 2, THICKEST = 60 };

static uint8_t pixels[WIDTH * HEIGHT * 4];

static void dot(int at_x, int at_y, int radius, const uint8_t* colour) {
  for (int y = at_y - radius; y <= at_y + radius; ++y) {
    for (int x = at_x - radius; x <= at_x + radius; ++x) {
      const int dx = x - at_x, dy = y - at_y;
      const int inside = x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT;
      if (inside && dx * dx + dy * dy <= radius * radius) {
        memcpy(pixels + 4 * (y * WIDTH + x), colour, 3);
      }
    }
  }
}

/* Returns 1 if the picture has changed. */
static int draw(const sail_input* input) {
  static const uint8_t colours[][3] = {{220, 40, 40}, {40, 90, 220},  {20, 150, 60},
                                       {240, 150, 0}, {150, 40, 180}, {0, 160, 170}};
  static int radius = 8;
  const int held = (input->buttons & 1) != 0 || input->type == SAIL_INPUT_TOUCH_DOWN ||
                   input->type == SAIL_INPUT_TOUCH_MOVE;
  if (input->type == SAIL_INPUT_WHEEL) {
    radius -= (int)(2 * input->wheel_y);
    radius = radius < THINNEST ? THINNEST : radius > THICKEST ? THICKEST : radius;
  } else if (input->type == SAIL_INPUT_KEY_DOWN && strcmp(input->key, "Escape") == 0) {
    memset(pixels, 255, sizeof pixels);
    return 1;
  } else if (held && input->has_point && input->x > -THICKEST && input->x < WIDTH + THICKEST &&
             input->y > -THICKEST && input->y < HEIGHT + THICKEST) {
    dot((int)input->x, (int)input->y, radius,
        colours[input->client % (sizeof colours / sizeof *colours)]);
    return 1;
  }
  return 0;
}

int main(void) {
  sail_error error;
  sail_session* session = sail_session_open(NULL, &error);
  if (session == NULL) return fprintf(stderr, "draw: %s\n", error.text), 1;

  const sail_stream_options options = {
      .title = "draw", .width = WIDTH, .height = HEIGHT, .takes_input = 1};
  sail_stream* stream = sail_stream_open(session, &options, &error);
  if (stream == NULL) return fprintf(stderr, "draw: %s\n", error.text), 1;

  const sail_frame frame = {.format = SAIL_RGBA, .planes = {pixels}, .strides = {WIDTH * 4}};
  memset(pixels, 255, sizeof pixels);
  int changed = 1;
  for (int open = 1; open;) {
    /* Sends only a changed picture. SAIL_DROPPED: the wall is busy, so try again later. */
    if (changed) changed = sail_submit(stream, &frame, NULL) == SAIL_DROPPED;

    /* Waits for one event, then takes all pending ones, so that one frame shows all of them. */
    sail_event event;
    for (int wait_ms = 20; sail_poll_event(session, &event, wait_ms) == SAIL_OK; wait_ms = 0) {
      if (event.type == SAIL_EVENT_CLOSE) open = 0;
      if (event.type == SAIL_EVENT_INPUT) changed |= draw(&event.input);
      if (event.type == SAIL_EVENT_REFRESH || event.type == SAIL_EVENT_CONNECTED) changed = 1;
    }
  }
  sail_session_close(session);
  return 0;
}
