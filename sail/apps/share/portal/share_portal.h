// Asks the portal of a Wayland session (org.freedesktop.portal.ScreenCast and RemoteDesktop) for
// pictures and input control; the user decides. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

class SharePortal {
 public:
  struct Wishes {
    bool cursor = true;  // include the cursor in the pictures
    bool input = false;  // request pointer and keyboard control
    std::string token;   // token of an earlier choice, to avoid asking; empty: ask the user
  };
  // Returns when the user has chosen or stopped() returns true. kUnavailable: no portal, or it
  // shares nothing; kUnauthorized: the user refused.
  static Result<std::unique_ptr<SharePortal>> ask(const Wishes& wishes,
                                                  const std::function<bool()>& stopped);
  ~SharePortal();
  SharePortal(const SharePortal&) = delete;
  SharePortal& operator=(const SharePortal&) = delete;

  // The PipeWire node with the pictures, and a new PipeWire connection to access it (a descriptor
  // owned by the caller).
  uint32_t node() const;
  Result<int> connect();
  // Token for the next time, valid once; empty: the user must be asked again.
  const std::string& token() const;

  // Returns true if input was granted: some portals do not support it, and users may refuse. Input
  // that the session does not accept is lost.
  bool takes_input() const;
  // Size of the coordinate space of move_pointer(); empty: pixels of the first picture.
  Size pointer_area() const;
  void move_pointer(double x, double y);
  // Linux button codes (BTN_LEFT …).
  void press_button(int button, bool down);
  enum class Axis : uint8_t { kVertical, kHorizontal };
  // Positive is down or right; not 0.
  void turn_wheel(Axis axis, int notches);
  void press_key(uint32_t keysym, bool down);

  // Processes events. Returns false if the user or the desktop has ended the session.
  bool pump();

 private:
  struct Impl;
  explicit SharePortal(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
