#include "manager/peers/change_feed.h"

#include <utility>

namespace manager {

void ChangeFeed::note_news() {
  if (!std::exchange(news_, true)) on_news_();
}

void ChangeFeed::switches_changed() {
  switches_ = true;
  note_news();
}

void ChangeFeed::window_changed(uint32_t number) {
  windows_.insert(number);
  note_news();
}

void ChangeFeed::window_removed(uint32_t number) {
  windows_.erase(number);
  removed_.insert(number);
  order_changed();
}

void ChangeFeed::order_changed() {
  order_ = true;
  note_news();
}

void ChangeFeed::receiver_changed(const std::string& name) {
  receivers_.insert(name);
  note_news();
}

void ChangeFeed::part_changed(StatePart part) {
  parts_.insert(part);
  note_news();
}

std::vector<ChangeSet> ChangeFeed::take() {
  std::vector<ChangeSet> sets;
  while (news_) {
    ChangeSet set;
    set.revision = ++revision_;
    set.windows = take_batch(windows_);
    set.removed = take_batch(removed_);
    set.receivers = take_batch(receivers_);
    set.parts = std::exchange(parts_, {});
    set.switches = std::exchange(switches_, false);
    // The order contains window numbers, so the set with the last changed windows carries it.
    set.order = order_ && windows_.empty();
    if (set.order) order_ = false;
    news_ = order_ || !windows_.empty() || !removed_.empty() || !receivers_.empty();
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace manager
