// What a compositor gives to a Wayland session's portal (org.freedesktop.impl.portal.ScreenCast and
// RemoteDesktop): the answers of people, and a node of PipeWire with known pixels. Its own thread
// is PipeWire's.
#pragma once

#include <memory>
#include <string>

#include "sail/base/geometry.h"
#include "tests/support/reference_wall.h"

namespace test {

class DrawnScreen {
 public:
  // Its name on the bus.
  static constexpr const char* kBusName = "org.freedesktop.impl.portal.desktop.vitrail";

  // Returns when it can be asked for. bus: a D-Bus, as addresses are written; folder: with
  // PipeWire's socket.
  DrawnScreen(const std::string& bus, const std::string& folder, sail::Size size);
  ~DrawnScreen();
  DrawnScreen(const DrawnScreen&) = delete;
  DrawnScreen& operator=(const DrawnScreen&) = delete;

  void draw(const Colours& colours);
  // That all that was drawn is on its way.
  bool sent() const;
  void resize(sail::Size size);
  // Pictures are that part of what is drawn from now on.
  void crop(const sail::Rect& part);
  // Pictures begin so many bytes later than they do, so the last ones are not there.
  void lie_about_its_bytes(int missing);
  // So often, whoever looks at it next begins too late for the picture that it begins with.
  void lose_its_first(int times = 1);
  // What people say when they are asked what to share.
  void refuse(bool on);
  int times_asked() const;
  // Whether the pointer was wanted in the pictures.
  bool has_pointer() const;
  // Where its pointer moves, which is else as large as its pictures.
  void set_pointer_area(sail::Size area);
  // What people let others move: 1 keyboard, 2 pointer; else both.
  void give_devices(uint32_t devices);
  // What was moved and pressed since it was asked last, one a line: "move X Y", "button N 0|1",
  // "wheel AXIS STEPS", "key SYMBOL 0|1".
  std::string take_input();
  // They end what is shared.
  void end();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace test
