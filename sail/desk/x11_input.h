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

  // (x, y) are the window's pixels.
  void move_to(xcb_window_t window, int x, int y);
  // 0 left, 1 middle, 2 right, 3 and 4 those at the side.
  void press_button(int button, bool down);
  // Notches to the right and downwards; what is less than a notch is kept for the next time.
  void turn_wheel(double right, double down);
  // DOM's KeyboardEvent.key. False: this keyboard has no such key, and none can be given it.
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
  std::vector<uint32_t> keysyms_;  // of all keycodes, keysyms_each_ a code
  int keysyms_each_ = 0;
  xcb_keycode_t lent_key_ = 0;
  std::set<uint8_t> buttons_;                     // held, as X11 counts them
  std::map<std::string, xcb_keycode_t> pressed_;  // keys held, by name
  WheelNotches wheel_right_;
  WheelNotches wheel_down_;
};

}  // namespace sail
