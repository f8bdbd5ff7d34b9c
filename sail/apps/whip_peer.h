// Who sends by WebRTC: GStreamer's webrtcbin answers its offer, and gives what comes as it was
// encoded. GStreamer lives in this file and nowhere else of this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/base/result.h"
#include "sail/wire/guest.h"

namespace sail {

class WhipPeer {
 public:
  // On threads of GStreamer's.
  struct Handlers {
    // Once: the answer to the offer, or why there is none.
    std::function<void(Result<std::string> sdp)> on_answer;
    std::function<void(const GuestVideo& video, bool key, std::span<const uint8_t> bytes)> on_chunk;
    // A packet of Opus.
    std::function<void(int64_t timestamp_us, std::span<const uint8_t> bytes)> on_sound;
    // It has ended, or nothing is heard of it any more.
    std::function<void()> on_left;
  };
  // address: that it is to send to; empty: any of this machine but its loopback. kInvalidParams: no
  // offer of video. kUnavailable: GStreamer lacks something.
  static Result<std::unique_ptr<WhipPeer>> start(const std::string& offer,
                                                 const std::string& address, Handlers handlers);
  // Nobody is called back any more.
  ~WhipPeer();
  WhipPeer(const WhipPeer&) = delete;
  WhipPeer& operator=(const WhipPeer&) = delete;

  // Any thread.
  void ask_for_key_frame();

 private:
  struct Impl;
  explicit WhipPeer(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace sail
