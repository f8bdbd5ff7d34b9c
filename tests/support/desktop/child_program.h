// A child process of a test. The destructor ends it. Single-threaded.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace test {

class ChildProgram {
 public:
  using Environment = std::vector<std::pair<std::string, std::string>>;  // empty: unset
  // arguments[0] is the program. A failure to start fails the test.
  explicit ChildProgram(const std::vector<std::string>& arguments,
                        const Environment& environment = {});
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  pid_t pid() const { return pid_; }
  // Empty optional while it runs. The negative signal number if a signal ended it.
  std::optional<int> exit_code();
  // Sends SIGTERM, waits for the end, and returns the exit code.
  int end();
  // Standard output and standard error so far.
  std::string output() const;

 private:
  pid_t pid_ = -1;
  int log_ = -1;
  std::optional<int> exit_code_;
};

}  // namespace test
