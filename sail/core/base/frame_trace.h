// Timestamps of each frame's stages in this process, recorded while a trace runs (`vitrail trace`).
//
// Each lane has a ring of stamps and is written by one thread at a time. Nothing blocks: the writer
// overwrites the oldest stamps, and the reader skips stamps that were overwritten meanwhile. While
// no trace runs, a stamp costs one relaxed load.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sail {

enum class TraceStage : uint8_t {
  kSubmit,    // the application's submit call
  kEncode,    // on one encoder thread
  kSend,      // to one receiver, from the first byte to the last
  kPackets,   // a receiver receives the frame, from its first data to the last
  kAssemble,  // from completely received to ready: decoded, and its presentation time near
  kDecode,    // for codecs that decode before the frame is ready
  kShow,      // from the sender's show message to the swap
  kPaint,     // includes the decoding of codecs that have no kDecode stage
  kSwap,
};
constexpr size_t kTraceStages = 9;

struct TraceStamp {
  TraceStage stage{};
  uint32_t lane = 0;
  uint32_t stream = 0;
  uint64_t frame = 0;
  int64_t begin_ns = 0;
  int64_t end_ns = 0;

  bool operator==(const TraceStamp&) const = default;
};

class FrameTrace {
 public:
  static constexpr size_t kStamps = 4096;  // per lane

  explicit FrameTrace(size_t lanes) : lanes_(lanes) {}
  FrameTrace(const FrameTrace&) = delete;
  FrameTrace& operator=(const FrameTrace&) = delete;

  // Owner's thread. Discards all stamps and records those that end up to until_ns (steady time).
  // The first call allocates the memory.
  void begin(int64_t until_ns);
  // Owner's thread. Returns the recorded stamps lane by lane, oldest first.
  std::vector<TraceStamp> take() const;

  // Any thread. Whether a trace runs.
  bool on() const { return on_.load(std::memory_order_relaxed); }
  // The lane's thread. Times are steady. Does nothing unless a trace runs.
  void add(const TraceStamp& stamp) {
    if (on()) write(stamp);
  }

 private:
  static constexpr size_t kWords = 4;  // per stamp
  struct Ring {
    std::atomic<uint64_t> claimed{0};  // number of stamps begun
    std::atomic<uint64_t> written{0};
    uint64_t first = 0;  // for the reader: older stamps belong to a former trace
    std::array<std::array<std::atomic<uint64_t>, kWords>, kStamps> stamps{};
  };
  void write(const TraceStamp& stamp);

  const size_t lanes_;
  std::atomic<bool> on_{false};
  std::atomic<int64_t> until_ns_{0};
  std::atomic<Ring*> rings_{nullptr};  // points into memory_
  std::unique_ptr<Ring[]> memory_;
};

}  // namespace sail
