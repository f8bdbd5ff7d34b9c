// A child process that ends with this process, even if this process is killed. One thread.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace sail {

class ChildProcess {
 public:
  // arguments[0] is the program, searched in PATH unless it has a slash. The child inherits
  // environment, standard output and standard error; its input is empty. descriptors: passed on
  // with numbers from 3. errors_file: created for standard error. Returns kNotFound if there is no
  // such program, else kIo.
  static Result<std::unique_ptr<ChildProcess>> start(const std::vector<std::string>& arguments,
                                                     const std::vector<int>& descriptors = {},
                                                     const std::string& errors_file = {});
  // Terminates the child and its process group: SIGTERM, and SIGKILL after 2 s.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Returns the exit code; empty while running. 128 + N if ended by signal N, as in shells.
  std::optional<int> exit_code();

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}

  const pid_t pid_;
  std::optional<int> exit_code_;
};

}  // namespace sail
