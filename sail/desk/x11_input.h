// Moves a desktop's pointer and presses its buttons and keys, by XTest. What is pressed is let go
// at the latest when this goes. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sail/desk/wheel_notches.h"
#include "sail/desk/x11_connection.h"

namespace sail {

class X11Input {
 public:
  // x11, which has XTest, outlives it.
  explicit X11Input(X11Connection& x11);
  ~X11Input();
  X11Input(const X11Input&) = delete;
  X11Input& operator=(const X11Input&) = delete;

  // The pixel of the window that people at the wall see at (0, 0).
  void aim_at(xcb_window_t window, int left, int top);
  // As bring_to() wants them.
  void move_to(int x, int y);
  void press_button(int button, bool down);
  void turn_wheel(double right, double down);
  bool press_key(const std::string& key, bool down);
  void release_all();

 private:
  struct MappedKey {
    xcb_keycode_t code = 0;
    bool shifted = false;
  };
  void fake(uint8_t type, uint8_t detail);
  void click(uint8_t button, int times);
  void read_keyboard();
  MappedKey find_key(uint32_t keysym) const;
  // Gives the symbol a key that has none, as other languages' letters need it.
  MappedKey lend_key(uint32_t keysym);
  bool shift_held() const;

  X11Connection& x11_;
  xcb_window_t window_ = XCB_NONE;
  int left_ = 0;
  int top_ = 0;
  std::vector<uint32_t> keysyms_;  // of all keycodes, keysyms_each_ a code
  int keysyms_each_ = 0;
  xcb_keycode_t lent_key_ = 0;
  std::set<uint8_t> buttons_;                     // held, as X11 counts them
  std::map<std::string, xcb_keycode_t> pressed_;  // keys held, by name
  WheelNotches wheel_right_;
  WheelNotches wheel_down_;
};

}  // namespace sail
