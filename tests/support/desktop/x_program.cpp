// An X11 program for tests: a window of 100x80 pixels, or of the size it is given, where each
// pixel's colour encodes its position. A click paints white there; a key ends it with exit code 7.
// Prints its process id.
#include <unistd.h>
#include <xcb/xcb.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

constexpr int kEndedByKey = 7;
constexpr int kClickSide = 8;

class Window {
 public:
  Window() {
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data;
    const uint32_t events[] = {XCB_EVENT_MASK_EXPOSURE | XCB_EVENT_MASK_STRUCTURE_NOTIFY |
                               XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_KEY_PRESS};
    xcb_create_window(connection_, XCB_COPY_FROM_PARENT, window_, screen->root, 30, 20, width_,
                      height_, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual,
                      XCB_CW_EVENT_MASK, events);
    xcb_create_gc(connection_, paint_, window_, 0, nullptr);
    xcb_map_window(connection_, window_);
  }

  ~Window() { xcb_disconnect(connection_); }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  int run() {
    for (;;) {
      xcb_flush(connection_);
      const std::unique_ptr<xcb_generic_event_t, void (*)(void*)> event(
          xcb_wait_for_event(connection_), std::free);
      if (!event) return EXIT_FAILURE;
      switch (event->response_type & 0x7f) {
        case XCB_EXPOSE:
          draw();
          break;
        case XCB_CONFIGURE_NOTIFY: {
          const auto& now = reinterpret_cast<const xcb_configure_notify_event_t&>(*event);
          width_ = now.width;
          height_ = now.height;
          draw();
          break;
        }
        case XCB_BUTTON_PRESS: {
          const auto& click = reinterpret_cast<const xcb_button_press_event_t&>(*event);
          fill(click.event_x, click.event_y);
          break;
        }
        case XCB_KEY_PRESS:
          return kEndedByKey;
        default:
          break;
      }
    }
  }

 private:
  // Draws row by row, because the size of a request is limited.
  void draw() {
    std::vector<uint32_t> row(width_);
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        row[static_cast<size_t>(x)] = static_cast<uint32_t>(x & 0xff) << 16 | (y & 0xff);
      }
      xcb_put_image(connection_, XCB_IMAGE_FORMAT_Z_PIXMAP, window_, paint_, width_, 1, 0,
                    static_cast<int16_t>(y), 0, 24, width_ * 4U,
                    reinterpret_cast<const uint8_t*>(row.data()));
    }
  }
  void fill(int16_t x, int16_t y) {
    const uint32_t white = 0xffffff;
    xcb_change_gc(connection_, paint_, XCB_GC_FOREGROUND, &white);
    const xcb_rectangle_t square{x, y, kClickSide, kClickSide};
    xcb_poly_fill_rectangle(connection_, window_, paint_, 1, &square);
  }

  xcb_connection_t* const connection_ = xcb_connect(nullptr, nullptr);
  const xcb_window_t window_ = xcb_generate_id(connection_);
  const xcb_gcontext_t paint_ = xcb_generate_id(connection_);
  uint16_t width_ = 100;
  uint16_t height_ = 80;
};

}  // namespace

int main() {
  std::printf("pid %d\n", getpid());
  std::fflush(stdout);
  return Window().run();
}
