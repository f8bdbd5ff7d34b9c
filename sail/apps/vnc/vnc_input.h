// Injects pointer and keyboard input into a remote desktop by VNC. One thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "sail/apps/desktop/wall_input.h"
#include "sail/apps/vnc/vnc_desktop.h"

namespace sail {

class VncInput {
 public:
  // The desktop must outlive this object.
  explicit VncInput(VncDesktop& desktop) : desktop_(desktop) {}

  // Interface required by bring_to().
  void move_to(int x, int y);
  void press_button(int button, bool down);
  void turn_wheel(double right, double down);
  bool press_key(const std::string& key, bool down);
  void release_all();

 private:
  void click(unsigned button, int times);

  VncDesktop& desktop_;
  int x_ = 0;
  int y_ = 0;
  uint8_t buttons_ = 0;      // RFB mask of held buttons
  std::set<uint32_t> keys_;  // held keysyms
  bool caps_lock_ = false;   // toggled by users at the wall, as far as known
  WheelNotches wheel_right_;
  WheelNotches wheel_down_;
};

}  // namespace sail
