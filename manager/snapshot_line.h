// Snapshots cost every receiver a copy of its tiles: they are taken one after the other, a few a
// second, and who asks again waits in line. Thread: the loop's.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include "sail/base/result.h"
#include "sail/net/loop.h"

namespace manager {

class SnapshotLine {
 public:
  static constexpr int64_t kEveryMs = 100;
  static constexpr size_t kLongest = 64;

  explicit SnapshotLine(sail::Loop& loop) : next_(loop) {}

  // Calls `begin` when it is the client's turn: at once, or from the loop. kLimit: the client is in
  // the line already, or the line is too long.
  sail::Result<void> stand(uint64_t client, std::function<void()> begin);
  void client_left(uint64_t client);

 private:
  void serve();

  std::deque<std::pair<uint64_t, std::function<void()>>> line_;
  bool busy_ = false;  // one was begun a moment ago
  sail::Timer next_;
};

}  // namespace manager
