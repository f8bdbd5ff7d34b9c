#include "receiver/intake/ready_frames.h"

#include <algorithm>
#include <utility>

namespace receiver {

sail::DropCause ReadyFrames::cause_for(const Frame& frame) const {
  return frame.key().epoch < epoch_ ? sail::DropCause::kOldEpoch : sail::DropCause::kSuperseded;
}

ReadyFrames::Added ReadyFrames::add(std::unique_ptr<Frame> frame) {
  Added added;
  const FrameKey key = frame->key();
  if (key == gone_ && !gone_is_here_) {
    gone_is_here_ = true;
    added.ready = true;
    added.due = std::move(frame);
    return added;
  }
  // A connection that replaced another may resend a frame.
  const auto place =
      std::lower_bound(waiting_.begin(), waiting_.end(), key,
                       [](const auto& waiting, const FrameKey& k) { return waiting->key() < k; });
  const bool again = place != waiting_.end() && (*place)->key() == key;
  if (!of_use(key) || again) {
    const sail::DropCause cause = cause_for(*frame);
    added.dropped = {std::move(frame), cause};
    return added;
  }
  waiting_.insert(place, std::move(frame));
  added.ready = true;
  return added;
}

std::unique_ptr<Frame> ReadyFrames::show(const FrameKey& key, std::vector<DroppedFrame>& dropped) {
  if (key <= gone_ || key.epoch < former_) return nullptr;
  gone_ = key;
  gone_is_here_ = false;
  drop_useless(dropped);
  if (waiting_.empty() || waiting_.front()->key() != key) return nullptr;
  gone_is_here_ = true;
  std::unique_ptr<Frame> due = std::move(waiting_.front());
  waiting_.pop_front();
  return due;
}

void ReadyFrames::drop(const FrameKey& key, std::vector<DroppedFrame>& dropped) {
  if (key <= gone_ || key.epoch < former_) return;
  if (auto frame = show(key, dropped)) {
    dropped.push_back({std::move(frame), sail::DropCause::kSuperseded});
  }
  gone_is_here_ = true;
}

void ReadyFrames::leave_out(const FrameKey& key, std::vector<DroppedFrame>& dropped) {
  left_out_ = key;
  drop_useless(dropped);
}

void ReadyFrames::begin_epoch(uint64_t epoch, std::vector<DroppedFrame>& dropped) {
  if (epoch == epoch_) return;
  // An epoch of 0 means that nothing was shown here yet; there is no previous layout.
  former_ = epoch_ == 0 ? epoch : std::min(epoch, epoch_);
  epoch_ = epoch;
  drop_useless(dropped);
}

void ReadyFrames::end_former_epoch(std::vector<DroppedFrame>& dropped) {
  if (std::exchange(former_, epoch_) != epoch_) drop_useless(dropped);
}

void ReadyFrames::drop_all(std::vector<DroppedFrame>& dropped) {
  for (std::unique_ptr<Frame>& frame : waiting_) {
    dropped.push_back({std::move(frame), sail::DropCause::kHidden});
  }
  waiting_.clear();
}

void ReadyFrames::drop_useless(std::vector<DroppedFrame>& dropped) {
  std::erase_if(waiting_, [&](std::unique_ptr<Frame>& frame) {
    if (of_use(frame->key())) return false;
    const sail::DropCause cause = cause_for(*frame);
    dropped.push_back({std::move(frame), cause});
    return true;
  });
}

}  // namespace receiver
