#include "ui/console/start_manager.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "ui/console/state_folder.h"

namespace ui {
namespace {

namespace fs = std::filesystem;

std::string manager_program() {
  std::error_code error;
  const fs::path beside =
      fs::read_symlink("/proc/self/exe", error).parent_path() / "vitrail-manager";
  return !error && fs::exists(beside) ? beside.string() : "vitrail-manager";
}

// Runs the program in a session of its own, so that closing the terminal does not end it.
sail::Result<int> spawn_detached(std::vector<std::string> arguments, const std::string& log_file) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);

  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  const int code = posix_spawnp(&pid, argv[0], &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (code != 0) {
    return sail::fail(sail::ErrorCode::kIo,
                      fmt::format("cannot start {}: {}", arguments[0], std::strerror(code)));
  }
  return pid;
}

std::string last_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::string last;
  while (std::getline(in, line)) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace

sail::Result<StartedManager> start_manager(const std::string& wall_file, const sail::Address& at) {
  const auto folder = state_folder();
  if (!folder) return tl::make_unexpected(folder.error());
  StartedManager started;
  started.log_file = (*folder / "manager.log").string();
  const fs::path port_file = *folder / fmt::format("manager.{}.port", getpid());

  const auto pid =
      spawn_detached({manager_program(), "--wall", wall_file, "--listen", sail::address_text(at),
                      "--launch", "--port-file", port_file.string()},
                     started.log_file);
  if (!pid) return tl::make_unexpected(pid.error());
  started.pid = *pid;

  constexpr auto kPause = std::chrono::milliseconds(20);
  constexpr int kTries = 500;
  for (int i = 0; i < kTries; ++i) {
    std::error_code ignored;
    if (fs::exists(port_file, ignored)) {
      fs::remove(port_file, ignored);
      return started;
    }
    int status = 0;
    if (waitpid(*pid, &status, WNOHANG) == *pid) {
      return sail::fail(sail::ErrorCode::kConflict,
                        fmt::format("the manager ended at once: {}", last_line(started.log_file)));
    }
    std::this_thread::sleep_for(kPause);
  }
  return sail::fail(sail::ErrorCode::kTimeout,
                    fmt::format("the manager does not listen yet; see {}", started.log_file));
}

}  // namespace ui
