// Sends frames over the stream's TCP connection. The kernel queues and paces; nothing is lost.
//
// If the receiver is on this host and the frames lie in shared memory, the receiver gets this
// memory once (memory_handover.h), and then only the places of blocks. Each frame is kept until the
// receiver has reported it. Where that fails, blocks go over the connection, and stats() say why.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/client/transport/frame_messages.h"
#include "sail/client/transport/frame_transport.h"
#include "sail/core/base/log.h"
#include "sail/core/socket/memory_handover.h"
#include "sail/core/socket/reconnect.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/wall_clock.h"

namespace sail {

// Pending writes refer to memory of this object and its frames: see released().
class TcpFrames final : public FrameTransport {
 public:
  // clock must outlive this object. on_released is called when a frame's memory is released. The
  // callback may destroy this object when released() is true.
  TcpFrames(uint32_t stream, const WallClock& clock, const Log& log,
            std::function<void()> on_released);

  Result<void> start(TcpConnection& tcp, const StreamAccept& accept,
                     int64_t round_trip_ns) override;
  void stop() override;
  bool released() const override;
  bool sending() const override { return sending_ != nullptr; }
  bool takes_frame() const override;
  bool held_back() const override { return false; }  // unknown to this process
  void begin(OutgoingFrame outgoing) override;
  size_t pump() override;
  void repeat_message(std::span<const uint8_t> /*message*/) override {}
  void reported(const FrameReport& report) override;
  void memory_answered(const MemoryState& state) override;
  bool answered() const override { return true; }
  std::optional<std::string> stuck(int64_t now_ns) override;
  std::optional<PathDelays> path_delays() const override { return std::nullopt; }
  LinkStats stats(int64_t now_ns) override;

 private:
  // A frame being sent. Must not move until its last write has completed.
  struct Sending {
    FrameMessages messages;  // empty: free
    size_t parts_written = 0;
    int writes_under_way = 0;
    FrameName name;
    bool unreported = false;  // the receiver may still read the frame in shared memory
  };
  // Releases the frame if it is not being sent any more and no write is pending.
  void written(Sending& sending);
  // As written(), without calling on_released.
  bool release_if_done(Sending& sending);
  // Asks for memory, and hands it over to the receiver with the first frame that lies in memory.
  void offer_memory(const EncodedFrame& frame);
  void miss_memory(const std::string& why);
  void end_demand();

  const uint32_t stream_;
  const WallClock& clock_;
  const Log& log_;
  const std::function<void()> on_released_;

  TcpConnection* tcp_ = nullptr;
  std::array<Sending, kMaxFramesInFlight> sendings_;
  Sending* sending_ = nullptr;
  HeldBlocks held_;
  // The frame begun last, on which the next one builds; 0: none.
  uint64_t base_ = 0;

  std::optional<MemoryName> memory_name_;  // until memory is offered at it
  std::shared_ptr<MemoryDemand> demand_;   // by this receiver; null: it wants no memory
  const SealedMemory* offered_ = nullptr;  // unanswered
  const SealedMemory* read_there_ = nullptr;
  std::string memory_trouble_;

  StalledWrites writes_;     // on this connection
  uint64_t bytes_sent_ = 0;  // total
  uint64_t bytes_at_last_stats_ = 0;
  uint64_t retransmitted_before_ = 0;  // on earlier connections
  int64_t busy_us_ = 0;                // of this connection, at the last stats()
  int64_t last_stats_ns_;
};

}  // namespace sail
