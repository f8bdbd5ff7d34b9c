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
  if (key == newest_due_ && !newest_due_arrived_) {
    newest_due_arrived_ = true;
    added.ready = true;
    added.due = std::move(frame);
    return added;
  }
  // A connection that replaced another may resend a frame.
  const auto place =
      std::lower_bound(waiting_.begin(), waiting_.end(), key,
                       [](const auto& waiting, const FrameKey& k) { return waiting->key() < k; });
  const bool again = place != waiting_.end() && (*place)->key() == key;
  if (!is_current(key) || again) {
    const sail::DropCause cause = cause_for(*frame);
    added.dropped = {std::move(frame), cause};
    return added;
  }
  waiting_.insert(place, std::move(frame));
  added.ready = true;
  return added;
}

std::unique_ptr<Frame> ReadyFrames::show(const FrameKey& key, std::vector<DroppedFrame>& dropped) {
  // The frames of the former layout that wait would wait for ever.
  if (key.epoch == epoch_ && std::exchange(behind_, false)) end_former_epoch(dropped);
  return take(key, dropped);
}

std::unique_ptr<Frame> ReadyFrames::take(const FrameKey& key, std::vector<DroppedFrame>& dropped) {
  if (key <= newest_due_ || key.epoch < former_) return nullptr;
  newest_due_ = key;
  newest_due_arrived_ = false;
  drop_outdated(dropped);
  if (waiting_.empty() || waiting_.front()->key() != key) return nullptr;
  newest_due_arrived_ = true;
  std::unique_ptr<Frame> due = std::move(waiting_.front());
  waiting_.pop_front();
  return due;
}

void ReadyFrames::drop(const FrameKey& key, std::vector<DroppedFrame>& dropped) {
  // The sender gives up the layout, and shows frames of the former one.
  if (behind_ && key.epoch == epoch_) return skip(key, dropped);
  if (key <= newest_due_ || key.epoch < former_) return;
  if (auto frame = take(key, dropped)) {
    dropped.push_back({std::move(frame), sail::DropCause::kSuperseded});
  }
  newest_due_arrived_ = true;
}

void ReadyFrames::skip(const FrameKey& key, std::vector<DroppedFrame>& dropped) {
  skipped_ = key;
  drop_outdated(dropped);
}

void ReadyFrames::begin_epoch(uint64_t epoch, bool known, std::vector<DroppedFrame>& dropped) {
  behind_ = !known && epoch_ != 0 && epoch_ < epoch;
  if (epoch == epoch_) return;
  // An epoch of 0 means that nothing was shown here yet; there is no previous layout.
  former_ = epoch_ == 0 ? epoch : std::min(epoch, epoch_);
  epoch_ = epoch;
  drop_outdated(dropped);
}

void ReadyFrames::end_former_epoch(std::vector<DroppedFrame>& dropped) {
  if (behind_) return;
  if (std::exchange(former_, epoch_) != epoch_) drop_outdated(dropped);
}

void ReadyFrames::drop_all(std::vector<DroppedFrame>& dropped) {
  for (std::unique_ptr<Frame>& frame : waiting_) {
    dropped.push_back({std::move(frame), sail::DropCause::kHidden});
  }
  waiting_.clear();
}

void ReadyFrames::drop_outdated(std::vector<DroppedFrame>& dropped) {
  std::erase_if(waiting_, [&](std::unique_ptr<Frame>& frame) {
    if (is_current(frame->key())) return false;
    const sail::DropCause cause = cause_for(*frame);
    dropped.push_back({std::move(frame), cause});
    return true;
  });
}

}  // namespace receiver
