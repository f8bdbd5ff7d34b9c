// Injects pointer and keyboard input into an X11 desktop by XTest. Held buttons and keys are
// released on destruction. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "sail/apps/desktop/wall_input.h"
#include "sail/apps/share/x11/x11_connection.h"
#include "sail/apps/share/x11/x11_keyboard.h"

namespace sail {

class X11Input {
 public:
  // display: as for X11Connection::open(). Also returns kUnavailable if the server has no XTest.
  static Result<std::unique_ptr<X11Input>> open(const std::string& display);
  ~X11Input();
  X11Input(const X11Input&) = delete;
  X11Input& operator=(const X11Input&) = delete;

  // Sets the window's pixel that appears at (0, 0) of the wall's window.
  void aim_at(xcb_window_t window, int left, int top);
  // Interface required by bring_to().
  void move_to(int x, int y);
  void press_button(int button, bool down);
  void turn_wheel(double right, double down);
  bool press_key(const std::string& key, bool down);
  void release_all();

 private:
  explicit X11Input(std::unique_ptr<X11Connection> x11);
  void fake(uint8_t type, uint8_t detail);
  void click(uint8_t button, int times);
  void hear();
  X11Keyboard::Key key_for(uint32_t keysym, unsigned group);
  // Presses a key so that it produces this character, regardless of held and locked modifiers.
  void press_character(uint32_t keysym, const X11Keyboard::Key& key, unsigned state);
  void let_go(const std::string& key);

  const std::unique_ptr<X11Connection> x11_;  // separate connection: consumes all events
  std::unique_ptr<X11Keyboard> keyboard_;
  xcb_window_t window_ = XCB_NONE;
  int left_ = 0;
  int top_ = 0;
  std::set<uint8_t> buttons_;                     // held, as X11 button numbers
  std::map<std::string, xcb_keycode_t> pressed_;  // held keys, by name
  WheelNotches wheel_right_;
  WheelNotches wheel_down_;
};

}  // namespace sail
