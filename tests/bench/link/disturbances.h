// Faults on a wall during a measurement, one after the other: a receiver is killed and restarted, a
// program that shows a window is stopped for a while, the manager is killed and restarted.
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
  // Opens that program's window. The wall must outlive this object.
  static sail::Result<std::unique_ptr<Disturbances>> begin(BenchWall& wall);
  Disturbances(const Disturbances&) = delete;
  Disturbances& operator=(const Disturbances&) = delete;
  // Ends that program; everything else continues.
  ~Disturbances();

  // Performs the next fault if it is due.
  sail::Result<void> go_on();

  // The last fault, and how many ms ago it was.
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
