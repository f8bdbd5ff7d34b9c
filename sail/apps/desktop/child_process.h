// A child process and a folder for its files. One thread.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/base/result.h"

namespace sail {

// Ends with this process, even if this process is killed.
class ChildProcess {
 public:
  // arguments[0] is the program, searched in PATH unless it has a slash. The child inherits
  // environment, standard output and standard error; its input is empty. descriptors: passed on
  // with numbers from 3. errors_file: created for standard error. prepare: called in the child just
  // before the program starts, returns 0 or errno; may do what is not safe after a fork() only if
  // this process has one thread. Returns kNotFound if there is no such program, else kIo.
  static Result<std::unique_ptr<ChildProcess>> start(const std::vector<std::string>& arguments,
                                                     const std::vector<int>& descriptors = {},
                                                     const std::string& errors_file = {},
                                                     const std::function<int()>& prepare = {});
  // Terminates the child and its process group: SIGTERM, and SIGKILL after 2 s.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Returns the exit code; empty while running. 128 + N if ended by signal N, as in shells.
  std::optional<int> exit_code();
  // Ends the child and its process group at once, for programs that hold nothing worth saving.
  void kill_group();

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}

  const pid_t pid_;
  std::optional<int> exit_code_;
};

// A temporary folder for a running program, accessible only to its user and removed on destruction.
// The folder of a killed program is removed when the next one is created: nobody holds its lock.
class ScratchFolder {
 public:
  // Creates "NAME-" plus six characters in the system's temporary folder. Removes this user's
  // abandoned folders of the same name.
  static Result<ScratchFolder> make(std::string_view name);
  ~ScratchFolder();
  ScratchFolder(ScratchFolder&& from) noexcept
      : path_(std::move(from.path_)), lock_(std::exchange(from.lock_, -1)) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  // The open and locked folder, not inherited by child processes. -1: moved away.
  int lock_;
};

}  // namespace sail
