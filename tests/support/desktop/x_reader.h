// An X11 client that records typed text. Reads keys as toolkits do, with the key mapping at the
// time it handles an event, and answers the window manager's pings. Single-threaded.
#pragma once

#include <string>
#include <vector>

#include "tests/support/desktop/x_desktop.h"

namespace test {

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
