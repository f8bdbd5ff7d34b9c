#include "manager/peers/snapshot_queue.h"

#include <fmt/core.h>

#include <algorithm>

namespace manager {

sail::Result<void> SnapshotQueue::enqueue(uint64_t client, std::function<void()> begin) {
  const bool is_queued = std::any_of(queue_.begin(), queue_.end(),
                                     [client](const auto& one) { return one.first == client; });
  if (is_queued) {
    return sail::fail(sail::ErrorCode::kLimit,
                      "your previous snapshot is still waiting: try again after its answer");
  }
  if (queue_.size() >= kLongest) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format("{} snapshots are already waiting: try again later", queue_.size()));
  }
  queue_.emplace_back(client, std::move(begin));
  if (!busy_) serve();
  return {};
}

void SnapshotQueue::client_left(uint64_t client) {
  std::erase_if(queue_, [client](const auto& one) { return one.first == client; });
}

void SnapshotQueue::serve() {
  busy_ = !queue_.empty();
  if (!busy_) return;
  const auto begin = std::move(queue_.front().second);
  queue_.pop_front();
  next_.start(kEveryMs, 0, [this] { serve(); });
  begin();
}

}  // namespace manager
