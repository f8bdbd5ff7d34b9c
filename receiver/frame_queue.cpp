#include "receiver/frame_queue.h"

#include <algorithm>
#include <utility>

namespace receiver {

sail::DropCause FrameQueue::cause_for(const Frame& frame) const {
  return frame.key().epoch < gone_.epoch ? sail::DropCause::kOldEpoch
                                         : sail::DropCause::kSuperseded;
}

FrameQueue::Added FrameQueue::add(std::unique_ptr<Frame> frame) {
  Added added;
  const FrameKey key = frame->key();
  if (key == gone_ && !gone_is_here_) {
    gone_is_here_ = true;
    added.ready = true;
    added.due = std::move(frame);
    return added;
  }
  // A connection that took the place of another may bring a frame again.
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

std::unique_ptr<Frame> FrameQueue::go(const FrameKey& key, std::vector<DroppedFrame>& dropped) {
  if (key <= gone_) return nullptr;
  gone_ = key;
  drop_older(dropped);
  gone_is_here_ = !waiting_.empty() && waiting_.front()->key() == key;
  if (!gone_is_here_) return nullptr;
  std::unique_ptr<Frame> due = std::move(waiting_.front());
  waiting_.pop_front();
  return due;
}

void FrameQueue::begin_epoch(uint64_t epoch, std::vector<DroppedFrame>& dropped) {
  if (epoch <= gone_.epoch) return;
  gone_ = {epoch, 0};
  gone_is_here_ = true;
  drop_older(dropped);
}

void FrameQueue::drop_all(std::vector<DroppedFrame>& dropped) {
  for (std::unique_ptr<Frame>& frame : waiting_) {
    dropped.push_back({std::move(frame), sail::DropCause::kHidden});
  }
  waiting_.clear();
}

void FrameQueue::drop_older(std::vector<DroppedFrame>& dropped) {
  while (!waiting_.empty() && waiting_.front()->key() < gone_) {
    const sail::DropCause cause = cause_for(*waiting_.front());
    dropped.push_back({std::move(waiting_.front()), cause});
    waiting_.pop_front();
  }
}

}  // namespace receiver
