#include "manager/change_feed.h"

#include <utility>

#include "manager/take_some.h"

namespace manager {

void ChangeFeed::window_removed(uint32_t number) {
  windows_.erase(number);
  removed_.insert(number);
  order_ = true;
}

std::vector<ChangeSet> ChangeFeed::take() {
  std::vector<ChangeSet> sets;
  while (!windows_.empty() || !removed_.empty() || !receivers_.empty() || order_ || other_) {
    ChangeSet set;
    set.revision = ++revision_;
    set.windows = take_some(windows_);
    set.removed = take_some(removed_);
    set.receivers = take_some(receivers_);
    // The order names windows, so all of them must be known by then.
    set.order = order_ && windows_.empty();
    if (set.order) order_ = false;
    other_ = false;
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace manager
