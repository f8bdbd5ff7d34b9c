// Programs that the manager has started, such as players and receivers. Owns the processes: they
// end with this object. Runs on the loop thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/process.h"

namespace manager {

// Returns "status 1" or "signal 9".
std::string exit_text(int64_t exit_status, int signal);

class ChildPrograms {
 public:
  explicit ChildPrograms(sail::Loop& loop) : loop_(loop) {}

  using ExitCallback = sail::Process::ExitCallback;
  // Returns a child number for signal(). kLimit: too many programs run.
  sail::Result<int> start(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment, ExitCallback on_exit,
                          const sail::ChildFiles& files = {});
  using LastErrorCallback = sail::Process::OutputCallback;
  // Like start(), for Vitrail's own programs, which tolerate SIGPIPE. on_exit receives the last
  // bytes of the program's standard error.
  sail::Result<int> start_overheard(const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& environment,
                                    LastErrorCallback on_exit);
  void signal(int child, int number);
  // The child must be running.
  int pid(int child) const { return children_.at(child)->pid(); }
  void signal_all(int number);
  bool empty() const { return children_.empty(); }

 private:
  using Spawn = std::function<sail::Result<std::unique_ptr<sail::Process>>(int child)>;
  sail::Result<int> take(const Spawn& spawn);

  sail::Loop& loop_;
  std::map<int, std::unique_ptr<sail::Process>> children_;
  int next_ = 1;
};

// --- the last error message of an ended program, for the person who requested it. Pure.
// Returns the last error of the log, or else its last line, without time and program name. Cuts
// paths of media to file names and removes passwords from URLs, which are not for everyone. Empty
// if the log is empty.
std::string last_error(std::string_view log, const std::vector<std::string>& media);

// Returns "a.mp4" for "/films/a.mp4"; a URL loses only its password.
std::string public_name(const std::string& media);

}  // namespace manager
