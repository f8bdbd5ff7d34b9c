// A program that a test runs beside itself: ended with the test, at the latest. One thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace test {

class ChildProgram {
 public:
  using Environment = std::vector<std::pair<std::string, std::string>>;  // "" takes a name away
  // arguments[0] is the program. A failure to start fails the test.
  explicit ChildProgram(const std::vector<std::string>& arguments,
                        const Environment& environment = {});
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  pid_t pid() const { return pid_; }
  // Nothing while it runs; a signal's number below zero.
  std::optional<int> exit_code();
  // SIGTERM, and its exit code when it has ended.
  int end();
  // What it has written so far, output and errors.
  std::string output() const;

 private:
  pid_t pid_ = -1;
  int log_ = -1;
  std::optional<int> exit_code_;
};

}  // namespace test
