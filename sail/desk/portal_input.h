// Moves the pointer of a Wayland session and presses its buttons and keys, as far as its portal
// lets it. What is pressed is let go at the latest when this goes. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "sail/base/geometry.h"
#include "sail/desk/share_portal.h"
#include "sail/desk/wheel_notches.h"

namespace sail {

class PortalInput {
 public:
  // The portal outlives it. picture: all of what it shares, in pixels.
  PortalInput(SharePortal& portal, Size picture);
  ~PortalInput() { release_all(); }
  PortalInput(const PortalInput&) = delete;
  PortalInput& operator=(const PortalInput&) = delete;

  // The pixel of it that people at the wall see at (0, 0).
  void aim_at(int left, int top);
  // As bring_to() wants them.
  void move_to(int x, int y);
  void press_button(int button, bool down);
  void turn_wheel(double right, double down);
  bool press_key(const std::string& key, bool down);
  void release_all();

 private:
  void let_go(const std::string& key);

  SharePortal& portal_;
  double scale_x_ = 1;
  double scale_y_ = 1;
  int left_ = 0;
  int top_ = 0;
  std::set<int> buttons_;                    // held, as the portal counts them
  std::map<std::string, uint32_t> pressed_;  // keys held, by name
  WheelNotches wheel_right_;
  WheelNotches wheel_down_;
};

}  // namespace sail
