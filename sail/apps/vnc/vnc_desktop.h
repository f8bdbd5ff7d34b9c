// A remote desktop, received from a VNC server (RFC 6143) by libvncclient. One thread, which blocks
// in the middle of a message, for at most kStallS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

struct VncAddress {
  std::string host;
  int port = 0;

  bool operator==(const VncAddress&) const = default;
};
// Parses "HOST", "HOST:DISPLAY" (up to 99, ports from 5900), "HOST:PORT" or "HOST::PORT"; IPv6
// addresses in brackets.
std::optional<VncAddress> parse_vnc_address(const std::string& text);
std::string vnc_address_text(const VncAddress& address);

class VncDesktop {
 public:
  static constexpr int kStallS = 5;
  static constexpr int kMostSide = 16384;
  static constexpr int64_t kMostPixels = int64_t{1} << 26;

  // kUnavailable: no answer; kUnauthorized: wrong password, or other credentials are required;
  // kLimit: the desktop is too large; kBadData: not an RFB server.
  static Result<std::unique_ptr<VncDesktop>> connect(const VncAddress& at,
                                                     const std::string& password);
  ~VncDesktop();
  VncDesktop(const VncDesktop&) = delete;
  VncDesktop& operator=(const VncDesktop&) = delete;

  // Desktop name given by the server.
  std::string name() const;
  Size size() const;
  // B, G, R, unused; rows without padding. Valid until attend().
  const uint8_t* pixels() const;

  // Processes messages, waiting at most wait_ms for the first. Returns true if the picture or its
  // size has changed. Errors are those of connect(); after an error the connection is lost.
  Result<bool> attend(int wait_ms);

  // (x, y): pixels of the picture. buttons: RFB button mask, the first button is bit 0.
  void point(int x, int y, uint8_t buttons);
  void press(uint32_t keysym, bool down);

 private:
  struct Impl;
  explicit VncDesktop(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
