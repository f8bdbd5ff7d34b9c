// The background process of `vitrail up`, which restarts the manager.
#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/log.h"
#include "sail/core/base/process_record.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/standby.h"
#include "ui/console/start/start_manager.h"

namespace ui {
namespace {

constexpr int64_t kFirstPauseMs = 200;
constexpr int64_t kLongestPauseMs = 10'000;
constexpr int64_t kStableMs = 10'000;          // a longer run resets the failure count
constexpr int kMostInARow = 20;                // short runs in a row before it gives up
constexpr int64_t kShutdownTimeoutMs = 6'000;  // SIGTERM to SIGKILL
constexpr int64_t kLimitLogMs = 60'000;
constexpr std::uintmax_t kLargestLog = 16 << 20;

sigset_t watched_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGCHLD}) sigaddset(&signals, signal);
  return signals;
}

// Returns 0 after a timeout.
int next_signal(int64_t at_most_ms) {
  const sigset_t signals = watched_signals();
  const timespec time{at_most_ms / 1000, at_most_ms % 1000 * sail::kMillisecondNs};
  return std::max(sigtimedwait(&signals, nullptr, &time), 0);
}

pid_t spawn(std::vector<std::string> line) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> argv;
  for (std::string& argument : line) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], nullptr, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error == 0) return pid;
  fmt::print(stderr, "cannot start {}: {}\n", line[0], std::strerror(error));
  return 0;
}

std::string how(int status) {
  return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                             : fmt::format("status {}", WEXITSTATUS(status));
}

bool was_fenced(int status) {
  return WIFEXITED(status) && WEXITSTATUS(status) == sail::kExitOutrun;
}

// Runs the manager, and restarts it until it ends as asked.
class Supervisor {
 public:
  explicit Supervisor(const Supervised& supervised) : supervised_(supervised) {}

  // Returns the exit code.
  int run() {
    int failures = 0;      // in a row
    bool as_kept = false;  // start from the kept copy: the wall file may be half edited
    for (bool first = true;; first = false) {
      const int64_t started_ns = sail::steady_now_ns();
      const auto& again = as_kept ? supervised_.kept_line : supervised_.later_line;
      pid_ = spawn(first ? supervised_.first_line : again);
      const int status = pid_ == 0 ? EXIT_FAILURE << 8 : wait_for_end();
      if (notified_ || status == 0) return EXIT_SUCCESS;
      const bool fenced = was_fenced(status);  // fenced: restarts as a standby
      // `vitrail up` waits for the first start and reports the manager's error.
      if (first && WIFEXITED(status) && !fenced) return EXIT_FAILURE;
      const bool was_stable = sail::steady_now_ns() - started_ns > kStableMs * sail::kMillisecondNs;
      failures = was_stable ? 1 : failures + 1;
      as_kept = !was_stable && !as_kept && !fenced && WIFEXITED(status);
      if (failures > kMostInARow) {
        log_.error("the manager exited {} times in a row; giving up", kMostInARow);
        return fenced ? sail::kExitOutrun : EXIT_FAILURE;
      }
      const int64_t pause_ms = std::min(kFirstPauseMs << (failures - 1), kLongestPauseMs);
      log_.warning("the manager exited with {}; restarting in {:.1f} s", how(status),
                   static_cast<double>(pause_ms) / 1000);
      if (as_kept)
        log_.warning("the next start uses the copy of the wall file that `vitrail up` saved");
      if (pause(pause_ms)) return EXIT_SUCCESS;
    }
  }

 private:
  // Returns true if a signal to end arrived meanwhile.
  static bool pause(int64_t ms) {
    const int64_t until_ns = sail::steady_now_ns() + ms * sail::kMillisecondNs;
    for (;;) {
      const int64_t left_ms = (until_ns - sail::steady_now_ns()) / sail::kMillisecondNs;
      if (left_ms <= 0) return false;
      const int signal = next_signal(left_ms);
      if (signal == SIGTERM || signal == SIGINT) return true;
    }
  }

  // Returns the manager's wait status. Kills a manager that ignores SIGTERM.
  int wait_for_end() {
    for (;;) {
      int status = 0;
      if (waitpid(pid_, &status, WNOHANG) == pid_) return status;
      const int signal = next_signal(notified_ ? kShutdownTimeoutMs : kLimitLogMs);
      if (signal == SIGTERM || signal == SIGINT) {
        notified_ = true;
        kill(pid_, SIGTERM);
      } else if (signal == 0 && notified_) {
        kill(pid_, SIGKILL);
      } else if (signal == 0) {
        limit_log(supervised_.log_file);
      }
    }
  }

  const Supervised& supervised_;
  const sail::Log log_{"vitrail", sail::LogLevel::kInfo};
  pid_t pid_ = 0;
  bool notified_ = false;
};

// Runs in the child process after fork(). Does not return.
[[noreturn]] void supervise(const Supervised& supervised, int log) {
  setsid();
  const sigset_t signals = watched_signals();
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);
  setenv("VITRAIL_KEY", supervised.key.c_str(), 1);
  unsetenv("VITRAIL_KEY_FILE");
  sail::ProcessRecord record(supervised.record);
  record.keep("supervisor", getpid());
  const int code = Supervisor(supervised).run();
  record.forget();
  // The process group contains everything that the manager started, including players that outlived
  // a manager. After a failover these belong to the new manager.
  if (code != sail::kExitOutrun) kill(0, SIGTERM);
  _exit(code);
}

}  // namespace

// Truncates the log in place, because running programs have it open for appending.
void limit_log(const std::string& log_file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(log_file, error);
  if (error || size <= kLargestLog) return;
  std::filesystem::copy_file(log_file, log_file + ".1",
                             std::filesystem::copy_options::overwrite_existing, error);
  if (!error) std::filesystem::resize_file(log_file, 0, error);
}

sail::Result<pid_t> start_supervisor(const Supervised& supervised) {
  constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
  const int log =
      open(supervised.log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kOwnerOnly);
  const pid_t pid = log < 0 ? -1 : fork();
  if (pid == 0) supervise(supervised, log);
  const int error = errno;
  if (log >= 0) close(log);
  if (pid > 0) return pid;
  return sail::fail(sail::ErrorCode::kIo,
                    fmt::format("cannot start the manager with log file {}: {}",
                                supervised.log_file, std::strerror(error)));
}

std::filesystem::path supervisor_record(const sail::Address& manager) {
  return sail::process_record_file(sail::process_record_folder(),
                                   sail::address_text(sail::address_for_this_host(manager)),
                                   sail::kSupervisorRecord);
}

std::optional<sail::ProcessIdentity> running_supervisor(const sail::Address& manager) {
  const sail::ProcessRecord record(supervisor_record(manager));
  for (const auto& [name, process] : record.all()) {
    if (sail::is_running(process)) return process;
  }
  return std::nullopt;
}

}  // namespace ui
