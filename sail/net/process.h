// Child processes on a Loop. Thread: the loop's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/net/loop.h"

namespace sail {

class Process {
 public:
  // exit_status, or the signal that ended it (the other is 0).
  using ExitCallback = std::function<void(int64_t exit_status, int signal)>;
  // Standard input is /dev/null, output and errors are ours. Environment: ours plus `environment`
  // ("NAME=value"). No shell is involved. The child gets SIGTERM when this process dies.
  static Result<std::unique_ptr<Process>> spawn(Loop& loop,
                                                const std::vector<std::string>& arguments,
                                                const std::vector<std::string>& environment,
                                                ExitCallback on_exit);
  // Sends SIGTERM when it still runs; does not wait.
  ~Process();

  int pid() const;
  void signal(int number);

 private:
  struct Impl;
  explicit Process(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace sail
