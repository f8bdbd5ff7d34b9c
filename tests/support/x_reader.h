// A program of X11 into which text is typed: it reads keys as toolkits do, by the mapping of the
// instant at which it comes to an event, and answers the window manager's pings. One thread.
#pragma once

#include <string>
#include <vector>

#include "tests/support/x_desktop.h"

namespace test {

class XReader {
 public:
  // The window gets the keyboard's focus.
  XReader(XDesktop& desktop, xcb_window_t window);

  // Takes the oldest event that has come.
  void step();
  // In UTF-8; "<Control+x>" with Control, "<ff0d>" for a key that types nothing.
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
