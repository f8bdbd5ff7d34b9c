// An X server in memory (Xvfb) with a client that draws known pixels: no display is needed, and no
// other is touched. One thread.
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/child_program.h"
#include "tests/support/reference_wall.h"

namespace test {

class XDesktop {
 public:
  // Returns when it takes clients. more: of Xvfb's command line.
  explicit XDesktop(sail::Size size, const std::vector<std::string>& more = {});
  ~XDesktop();

  const std::string& display() const { return display_; }  // ":7"
  xcb_connection_t* connection() const { return connection_; }
  xcb_screen_t* screen() const { return screen_; }

  // A titled window, above the others when it is there. No window manager: it stays where it is.
  xcb_window_t open_window(const std::string& title, const sail::Rect& place);
  void draw(xcb_drawable_t drawable, const sail::Rect& rect, const Colours& colours);
  void resize(xcb_window_t window, sail::Size size);
  void close_window(xcb_window_t window);
  // Resizes the whole screen by RandR, to at most what it began with.
  void resize_screen(sail::Size size);
  // A square of one colour, its middle pointing, for all windows that have none of their own.
  void set_cursor(int side, uint32_t colour);
  void move_pointer(int x, int y);
  // Everything asked for has been done by the server.
  void settle();
  // The next event of those windows; nothing when none has come.
  std::unique_ptr<xcb_generic_event_t, void (*)(void*)> next_event();

 private:
  std::string display_;
  std::optional<ChildProgram> server_;
  xcb_connection_t* connection_ = nullptr;
  xcb_screen_t* screen_ = nullptr;
};

}  // namespace test
