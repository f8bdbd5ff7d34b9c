// Child processes on a Loop. Thread: the loop's.
//
// A child survives this process: programs started by a manager that is killed keep running and
// reconnect to the next one (manager/failover/README.md). To end a child, destroy its Process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"

namespace sail {

// Path of a Vitrail program: next to this process's executable if it exists there, otherwise the
// bare name, to be found in PATH.
std::string find_program(const std::string& name);

// Replaces the child's standard input (/dev/null) and output (ours).
struct ChildFiles {
  // Input text. After this text the child's reads block: its input never ends, even if this process
  // ends. At most kMostInputBytes; empty: /dev/null.
  static constexpr size_t kMostInputBytes = 4096;
  std::string input{};
  int handed = -1;  // a descriptor as input instead, e.g. a socket; owned by the caller
  int output = -1;  // a descriptor for output and errors; owned by the caller
  // The child is the leader of a process group, so signals reach the programs that it starts, too.
  // Those that have a collected output open when the child ends are killed.
  bool own_group = false;
};

class Process {
 public:
  // exit_status, or the signal that ended the child (the other one is 0). May destroy the Process.
  using ExitCallback = std::function<void(int64_t exit_status, int signal)>;
  // arguments[0] is the program, searched in PATH if it has no slash. Standard input is /dev/null;
  // output and errors are ours unless `files` says otherwise. No other descriptor is passed on.
  // Signals have their default actions. The environment is ours, changed by `environment`:
  // "NAME=value" sets a variable, "NAME" removes one. No shell is involved. kNotFound: no such
  // program; kInvalidParams: no arguments; kIo: other errors.
  static Result<std::unique_ptr<Process>> spawn(Loop& loop,
                                                const std::vector<std::string>& arguments,
                                                const std::vector<std::string>& environment,
                                                ExitCallback on_exit, const ChildFiles& files = {});

  // output: the child's standard output.
  using OutputCallback =
      std::function<void(int64_t exit_status, int signal, std::string_view output)>;
  // As spawn(), but collects the child's standard output. on_exit is called when the child and its
  // output have ended. A child that writes more than most_bytes is killed and reported as killed,
  // even if it had exited before.
  static Result<std::unique_ptr<Process>> spawn_for_output(
      Loop& loop, const std::vector<std::string>& arguments,
      const std::vector<std::string>& environment, size_t most_bytes, OutputCallback on_exit,
      const ChildFiles& files = {});
  // As spawn(), but copies the child's standard error to ours and passes its last most_bytes to
  // on_exit. If this process ends first, the child's writes fail, so it must survive SIGPIPE.
  static Result<std::unique_ptr<Process>> spawn_overheard(
      Loop& loop, const std::vector<std::string>& arguments,
      const std::vector<std::string>& environment, size_t most_bytes, OutputCallback on_exit);
  // Sends SIGTERM if the child is running; does not wait.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int pid() const;
  // Does nothing if the child has ended.
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
