#include "sail/core/base/frame_trace.h"

#include <algorithm>

namespace sail {

void FrameTrace::begin(int64_t until_ns) {
  on_.store(false, std::memory_order_relaxed);
  if (!memory_) memory_ = std::make_unique<Ring[]>(lanes_);
  for (size_t lane = 0; lane < lanes_; ++lane) {
    memory_[lane].first = memory_[lane].written.load(std::memory_order_acquire);
  }
  until_ns_.store(until_ns, std::memory_order_relaxed);
  rings_.store(memory_.get(), std::memory_order_release);
  on_.store(true, std::memory_order_relaxed);
}

// Words are stored with release order after `claimed`: a reader that sees a newer word also sees
// the newer `claimed`.
void FrameTrace::write(const TraceStamp& stamp) {
  Ring* rings = rings_.load(std::memory_order_acquire);
  if (rings == nullptr || stamp.lane >= lanes_) return;
  if (stamp.end_ns > until_ns_.load(std::memory_order_relaxed)) {
    on_.store(false, std::memory_order_relaxed);
    return;
  }
  Ring& ring = rings[stamp.lane];
  const uint64_t number = ring.written.load(std::memory_order_relaxed);
  ring.claimed.store(number + 1, std::memory_order_relaxed);
  auto& words = ring.stamps[number % kStamps];
  words[0].store(uint64_t{stamp.stream} << 8 | static_cast<uint64_t>(stamp.stage),
                 std::memory_order_release);
  words[1].store(stamp.frame, std::memory_order_release);
  words[2].store(static_cast<uint64_t>(stamp.begin_ns), std::memory_order_release);
  words[3].store(static_cast<uint64_t>(stamp.end_ns), std::memory_order_release);
  ring.written.store(number + 1, std::memory_order_release);
}

std::vector<TraceStamp> FrameTrace::take() const {
  std::vector<TraceStamp> stamps;
  for (size_t lane = 0; memory_ && lane < lanes_; ++lane) {
    const Ring& ring = memory_[lane];
    const uint64_t end = ring.written.load(std::memory_order_acquire);
    const uint64_t begin = std::max(ring.first, end - std::min<uint64_t>(end, kStamps));
    for (uint64_t number = begin; number < end; ++number) {
      std::array<uint64_t, kWords> words;
      for (size_t i = 0; i < kWords; ++i) {
        words[i] = ring.stamps[number % kStamps][i].load(std::memory_order_acquire);
      }
      if (ring.claimed.load(std::memory_order_relaxed) > number + kStamps) continue;
      stamps.push_back({.stage = static_cast<TraceStage>(words[0] & 0xff),
                        .lane = static_cast<uint32_t>(lane),
                        .stream = static_cast<uint32_t>(words[0] >> 8),
                        .frame = words[1],
                        .begin_ns = static_cast<int64_t>(words[2]),
                        .end_ns = static_cast<int64_t>(words[3])});
    }
  }
  return stamps;
}

}  // namespace sail
