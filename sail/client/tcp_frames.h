// Frames on the connection of their stream: the system queues and paces, nothing is lost.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sail/base/wall_clock.h"
#include "sail/client/frame_carrier.h"
#include "sail/client/frame_messages.h"
#include "sail/net/tcp.h"
#include "sail/wire/limits.h"

namespace sail {

// The bytes being written belong to this object and its frames: see gone().
class TcpFrames final : public FrameCarrier {
 public:
  // clock outlives this. on_released: a frame was let go of; this may be destroyed in it when it is
  // gone().
  TcpFrames(uint32_t stream, const WallClock& clock, std::function<void()> on_released);

  Result<void> start(TcpConnection& tcp, const StreamAccept& accept,
                     int64_t round_trip_ns) override;
  void stop() override;
  bool gone() const override;
  bool sending() const override { return sending_ != nullptr; }
  bool takes_frame() const override;
  bool held_back() const override { return false; }  // only the system knows
  void begin(OutgoingFrame outgoing) override;
  size_t pump() override;
  void say(std::span<const uint8_t> /*message*/) override {}
  void reported(const FrameReport& report) override;
  bool answered() const override { return true; }
  std::optional<std::string> stuck(int64_t now_ns) override;
  std::optional<Way> way() const override { return std::nullopt; }
  LinkStats stats(int64_t now_ns) override;

 private:
  // One frame on its way. It stays in place until the last write has come back.
  struct Sending {
    FrameMessages messages;  // empty: free
    size_t parts_written = 0;
    int writes_under_way = 0;
  };
  // Something of the frame has left, or nothing more of it will: lets go of it when that was all.
  void written(Sending& sending);

  const uint32_t stream_;
  const WallClock& clock_;
  const std::function<void()> on_released_;

  TcpConnection* tcp_ = nullptr;
  std::array<Sending, kMaxFramesInFlight> sendings_;
  Sending* sending_ = nullptr;
  HeldBlocks held_;
  uint64_t base_ = 0;  // the frame begun last, on which the next can build; 0: none

  // For stuck(), steady ns.
  size_t written_bytes_ = 0;  // on this connection
  size_t drained_bytes_ = 0;
  int64_t drained_at_ns_ = 0;

  uint64_t bytes_sent_ = 0;  // since the start
  uint64_t bytes_at_last_stats_ = 0;
  uint64_t retransmitted_before_ = 0;  // on connections that are over
  int64_t busy_us_ = 0;                // of this connection, at the last stats()
  int64_t last_stats_ns_;
};

}  // namespace sail
