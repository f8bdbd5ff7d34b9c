#include "ui/bridge/waiting_frames.h"

#include <algorithm>
#include <utility>

namespace ui {

bool WaitingFrames::add(const sail_encoded_frame& frame, const FrameTimes& times, int64_t now_ns) {
  // Near wall's time may be set back.
  const int64_t apart_ns =
      std::clamp<int64_t>((times.submitted_ns - submitted_ns_) / 6 * 5, 0, kMostApartNs);
  submitted_ns_ = times.submitted_ns;
  if (frames_.empty() && now_ns >= passed_ns_ + apart_ns) {
    passed_ns_ = now_ns;
    return false;
  }
  Waiting& waiting = frames_.emplace_back(std::exchange(taken_, {}));
  waiting.bytes.assign(frame.bytes, frame.bytes + frame.byte_count);
  waiting.lengths.assign(frame.lengths, frame.lengths + frame.block_count);
  waiting.frame = frame;
  waiting.frame.bytes = waiting.bytes.data();
  waiting.frame.lengths = waiting.lengths.data();
  waiting.times = times;
  waiting.apart_ns = apart_ns;
  bytes_ += waiting.bytes.size();
  return true;
}

const WaitingFrames::Waiting* WaitingFrames::take(int64_t now_ns) {
  if (now_ns < next_ns()) return nullptr;
  taken_ = std::move(frames_.front());
  frames_.pop_front();
  bytes_ -= taken_.bytes.size();
  passed_ns_ = now_ns;
  return &taken_;
}

int64_t WaitingFrames::next_ns() const {
  if (frames_.empty()) return kNever;
  return full() ? passed_ns_ : passed_ns_ + frames_.front().apart_ns;
}

size_t WaitingFrames::clear() {
  bytes_ = 0;
  return std::exchange(frames_, {}).size();
}

}  // namespace ui
