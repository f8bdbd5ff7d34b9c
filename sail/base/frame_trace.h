// When each frame was where in this process: stamps, kept while somebody traces (`vitrail trace`).
//
// A ring of them a lane; a lane is written by one thread at a time. Nobody waits for anybody: who
// writes overwrites the oldest, who reads leaves out what was overwritten meanwhile. While nobody
// traces, a stamp costs one relaxed load.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sail {

enum class TraceStage : uint8_t {
  kSubmit,    // the application's call
  kEncode,    // on one thread
  kSend,      // to one receiver: from its first byte to its last
  kPackets,   // a receiver takes it in
  kAssemble,  // it is whole, until it is ready: decoded, and not before its instant
  kDecode,    // before it is ready, of codecs that need it
  kShow,      // from the sender's word to the swap
  kPaint,     // with its decoding, of other codecs
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
  static constexpr size_t kStamps = 4096;  // of a lane

  explicit FrameTrace(size_t lanes) : lanes_(lanes) {}
  FrameTrace(const FrameTrace&) = delete;
  FrameTrace& operator=(const FrameTrace&) = delete;

  // One thread, the owner's: forgets what is there, and keeps what ends until then (steady time).
  // Memory is taken the first time.
  void begin(int64_t until_ns);
  // The same thread. What is there, a lane after the other, each oldest first.
  std::vector<TraceStamp> take() const;

  // Any thread. Whether stamps are worth taking.
  bool on() const { return on_.load(std::memory_order_relaxed); }
  // The lane's thread. Steady time; nothing happens unless it is on.
  void add(const TraceStamp& stamp) {
    if (on()) write(stamp);
  }

 private:
  static constexpr size_t kWords = 4;  // of a stamp
  struct Ring {
    std::atomic<uint64_t> claimed{0};  // stamps whose writing has begun
    std::atomic<uint64_t> written{0};
    uint64_t first = 0;  // the reader's: older ones are of another trace
    std::array<std::array<std::atomic<uint64_t>, kWords>, kStamps> stamps{};
  };
  void write(const TraceStamp& stamp);

  const size_t lanes_;
  std::atomic<bool> on_{false};
  std::atomic<int64_t> until_ns_{0};
  std::atomic<Ring*> rings_{nullptr};  // of memory_
  std::unique_ptr<Ring[]> memory_;
};

}  // namespace sail
