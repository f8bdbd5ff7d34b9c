#include "tests/bench/bench_wall.h"

#include <fmt/core.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "sail/wire/json.h"

namespace bench {
namespace {

namespace fs = std::filesystem;

std::string program(const char* name) {
  std::error_code error;
  return (fs::read_symlink("/proc/self/exe", error).parent_path() / name).string();
}

sail::Result<pid_t> spawn(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  const int code = posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ);
  if (code != 0) {
    return sail::fail(sail::ErrorCode::kIo,
                      fmt::format("cannot start {}: {}", arguments[0], std::strerror(code)));
  }
  return pid;
}

// Looks every 20 ms until the condition holds, for at most 15 s.
template <typename Condition>
bool eventually(Condition condition) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  for (int i = 0; i < 750; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

}  // namespace

sail::Result<std::unique_ptr<BenchWall>> BenchWall::start(sail::Size wall_size, int columns,
                                                          int rows) {
  std::unique_ptr<BenchWall> wall(new BenchWall);
  std::string folder = (fs::temp_directory_path() / "vitrail-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    return sail::fail(sail::ErrorCode::kIo, "cannot make a temporary folder");
  }
  wall->folder_ = folder;
  const sail::Json file = {
      {"grid",
       {{"columns", columns},
        {"rows", rows},
        {"resolution", {wall_size.width / columns, wall_size.height / rows}}}}};
  std::ofstream(folder + "/wall.json") << file.dump();

  const std::string port_file = folder + "/port";
  const auto manager =
      spawn({program("vitrail-manager"), "--wall", folder + "/wall.json", "--listen", "127.0.0.1:0",
             "--port-file", port_file, "--log-level", "warning"});
  if (!manager) return tl::make_unexpected(manager.error());
  wall->processes_.push_back(*manager);
  const auto port = wait_for_port(port_file);
  if (!port) return tl::make_unexpected(port.error());
  wall->manager_address_ = fmt::format("127.0.0.1:{}", *port);
  for (int i = 1; i <= columns * rows; ++i) {
    const auto receiver =
        spawn({program("vitrail-receiver"), "--manager", wall->manager_address_, "--name",
               fmt::format("node{}", i), "--display=null", "--log-level", "warning"});
    if (!receiver) return tl::make_unexpected(receiver.error());
    wall->processes_.push_back(*receiver);
    wall->receivers_.push_back(*receiver);
  }
  auto client = ui::ControlClient::connect({"127.0.0.1", static_cast<uint16_t>(*port)});
  if (!client) return tl::make_unexpected(client.error());
  wall->client_ = std::move(*client);
  const bool all_here = eventually([&] {
    const auto state = wall->client_->call("list", sail::Json::object());
    if (!state) return false;
    for (const sail::Json& receiver : (*state)["receivers"]) {
      if (!receiver.value("connected", false)) return false;
    }
    return true;
  });
  if (!all_here) return sail::fail(sail::ErrorCode::kTimeout, "not all receivers have connected");
  return wall;
}

sail::Result<int> BenchWall::wait_for_port(const std::string& file) {
  int port = 0;
  if (eventually([&] { return static_cast<bool>(std::ifstream(file) >> port); })) return port;
  return sail::fail(sail::ErrorCode::kTimeout, "a program does not listen");
}

sail::Result<pid_t> BenchWall::start_program(const char* name, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program(name));
  const auto pid = spawn(std::move(arguments));
  if (pid) processes_.push_back(*pid);
  return pid;
}

BenchWall::~BenchWall() {
  client_.reset();
  for (const pid_t pid : processes_) kill(pid, SIGTERM);
  for (const pid_t pid : processes_) waitpid(pid, nullptr, 0);
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

}  // namespace bench
