// A wall of real processes on loopback for benchmarks: manager and receivers, in memory.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "ui/client.h"

namespace bench {

class BenchWall {
 public:
  // Cuts wall_size into columns × rows tiles, one receiver each, starts everything and waits until
  // all receivers are connected.
  static sail::Result<std::unique_ptr<BenchWall>> start(sail::Size wall_size, int columns,
                                                        int rows);
  // Ends every process and waits for it.
  ~BenchWall();
  BenchWall(const BenchWall&) = delete;
  BenchWall& operator=(const BenchWall&) = delete;

  const std::string& manager_address() const { return manager_address_; }
  pid_t manager() const { return processes_.front(); }
  std::vector<pid_t> receivers() const { return {processes_.begin() + 1, processes_.end()}; }
  ui::ControlClient& client() { return *client_; }

 private:
  BenchWall() = default;

  std::string folder_;
  std::string manager_address_;
  std::vector<pid_t> processes_;  // the manager first
  std::unique_ptr<ui::ControlClient> client_;
};

}  // namespace bench
