// The frames of one stream that are here before they are to be ready. Pure. At most what the
// stream's connections may have in flight, so it is bounded by them.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>

#include "receiver/frame.h"

namespace receiver {

class FrameHold {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  // In the order in which they become ready: none before the one added before it. Steady time.
  void add(std::unique_ptr<Frame> frame, int64_t ready_ns) {
    frames_.push_back({std::move(frame), ready_ns});
  }
  // The first one, when its time has come, or in any case when it is not newer than the key. Null:
  // there is none.
  std::unique_ptr<Frame> take(int64_t now_ns, const FrameKey& key = {}) {
    if (frames_.empty()) return nullptr;
    Held& first = frames_.front();
    if (first.ready_ns > now_ns && first.frame->key() > key) return nullptr;
    std::unique_ptr<Frame> frame = std::move(first.frame);
    frames_.pop_front();
    return frame;
  }
  // The first one, when it is of an epoch before.
  std::unique_ptr<Frame> take_before(uint64_t epoch) {
    if (frames_.empty() || frames_.front().frame->key().epoch >= epoch) return nullptr;
    return take(kNever);
  }
  // When the first one's time comes.
  int64_t next_ns() const { return frames_.empty() ? kNever : frames_.front().ready_ns; }

 private:
  struct Held {
    std::unique_ptr<Frame> frame;
    int64_t ready_ns;
  };
  std::deque<Held> frames_;
};

}  // namespace receiver
