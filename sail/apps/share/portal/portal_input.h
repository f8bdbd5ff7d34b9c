// Injects pointer and keyboard input into a Wayland session, as far as its portal allows. Held
// buttons and keys are released on destruction. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "sail/apps/desktop/wall_input.h"
#include "sail/apps/share/portal/share_portal.h"
#include "sail/core/base/geometry.h"

namespace sail {

class PortalInput {
 public:
  // The portal must outlive this object. picture: size of the whole shared picture, in pixels.
  PortalInput(SharePortal& portal, Size picture);
  ~PortalInput() { release_all(); }
  PortalInput(const PortalInput&) = delete;
  PortalInput& operator=(const PortalInput&) = delete;

  // Sets the picture's pixel that appears at (0, 0) of the wall's window.
  void aim_at(int left, int top);
  // Interface required by bring_to().
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
  std::set<int> buttons_;                    // held, as Linux button codes
  std::map<std::string, uint32_t> pressed_;  // held keys, by name
  WheelNotches wheel_right_;
  WheelNotches wheel_down_;
};

}  // namespace sail
