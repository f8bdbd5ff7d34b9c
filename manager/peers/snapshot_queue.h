// The queue of snapshots. A snapshot makes every receiver copy its tiles, so snapshots are taken
// one after another, a few a second. Runs on the loop thread.
#pragma once

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

}  // namespace manager
