// What a Wayland session lets be seen of itself, and moved in it: its portal
// (org.freedesktop.portal.ScreenCast and RemoteDesktop) asks the person what that is. sd-bus lives
// in this file and nowhere else. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace sail {

class SharePortal {
 public:
  struct Wishes {
    bool cursor = true;  // is in the pictures
    bool input = false;  // move the pointer and press keys, if that can be had
    std::string token;   // of what was chosen before, so that nobody is asked; empty: they are
  };
  // Returns when the person has chosen, or when stopped() says so. kUnavailable: there is no
  // portal, or it shares nothing; kUnauthorized: the person does not want it.
  static Result<std::unique_ptr<SharePortal>> ask(const Wishes& wishes,
                                                  const std::function<bool()>& stopped);
  ~SharePortal();
  SharePortal(const SharePortal&) = delete;
  SharePortal& operator=(const SharePortal&) = delete;

  // PipeWire's node with the pictures, and a new connection on which it can be seen, the caller's.
  uint32_t node() const;
  Result<int> connect();
  // For the next time; empty: the person shall be asked again. Good once.
  const std::string& token() const;

  // What of the input that was wished for there is: some portals have none, and people may refuse
  // it. What the session does not take is lost.
  bool takes_input() const;
  // That the pointer's places are in; empty: in the pixels of the first picture.
  Size pointer_area() const;
  void move_pointer(double x, double y);
  // As Linux counts them (BTN_LEFT …).
  void press_button(int button, bool down);
  enum class Axis : uint8_t { kVertical, kHorizontal };
  // Down and right are positive; not 0.
  void turn_wheel(Axis axis, int notches);
  void press_key(uint32_t keysym, bool down);

  // False: the person, or the desktop, has ended it.
  bool look();

 private:
  struct Impl;
  explicit SharePortal(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
