#include "ui/console/start/start_manager.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/private_file.h"
#include "ui/console/start/state_folder.h"

namespace ui {
namespace {

namespace fs = std::filesystem;

std::string manager_program() {
  std::error_code error;
  const fs::path beside =
      fs::read_symlink("/proc/self/exe", error).parent_path() / "vitrail-manager";
  return !error && fs::exists(beside) ? beside.string() : "vitrail-manager";
}

// Returns the last line after the first `skip` bytes that is neither empty nor a hint at --help.
std::string last_line(const std::string& file, std::uintmax_t skip) {
  std::ifstream in(file);
  in.seekg(static_cast<std::streamoff>(skip));
  std::string line;
  std::string last;
  while (std::getline(in, line)) {
    if (!line.empty() && !line.starts_with("Try ")) last = line;
  }
  return last;
}

// Advice if the manager's error names one of its options, which `vitrail up` spells differently.
std::string option_advice(const std::string& last_error) {
  if (last_error.find("--listen") != std::string::npos) {
    return "; set this address with --manager or $VITRAIL_MANAGER";
  }
  if (last_error.find(" --") == std::string::npos) return "";
  return "; give manager options as `vitrail up WALL -- OPTION ...`";
}

// File lock: only one `vitrail up` of this user works on an address at a time.
class FileLock {
 public:
  explicit FileLock(const fs::path& file)
      : file_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
    flock(file_, LOCK_EX);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() { close(file_); }

 private:
  const int file_;
};

// Keeps a copy of the wall file for restarts, in case the user is editing the file at that time.
void keep_wall(const std::string& wall_file, const fs::path& kept) {
  std::ifstream file(wall_file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  (void)sail::write_private_file(kept, text);
}

// Returns the key that this user's programs find for this address, else creates and keeps one.
sail::Result<sail::WallKey> key_for_server(const sail::Address& at, bool open_to_all) {
  if (open_to_all) {
    sail::delete_key(at);
    return sail::WallKey();
  }
  auto key = sail::key_for_server(at);
  if (!key || !key->secret.empty()) return key;
  key = sail::new_key();
  if (sail::save_key(at, *key)) return key;
  return sail::fail(
      sail::ErrorCode::kIo,
      fmt::format(
          "cannot store a key for {}: create one with `vitrail key new FILE` and set "
          "VITRAIL_KEY_FILE for all programs of this wall, or admit all clients with --no-key",
          sail::address_text(at)));
}

std::vector<std::string> manager_line(const ManagerOptions& options, const fs::path& wall,
                                      const std::string& address, bool restore) {
  std::vector<std::string> line = {manager_program(), "--wall", wall.string(),
                                   "--listen",        address,  "--launch"};
  if (options.open_to_all) line.emplace_back("--insecure");
  line.insert(line.end(), options.arguments.begin(), options.arguments.end());
  if (restore) line.insert(line.end(), {"--restore", "autosave"});
  return line;
}

// Waits for the port file, which the manager writes when it listens, and removes it. old_log: size
// of the log before the start.
sail::Result<void> wait_until_it_listens(pid_t supervisor, const fs::path& port_file,
                                         const std::string& log_file, std::uintmax_t old_log) {
  constexpr auto kPause = std::chrono::milliseconds(2);
  constexpr int kTries = 5000;
  for (int i = 0; i < kTries; ++i) {
    std::error_code ignored;
    if (fs::exists(port_file, ignored)) {
      fs::remove(port_file, ignored);
      return {};
    }
    int status = 0;
    if (waitpid(supervisor, &status, WNOHANG) == supervisor) {
      const std::string why = last_line(log_file, old_log);
      return sail::fail(sail::ErrorCode::kConflict,
                        fmt::format("the manager failed to start: {}{}", why, option_advice(why)));
    }
    std::this_thread::sleep_for(kPause);
  }
  kill(supervisor, SIGTERM);
  return sail::fail(sail::ErrorCode::kTimeout,
                    fmt::format("timeout: the manager does not listen; see {}", log_file));
}

}  // namespace

sail::Result<StartedManager> start_manager(const std::string& wall_file, const sail::Address& at,
                                           const ManagerOptions& options) {
  const auto folder = state_folder();
  if (!folder) return folder.error();
  const std::string address = sail::address_text(at);
  const FileLock lock(*folder / fmt::format("manager.{}.lock", address));
  if (running_supervisor(at)) {
    return sail::fail(
        sail::ErrorCode::kConflict,
        fmt::format("a wall is already running at {}: `vitrail down` stops it", address));
  }
  StartedManager started;
  started.log_file = (*folder / fmt::format("manager.{}.log", address)).string();
  limit_log(started.log_file);
  std::error_code no_log;
  const std::uintmax_t old_log = fs::file_size(started.log_file, no_log);
  const auto key = key_for_server(sail::address_for_this_host(at), options.open_to_all);
  if (!key) return key.error();
  const fs::path port_file = *folder / fmt::format("manager.{}.port", getpid());
  const fs::path kept_wall = *folder / fmt::format("manager.{}.wall", address);
  Supervised supervised{
      .first_line = manager_line(options, fs::absolute(wall_file), address, !options.fresh),
      .later_line = manager_line(options, fs::absolute(wall_file), address, true),
      .kept_line = manager_line(options, kept_wall, address, true),
      .key = key_text(*key),
      .log_file = started.log_file,
      .record = supervisor_record(at)};
  supervised.first_line.insert(supervised.first_line.end(), {"--port-file", port_file.string()});
  const auto pid = start_supervisor(supervised);
  if (!pid) return pid.error();
  if (auto listens = wait_until_it_listens(*pid, port_file, started.log_file, no_log ? 0 : old_log);
      !listens) {
    return listens.error();
  }
  keep_wall(wall_file, kept_wall);
  return started;
}

}  // namespace ui
