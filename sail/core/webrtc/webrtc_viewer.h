// A WebRTC viewer, such as a browser: its offer is answered, and it is sent encoded video and
// sound.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace sail {

// An access unit of H.264 (Baseline profile, Annex B; key pictures with their parameter sets), or a
// packet of Opus.
struct MediaUnit {
  std::shared_ptr<const std::vector<uint8_t>> bytes;
  int64_t time_ns = 0;  // video and sound have the same zero
  bool sound = false;
  bool key = false;
};

class WebrtcViewer {
 public:
  // Called on threads of GStreamer; on_key_wanted also inside send().
  struct Handlers {
    // Called once with the answer to the offer, or the error.
    std::function<void(Result<std::string> sdp)> on_answer;
    // The viewer needs a key picture. May be called often.
    std::function<void()> on_key_wanted;
    // The viewer has left, or has timed out.
    std::function<void()> on_left;
  };
  // Returns kUnavailable, with the reason, if viewers cannot be served here.
  static Result<void> check();
  // address: the local address from which media are sent; empty: any address except loopback.
  // sound: there is sound for viewers that offer Opus. Returns kInvalidParams if the offer asks for
  // no H.264 in packetization mode 1.
  static Result<std::unique_ptr<WebrtcViewer>> start(const std::string& offer,
                                                     const std::string& address, bool sound,
                                                     Handlers handlers);
  // After this no handler is called.
  ~WebrtcViewer();
  WebrtcViewer(const WebrtcViewer&) = delete;
  WebrtcViewer& operator=(const WebrtcViewer&) = delete;

  // One thread at a time. Never waits: what does not fit into the viewer's queue is dropped.
  void send(const MediaUnit& unit);
  // Any thread. Steady time of the viewer's last report (RTCP); 0: none yet.
  int64_t heard_ns() const;

 private:
  struct Impl;
  explicit WebrtcViewer(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace sail
