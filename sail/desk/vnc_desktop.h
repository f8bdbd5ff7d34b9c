// A desktop elsewhere, as its VNC server shows it (RFC 6143), by libvncclient. One thread, which
// waits for the server when it is in the middle of a message: for kStallS at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace sail {

struct VncAddress {
  std::string host;
  int port = 0;

  bool operator==(const VncAddress&) const = default;
};
// "HOST", "HOST:DISPLAY" (up to 99, from port 5900 on), "HOST:PORT" or "HOST::PORT", an IPv6
// address in brackets.
std::optional<VncAddress> parse_vnc_address(const std::string& text);
std::string vnc_address_text(const VncAddress& address);

class VncDesktop {
 public:
  static constexpr int kStallS = 5;
  static constexpr int kMostSide = 16384;
  static constexpr int64_t kMostPixels = int64_t{1} << 26;

  // kUnavailable: nobody answers there, kUnauthorized: it asks for another password or for more
  // than one, kLimit: its desktop is too large, kBadData: it speaks no RFB.
  static Result<std::unique_ptr<VncDesktop>> connect(const VncAddress& at,
                                                     const std::string& password);
  ~VncDesktop();
  VncDesktop(const VncDesktop&) = delete;
  VncDesktop& operator=(const VncDesktop&) = delete;

  // Its own words for itself.
  std::string name() const;
  Size size() const;
  // B, G, R and one that means nothing; rows without gaps. Good until attend().
  const uint8_t* pixels() const;

  // Takes what the server says, waiting at most so long for it to begin. True: the picture, or its
  // size, has changed. Errors as connect(): the desktop is gone then.
  Result<bool> attend(int wait_ms);

  // (x, y): pixels within the picture. buttons: as RFB counts them, the first is bit 0.
  void point(int x, int y, uint8_t buttons);
  void press(uint32_t keysym, bool down);

 private:
  struct Impl;
  explicit VncDesktop(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
