// A program that runs beside ours and ends with it, also when ours is killed. One thread.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/result.h"

namespace sail {

class ChildProcess {
 public:
  // arguments[0] is the program, looked for in PATH when it has no slash. Its environment, output
  // and errors are ours, its input is empty. descriptors: that it gets, too, numbered from 3 on.
  // errors_file: made, for its errors. kNotFound: there is no such program; kIo: the rest.
  static Result<std::unique_ptr<ChildProcess>> start(const std::vector<std::string>& arguments,
                                                     const std::vector<int>& descriptors = {},
                                                     const std::string& errors_file = {});
  // Ends it and what it started: asks for it, and after 2 s does not ask.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Nothing while it runs; 128 and the number of a signal that ended it, as shells have it.
  std::optional<int> exit_code();

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}

  const pid_t pid_;
  std::optional<int> exit_code_;
};

}  // namespace sail
