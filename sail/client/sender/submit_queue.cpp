#include "sail/client/sender/submit_queue.h"

#include <algorithm>

#include "sail/core/text/limits.h"

namespace sail {
namespace {

// No rank may be ahead of the others by more frames than the coordinator keeps.
constexpr int64_t kMostPartsAhead = 8;

}  // namespace

SubmitQueue::Entry SubmitQueue::enter(bool wait, int64_t present_ns, int64_t part_name) {
  std::unique_lock lock(mutex_);
  const bool left_out = present_ns != 0 && spacing_ns_ != 0 &&
                        present_ns / spacing_ns_ == last_present_ns_ / spacing_ns_;
  if (present_ns != 0) last_present_ns_ = present_ns;
  if (wait && !left_out) {
    changed_.wait(lock, [this, part_name] {
      const bool ahead = !asked_ && part_name > decided_name_ + kMostPartsAhead * kPartNameNs;
      return !open_ || (status_.frames_in_flight < limit_ && !ahead);
    });
  }
  asked_ = false;
  Entry entry{.number = ++status_.frames_submitted,
              .admitted = open_ && !left_out && status_.frames_in_flight < limit_,
              .wanted = wanted_};
  ++(entry.admitted ? status_.frames_in_flight : status_.frames_dropped);
  return entry;
}

void SubmitQueue::withdraw() {
  const std::lock_guard lock(mutex_);
  --status_.frames_in_flight;
  ++status_.frames_dropped;
}

SubmitQueue::Status SubmitQueue::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void SubmitQueue::set_open(bool open) {
  {
    const std::lock_guard lock(mutex_);
    open_ = open;
  }
  changed_.notify_all();
}

void SubmitQueue::set_limit(int frames) {
  {
    const std::lock_guard lock(mutex_);
    limit_ = static_cast<uint64_t>(frames);
  }
  changed_.notify_all();
}

void SubmitQueue::set_spacing(int64_t spacing_ns) {
  const std::lock_guard lock(mutex_);
  spacing_ns_ = spacing_ns;
}

void SubmitQueue::set_decided(int64_t part_name) {
  {
    const std::lock_guard lock(mutex_);
    decided_name_ = std::max(decided_name_, part_name);
  }
  changed_.notify_all();
}

void SubmitQueue::admit_one_extra() {
  {
    const std::lock_guard lock(mutex_);
    asked_ = true;
  }
  changed_.notify_all();
}

void SubmitQueue::set_window(const Rect& wall_rect, Size picture, bool visible,
                             std::shared_ptr<const WantedBlocks> wanted) {
  const std::lock_guard lock(mutex_);
  wanted_ = std::move(wanted);
  status_.wall_rect = wall_rect;
  status_.picture = picture;
  status_.visible = visible;
}

void SubmitQueue::update(uint64_t decided, uint64_t sent, uint64_t shown, uint64_t bytes_sent) {
  {
    const std::lock_guard lock(mutex_);
    status_.frames_in_flight -= decided;
    status_.frames_dropped += decided - (shown - status_.frames_shown);
    status_.frames_sent = sent;
    status_.frames_shown = shown;
    status_.bytes_sent = bytes_sent;
  }
  if (decided > 0) changed_.notify_all();
}

void SubmitQueue::report_drop_counts(const DropCounts& dropped) {
  const std::lock_guard lock(mutex_);
  status_.dropped = dropped;
}

}  // namespace sail
