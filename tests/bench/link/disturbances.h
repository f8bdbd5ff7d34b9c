// What goes wrong on a wall while it is looked at, one thing after the other: a receiver is killed
// and started again, a program that shows something stands still for a while, the manager is killed
// and started again.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "sail/core/base/result.h"
#include "tests/bench/wall/bench_wall.h"

namespace bench {

class Disturbances {
 public:
  // Opens the window of that program. The wall outlives this.
  static sail::Result<std::unique_ptr<Disturbances>> begin(BenchWall& wall);
  Disturbances(const Disturbances&) = delete;
  Disturbances& operator=(const Disturbances&) = delete;
  // All goes on, but without that program.
  ~Disturbances();

  // The next of them, when it is time for it; else nothing.
  sail::Result<void> go_on();

  // What was done last, and how many ms ago.
  std::string last() const;

  uint64_t receivers_killed() const { return receivers_killed_; }
  uint64_t senders_stopped() const { return senders_stopped_; }
  uint64_t managers_killed() const { return managers_killed_; }

 private:
  Disturbances(BenchWall& wall, pid_t player) : wall_(wall), player_(player) {}
  sail::Result<void> kill_manager();

  BenchWall& wall_;
  const pid_t player_;
  int64_t last_ns_ = 0;
  const char* last_ = "begin";
  int turn_ = 0;
  uint64_t receivers_killed_ = 0;
  uint64_t senders_stopped_ = 0;
  uint64_t managers_killed_ = 0;
};

}  // namespace bench
