// Jitter buffer: holds the frames of one stream until they may become ready. Pure. The frames in
// flight of the stream's connections bound its size.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>

#include "receiver/frame/frame.h"

namespace receiver {

class JitterBuffer {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  // Adds a frame, ready at ready_ns (steady) but never before a frame that was added earlier.
  void add(std::unique_ptr<Frame> frame, int64_t ready_ns) {
    frames_.push_back({std::move(frame), ready_ns});
  }
  // Returns the first frame if its time has come or its key is at most `key`; else null.
  std::unique_ptr<Frame> take(int64_t now_ns, const FrameKey& key = {}) {
    if (frames_.empty()) return nullptr;
    Held& first = frames_.front();
    if (first.ready_ns > now_ns && first.frame->key() > key) return nullptr;
    std::unique_ptr<Frame> frame = std::move(first.frame);
    frames_.pop_front();
    return frame;
  }
  // Returns the first frame if its epoch is earlier; else null.
  std::unique_ptr<Frame> take_before(uint64_t epoch) {
    if (frames_.empty() || frames_.front().frame->key().epoch >= epoch) return nullptr;
    return take(kNever);
  }
  // Returns when the first frame becomes ready.
  int64_t next_ns() const { return frames_.empty() ? kNever : frames_.front().ready_ns; }

 private:
  struct Held {
    std::unique_ptr<Frame> frame;
    int64_t ready_ns;
  };
  std::deque<Held> frames_;
};

}  // namespace receiver
