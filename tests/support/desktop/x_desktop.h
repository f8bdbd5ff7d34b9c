// An X server in memory (Xvfb) with a client that draws known pixels. Needs no display and does not
// touch a running one. Single-threaded.
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/desktop/child_program.h"
#include "tests/support/reference_wall.h"

namespace test {

class XDesktop {
 public:
  // Returns when the server accepts clients. more: further options of Xvfb.
  explicit XDesktop(sail::Size size, const std::vector<std::string>& more = {});
  ~XDesktop();

  const std::string& display() const { return display_; }  // ":7"
  xcb_connection_t* connection() const { return connection_; }
  xcb_screen_t* screen() const { return screen_; }

  // Opens a titled window above the others. There is no window manager, so it stays where it is.
  xcb_window_t open_window(const std::string& title, const sail::Rect& place);
  void draw(xcb_drawable_t drawable, const sail::Rect& rect, const Colours& colours);
  void resize(xcb_window_t window, sail::Size size);
  void close_window(xcb_window_t window);
  // Resizes the whole screen by RandR, at most to its first size.
  void resize_screen(sail::Size size);
  // Adds a monitor of RandR, without an output, or removes one.
  void set_monitor(const std::string& name, const sail::Rect& place);
  void remove_monitor(const std::string& name);
  // Sets a square cursor of one colour, with its hot spot in the middle, for all windows without a
  // cursor.
  void set_cursor(int side, uint32_t colour);
  void move_pointer(int x, int y);
  // Returns when the server has handled all requests.
  void settle();
  // The next event of the client's windows; null if none has arrived.
  std::unique_ptr<xcb_generic_event_t, void (*)(void*)> next_event();

 private:
  xcb_atom_t atom(const std::string& name);

  std::string display_;
  std::optional<ChildProgram> server_;
  xcb_connection_t* connection_ = nullptr;
  xcb_screen_t* screen_ = nullptr;
};

// An X11 client that records typed text. Reads keys as toolkits do, with the key mapping at the
// time it handles an event, and answers the window manager's pings. Single-threaded.
class XReader {
 public:
  // Gives the keyboard focus to the window.
  XReader(XDesktop& desktop, xcb_window_t window);

  // Handles the oldest pending event.
  void step();
  // UTF-8 text; "<Control+x>" with Control, "<ff0d>" for a key without a character.
  const std::string& text() const { return text_; }

 private:
  xcb_atom_t atom(const std::string& name);
  void read_mapping();
  void answer(xcb_client_message_event_t ping);
  void press(const xcb_key_press_event_t& key);
  uint32_t symbol(const xcb_key_press_event_t& key) const;

  XDesktop& desktop_;
  xcb_atom_t protocols_;
  xcb_atom_t ping_;
  std::vector<uint32_t> symbols_;
  size_t each_ = 0;
  std::string text_;
};

}  // namespace test
