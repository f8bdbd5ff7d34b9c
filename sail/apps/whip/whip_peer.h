// A WebRTC sender: its offer is answered, and its encoded video and sound are delivered.
// Only this file of the folder uses GStreamer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/core/base/result.h"
#include "sail/core/wire/guest.h"

namespace sail {

class WhipPeer {
 public:
  // Called on threads of GStreamer.
  struct Handlers {
    // Called once with the answer to the offer, or the error.
    std::function<void(Result<std::string> sdp)> on_answer;
    std::function<void(const GuestVideo& video, bool key, std::span<const uint8_t> bytes)> on_chunk;
    // An Opus packet.
    std::function<void(int64_t timestamp_us, std::span<const uint8_t> bytes)> on_sound;
    // The sender has left, or has timed out.
    std::function<void()> on_left;
  };
  // address: the local address to which the sender sends; empty: any address except loopback.
  // Returns kInvalidParams if the offer has no video, kUnavailable if GStreamer lacks an element.
  static Result<std::unique_ptr<WhipPeer>> start(const std::string& offer,
                                                 const std::string& address, Handlers handlers);
  // After this no handler is called.
  ~WhipPeer();
  WhipPeer(const WhipPeer&) = delete;
  WhipPeer& operator=(const WhipPeer&) = delete;

  // Callable from any thread.
  void ask_for_key_frame();

 private:
  struct Impl;
  explicit WhipPeer(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace sail
