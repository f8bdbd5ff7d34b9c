// The queue of snapshots. A snapshot makes every receiver copy its tiles, so snapshots are taken
// one after another, a few a second. Runs on the loop thread.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"

namespace manager {

class SnapshotQueue {
 public:
  static constexpr int64_t kEveryMs = 100;
  static constexpr size_t kLongest = 64;

  explicit SnapshotQueue(sail::Loop& loop) : next_(loop) {}

  // Calls `begin` at the client's turn: at once, or later from the loop. kLimit: the client is in
  // the queue already, or the queue is full.
  sail::Result<void> enqueue(uint64_t client, std::function<void()> begin);
  void client_left(uint64_t client);

 private:
  void serve();

  std::deque<std::pair<uint64_t, std::function<void()>>> queue_;
  bool busy_ = false;  // Less than kEveryMs since the last start.
  sail::Timer next_;
};

inline sail::Result<void> SnapshotQueue::enqueue(uint64_t client, std::function<void()> begin) {
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

inline void SnapshotQueue::client_left(uint64_t client) {
  std::erase_if(queue_, [client](const auto& one) { return one.first == client; });
}

inline void SnapshotQueue::serve() {
  busy_ = !queue_.empty();
  if (!busy_) return;
  const auto begin = std::move(queue_.front().second);
  queue_.pop_front();
  next_.start(kEveryMs, 0, [this] { serve(); });
  begin();
}

}  // namespace manager
