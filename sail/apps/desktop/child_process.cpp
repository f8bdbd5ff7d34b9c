#include "sail/apps/desktop/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

namespace sail {
namespace {

constexpr int kFirstGiven = 3;
constexpr int kMostGiven = 8;
constexpr int kLastSignalOfShells = 128;
constexpr std::chrono::seconds kWaitTimeout(2);
constexpr std::chrono::milliseconds kPollInterval(10);

// Duplicates of descriptors, numbered beyond those the child gets. Closed on destruction.
class MovedDescriptors {
 public:
  explicit MovedDescriptors(const std::vector<int>& descriptors) {
    for (const int descriptor : descriptors) {
      moved_.push_back(fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstGiven + kMostGiven));
    }
  }
  ~MovedDescriptors() {
    for (const int descriptor : moved_) close(descriptor);
  }
  MovedDescriptors(const MovedDescriptors&) = delete;
  MovedDescriptors& operator=(const MovedDescriptors&) = delete;

  bool whole() const { return std::ranges::find(moved_, -1) == moved_.end(); }
  const std::vector<int>& get() const { return moved_; }

 private:
  std::vector<int> moved_;
};

// Runs in the child; only async-signal-safe calls, except in `prepare`. Never returns.
void become(char* const* arguments, const std::vector<int>& given, const char* errors_file,
            const std::function<int()>& prepare, int told, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(EXIT_FAILURE);  // the parent died before prctl()
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  const int empty = open("/dev/null", O_RDONLY);
  dup2(empty, STDIN_FILENO);
  const int errors = *errors_file == '\0'
                         ? -1
                         : open(errors_file, O_CREAT | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (errors >= 0) dup2(errors, STDERR_FILENO);
  int number = kFirstGiven;
  for (const int descriptor : given) dup2(descriptor, number++);
  int why = prepare ? prepare() : 0;
  if (why == 0) {
    execvp(arguments[0], arguments);
    why = errno;
  }
  if (write(told, &why, sizeof(why)) < 0) _exit(EXIT_FAILURE);
  _exit(EXIT_FAILURE);
}

constexpr std::string_view kAnySix = "XXXXXX";
constexpr int kMostTries = 100;

// Opens and locks a folder of this user. -1: it is another user's, locked, or gone.
int take(const std::filesystem::path& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return -1;
  struct stat opened {};
  struct stat named {};
  // The folder may have been removed and created again before it was locked.
  if (fstat(folder, &opened) == 0 && opened.st_uid == geteuid() &&
      flock(folder, LOCK_EX | LOCK_NB) == 0 && lstat(path.c_str(), &named) == 0 &&
      named.st_dev == opened.st_dev && named.st_ino == opened.st_ino) {
    return folder;
  }
  close(folder);
  return -1;
}

void remove_left(const std::filesystem::path& among, const std::string& prefix) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(among, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix) || name.size() != prefix.size() + kAnySix.size()) continue;
    const int folder = take(entry->path());
    if (folder < 0) continue;
    std::error_code ignored;
    std::filesystem::remove_all(entry->path(), ignored);
    close(folder);
  }
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::vector<std::string>& arguments,
                                                          const std::vector<int>& descriptors,
                                                          const std::string& errors_file,
                                                          const std::function<int()>& prepare) {
  assert(descriptors.size() <= kMostGiven);
  std::vector<std::string> words = arguments;
  std::vector<char*> plain;
  for (std::string& word : words) plain.push_back(word.data());
  plain.push_back(nullptr);
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) < 0) {
    return fail(ErrorCode::kIo, fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  }
  int why = 0;
  pid_t pid = -1;
  {
    const MovedDescriptors told(std::vector<int>{ends[1]});
    const MovedDescriptors given(descriptors);
    close(ends[1]);
    const pid_t parent = getpid();
    pid = told.whole() && given.whole() ? fork() : -1;
    if (pid == 0) {
      become(plain.data(), given.get(), errors_file.c_str(), prepare, told.get().front(), parent);
    }
    if (pid < 0) why = errno;
  }
  // The pipe is closed without data if exec succeeded.
  if (pid > 0 && read(ends[0], &why, sizeof(why)) <= 0) why = 0;
  close(ends[0]);
  if (pid > 0 && why == 0) return std::unique_ptr<ChildProcess>(new ChildProcess(pid));
  if (pid > 0) waitpid(pid, nullptr, 0);
  return fail(why == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
              fmt::format("cannot run {}: {}", arguments[0], std::strerror(why)));
}

ChildProcess::~ChildProcess() {
  // The process group may outlive the child.
  kill(-pid_, SIGTERM);
  const auto give_up = std::chrono::steady_clock::now() + kWaitTimeout;
  while (!exit_code() && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(kPollInterval);
  }
  kill_group();
  if (!exit_code()) waitpid(pid_, nullptr, 0);
}

void ChildProcess::kill_group() {
  kill(-pid_, SIGKILL);
}

std::optional<int> ChildProcess::exit_code() {
  int status = 0;
  if (exit_code_ || waitpid(pid_, &status, WNOHANG) != pid_) return exit_code_;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : kLastSignalOfShells + WTERMSIG(status);
  return exit_code_;
}

Result<ScratchFolder> ScratchFolder::make(std::string_view name) {
  std::error_code error;
  const std::filesystem::path among = std::filesystem::temp_directory_path(error);
  if (error) {
    return fail(
        ErrorCode::kIo,
        fmt::format("cannot find the folder for temporary files ($TMPDIR): {}", error.message()));
  }
  const std::string prefix = fmt::format("{}-", name);
  remove_left(among, prefix);
  std::string path;
  for (int tried = 0; tried < kMostTries; ++tried) {
    path = (among / fmt::format("{}{}", prefix, kAnySix)).string();
    if (mkdtemp(path.data()) == nullptr) break;
    // Before it is locked, another program may take the folder for an abandoned one and remove it.
    const int folder = take(path);
    if (folder >= 0) return ScratchFolder(path, folder);
  }
  return fail(ErrorCode::kIo, fmt::format("cannot create {}: {}", path, std::strerror(errno)));
}

ScratchFolder::~ScratchFolder() {
  if (lock_ < 0) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  close(lock_);
}

}  // namespace sail
