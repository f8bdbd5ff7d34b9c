// Child processes on a Loop. Thread: the loop's.
//
// A child is not tied to our death: what the manager launched shall outlive a manager that is
// killed, and finds the next one by itself (ARCHITECTURE.md, "Who may fail"). Whoever wants its
// children gone destroys their Process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sail/base/result.h"
#include "sail/net/loop.h"

namespace sail {

// A program of Vitrail: beside this process's executable when it is there, else left to the PATH.
std::string find_program(const std::string& name);

// What a child has in place of /dev/null to read and our own output to write to.
struct ChildFiles {
  // It reads this, and then waits: its input does not end before the child does, even when we do.
  // At most kMostInputBytes; empty: /dev/null.
  static constexpr size_t kMostInputBytes = 4096;
  std::string input{};
  int handed = -1;  // or this descriptor in its place, such as a socket; it stays the caller's
  int output = -1;  // a descriptor for its output and its errors, which stays the caller's
};

class Process {
 public:
  // exit_status, or the signal that ended it (the other is 0). May destroy the Process.
  using ExitCallback = std::function<void(int64_t exit_status, int signal)>;
  // arguments[0] is the program, looked for in PATH when it has no slash. Standard input is
  // /dev/null, output and errors are ours, but for `files`; no other descriptor is passed on;
  // signals have their default actions. Environment: ours, with `environment` added or put in place
  // ("NAME=value") or taken away ("NAME"). No shell is involved. kNotFound when there is no such
  // program, kInvalidParams without arguments, kIo for the rest.
  static Result<std::unique_ptr<Process>> spawn(Loop& loop,
                                                const std::vector<std::string>& arguments,
                                                const std::vector<std::string>& environment,
                                                ExitCallback on_exit, const ChildFiles& files = {});

  // output: what the child wrote to its standard output.
  using OutputCallback =
      std::function<void(int64_t exit_status, int signal, std::string_view output)>;
  // The same, but its standard output comes here, and on_exit when both the child and that have
  // ended. A child that writes more than most_bytes is killed: that is told, though it had ended
  // before.
  static Result<std::unique_ptr<Process>> spawn_for_output(
      Loop& loop, const std::vector<std::string>& arguments,
      const std::vector<std::string>& environment, size_t most_bytes, OutputCallback on_exit,
      const ChildFiles& files = {});
  // The same, but its standard error passes through here on its way to ours; on_exit gets its end,
  // at most most_bytes. Who outlives us writes to nobody then: it must not mind SIGPIPE.
  static Result<std::unique_ptr<Process>> spawn_overheard(
      Loop& loop, const std::vector<std::string>& arguments,
      const std::vector<std::string>& environment, size_t most_bytes, OutputCallback on_exit);
  // Sends SIGTERM when it still runs; does not wait.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int pid() const;
  // Nothing happens when it has ended.
  void signal(int number);

 private:
  struct Output;
  struct Impl;
  static Result<std::unique_ptr<Process>> start_with_pipe(
      Loop& loop, const std::vector<std::string>& arguments,
      const std::vector<std::string>& environment, int descriptor, size_t most_bytes,
      OutputCallback on_exit, const ChildFiles& files);
  static Result<std::unique_ptr<Process>> start(Loop& loop, std::shared_ptr<Impl> impl,
                                                const std::vector<std::string>& arguments,
                                                const std::vector<std::string>& environment,
                                                const ChildFiles& files);
  explicit Process(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace sail
