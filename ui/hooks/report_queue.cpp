#include "ui/hooks/report_queue.h"

#include <algorithm>
#include <utility>

namespace ui {

void ReportQueue::add(WallReport report) {
  if (state_.disabled) {
    ++state_.dropped;
    return;
  }
  waiting_.push_back(std::move(report));
  if (waiting_.size() > kMostWaiting) {
    waiting_.erase(waiting_.begin() + (sending_ ? 1 : 0));
    ++state_.dropped;
    if (!sending_) attempts_ = 0;
  }
  state_.waiting = static_cast<int64_t>(waiting_.size());
}

const WallReport* ReportQueue::begin(int64_t now_ms) {
  if (pause_ms(now_ms) != 0) return nullptr;
  sending_ = true;
  ++attempts_;
  return &waiting_.front();
}

void ReportQueue::take_front() {
  waiting_.pop_front();
  attempts_ = 0;
  state_.waiting = static_cast<int64_t>(waiting_.size());
}

void ReportQueue::delivered() {
  sending_ = false;
  take_front();
  ++state_.delivered;
  state_.retries = 0;
  state_.error.clear();
}

void ReportQueue::failed(const std::string& why, int64_t now_ms) {
  sending_ = false;
  ++state_.retries;
  state_.error = why;
  due_ms_ = now_ms + (kFirstPauseMs << std::min(attempts_ - 1, kMostAttempts - 2));
  if (attempts_ < kMostAttempts) return;
  take_front();
  ++state_.failed;
}

void ReportQueue::refused(const std::string& why) {
  sending_ = false;
  attempts_ = 0;
  state_.disabled = true;
  state_.error = why;
  state_.dropped += state_.waiting;
  state_.waiting = 0;
  waiting_.clear();
}

void ReportQueue::enable() {
  state_.disabled = false;
  state_.retries = 0;
  state_.error.clear();
  due_ms_ = 0;
}

int64_t ReportQueue::pause_ms(int64_t now_ms) const {
  if (sending_ || waiting_.empty()) return -1;
  return std::max<int64_t>(0, due_ms_ - now_ms);
}

}  // namespace ui
