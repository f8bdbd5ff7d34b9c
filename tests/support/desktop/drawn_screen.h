// Backend of a Wayland session's portal (org.freedesktop.impl.portal.ScreenCast and RemoteDesktop):
// answers the dialogs in place of a user, and provides a PipeWire node with known pixels. Runs on
// PipeWire's thread.
#pragma once

#include <memory>
#include <string>

#include "sail/core/base/geometry.h"
#include "tests/support/reference_wall.h"

namespace test {

class DrawnScreen {
 public:
  // Name on the D-Bus.
  static constexpr const char* kBusName = "org.freedesktop.impl.portal.desktop.vitrail";

  // Returns when the portal can call it. bus: a D-Bus address; folder: contains PipeWire's socket.
  DrawnScreen(const std::string& bus, const std::string& folder, sail::Size size);
  ~DrawnScreen();
  DrawnScreen(const DrawnScreen&) = delete;
  DrawnScreen& operator=(const DrawnScreen&) = delete;

  void draw(const Colours& colours);
  // True if everything drawn has been sent.
  bool sent() const;
  void resize(sail::Size size);
  // Crops the frames to this part of the screen.
  void crop(const sail::Rect& part);
  // Sets a wrong offset: frames start `missing` bytes too late, so their last bytes are missing.
  void lie_about_its_bytes(int missing);
  // The next `times` consumers connect too late for the first frame.
  void lose_its_first(int times = 1);
  // The user refuses to share.
  void refuse(bool on);
  int times_asked() const;
  // True if the consumer asked for the pointer in the frames.
  bool has_pointer() const;
  // Area of the pointer's coordinates; by default the size of the frames.
  void set_pointer_area(sail::Size area);
  // Devices that the user permits: 1 keyboard, 2 pointer; both by default.
  void give_devices(uint32_t devices);
  // Returns and clears the input received since the last call, one event a line: "move X Y",
  // "button N 0|1", "wheel AXIS STEPS", "key SYMBOL 0|1".
  std::string take_input();
  // The user ends the sharing.
  void end();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace test
