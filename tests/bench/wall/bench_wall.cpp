#include "tests/bench/wall/bench_wall.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "sail/core/text/json.h"

namespace bench {
namespace {

namespace fs = std::filesystem;

std::string program(const char* name) {
  std::error_code error;
  return (fs::read_symlink("/proc/self/exe", error).parent_path() / name).string();
}

// Polls the condition every 20 ms, for at most a minute.
template <typename Condition>
bool eventually(Condition condition) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  for (int i = 0; i < 3000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

// Returns a port that is free for TCP and UDP. Systems choose ports from 32768, so no other
// connection gets this one before the program binds it.
sail::Result<int> free_port() {
  constexpr int kTries = 100;
  static std::mt19937 random(std::random_device{}());
  std::uniform_int_distribution<uint16_t> ports(10000, 32767);
  for (int i = 0; i < kTries; ++i) {
    const int tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const uint16_t port = ports(random);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    const bool free =
        bind(tcp, plain, sizeof address) == 0 && bind(udp, plain, sizeof address) == 0;
    close(tcp);
    close(udp);
    if (free) return port;
  }
  return sail::fail(sail::ErrorCode::kIo, "no port is free");
}

std::string ending_text(pid_t pid, int status) {
  return WIFSIGNALED(status)
             ? fmt::format("process {} was ended by signal {}", pid, WTERMSIG(status))
             : fmt::format("process {} ended with the code {}", pid, WEXITSTATUS(status));
}

}  // namespace

sail::Result<std::unique_ptr<BenchWall>> BenchWall::start(const Setup& setup) {
  std::unique_ptr<BenchWall> wall(new BenchWall);
  std::string folder = (fs::temp_directory_path() / "vitrail-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    return sail::fail(sail::ErrorCode::kIo, "cannot make a temporary folder");
  }
  wall->folder_ = folder;
  wall->log_to_file_ = setup.log_to_file;
  const sail::Json file = {
      {"grid",
       {{"columns", setup.columns},
        {"rows", setup.rows},
        {"resolution", {setup.size.width / setup.columns, setup.size.height / setup.rows}},
        {"tiles_per_receiver", {setup.tiles_of_receiver.width, setup.tiles_of_receiver.height}}}}};
  std::ofstream(folder + "/wall.json") << file.dump();

  if (auto manager = wall->start_manager("127.0.0.1:0"); !manager) return manager.error();
  const auto port = wait_for_port(folder + "/port");
  if (!port) return port.error();
  wall->manager_address_ = fmt::format("127.0.0.1:{}", *port);
  if (auto started = wall->start_receivers(setup); !started) return started.error();
  if (auto connected = wall->connect(); !connected) return connected.error();
  std::string absent = "no receiver is known";
  sail::Result<void> well;
  const bool all_here = eventually([&] {
    well = wall->nobody_has_ended();
    if (!well) return true;
    const auto state = wall->client_->call("list", sail::Json::object(), kAnswerMs);
    if (!state) return false;
    for (const sail::Json& receiver : (*state)["receivers"]) {
      absent = receiver.value("name", "");
      if (!receiver.value("connected", false)) return false;
    }
    return true;
  });
  if (!well) return well.error();
  if (!all_here) {
    return sail::fail(sail::ErrorCode::kTimeout, "a receiver has not connected: " + absent);
  }
  return wall;
}

sail::Result<void> BenchWall::start_manager(const std::string& listen) {
  const auto manager =
      start_program("vitrail-manager", {"--wall", folder_ + "/wall.json", "--listen", listen,
                                        "--port-file", folder_ + "/port", "--page", "off",
                                        "--state", folder_ + "/state", "--log-level", "warning"});
  if (!manager) return manager.error();
  manager_ = *manager;
  return {};
}

sail::Result<void> BenchWall::start_manager_again() {
  return start_manager(manager_address_);
}

sail::Result<void> BenchWall::connect() {
  const auto manager = sail::parse_address(manager_address_, {});
  if (!manager) return manager.error();
  std::optional<sail::Error> refused;
  const bool let_in = eventually([&] {
    auto client = sail::RpcClient::connect(*manager);
    if (client) {
      client_ = *std::move(client);
    } else {
      refused = client.error();
    }
    return client.has_value();
  });
  if (!let_in) return *refused;
  return {};
}

sail::Result<void> BenchWall::start_receivers(const Setup& setup) {
  const int tiles = setup.tiles_of_receiver.width * setup.tiles_of_receiver.height;
  const int count = setup.columns * setup.rows / tiles;
  for (int number = 1; number <= count && setup.node_processes == 0; ++number) {
    if (auto started = start_receiver(setup, number); !started) return started;
  }
  for (int i = 0; i < setup.node_processes; ++i) {
    const int before = count * i / setup.node_processes;
    const int after = count * (i + 1) / setup.node_processes;
    const auto nodes = start_program(
        "wall_nodes", {"--manager", manager_address_, fmt::format("--first={}", before + 1),
                       fmt::format("--count={}", after - before)});
    if (!nodes) return nodes.error();
    receivers_.push_back(*nodes);
  }
  return {};
}

sail::Result<void> BenchWall::start_receiver(const Setup& setup, int number) {
  const auto data_port = free_port();
  if (!data_port) return data_port.error();
  data_ports_.push_back(static_cast<uint16_t>(*data_port));
  std::vector<std::string> arguments = {
      "--manager",      manager_address_, "--name",  fmt::format("node{}", number),
      "--display=null", "--log-level",    "warning", fmt::format("--data-port={}", *data_port)};
  if (setup.refresh_hz > 0) {
    const int last = std::max(setup.columns * setup.rows - 1, 1);
    arguments.push_back(fmt::format("--refresh={}", setup.refresh_hz));
    arguments.push_back(fmt::format("--refresh-phase={}", setup.phases_ms * number / last));
  }
  if (setup.relays) {
    const auto relay_port = start_relay(*setup.relays, number, *data_port);
    if (!relay_port) return relay_port.error();
    arguments.push_back(fmt::format("--announce-port={}", *relay_port));
  }
  const auto receiver = start_program("vitrail-receiver", arguments);
  if (!receiver) return receiver.error();
  receivers_.push_back(*receiver);
  receiver_arguments_.push_back(std::move(arguments));
  return {};
}

sail::Result<void> BenchWall::replace_receiver(size_t index, int signal) {
  if (auto ended = end_program(receivers_[index], signal); !ended) return ended;
  const auto receiver = start_program("vitrail-receiver", receiver_arguments_[index]);
  if (!receiver) return receiver.error();
  receivers_[index] = *receiver;
  return {};
}

sail::Result<int> BenchWall::start_relay(const std::vector<std::string>& options, int number,
                                         int data_port) {
  const std::string port_file = fmt::format("{}/relay{}", folder_, number);
  std::vector<std::string> arguments = {
      "impair", "--listen=0", fmt::format("--to=127.0.0.1:{}", data_port),
      "--port-file=" + port_file, "--traffic=" + traffic_file(number)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const auto pid = start_program("vitrail", std::move(arguments));
  if (!pid) return pid.error();
  relays_.push_back(*pid);
  return wait_for_port(port_file);
}

std::string BenchWall::traffic_file(int number) const {
  return fmt::format("{}/traffic{}.csv", folder_, number);
}

std::map<int64_t, uint64_t> BenchWall::end_relays() {
  std::map<int64_t, uint64_t> bytes_by_ms;
  for (size_t i = 0; i < relays_.size(); ++i) {
    end_program(relays_[i]);
    std::ifstream file(traffic_file(static_cast<int>(i) + 1));
    std::string line;
    std::getline(file, line);  // the column names
    long long ms = 0;
    unsigned long long bytes = 0;
    while (std::getline(file, line)) {
      if (std::sscanf(line.c_str(), "%lld,%llu", &ms, &bytes) == 2) bytes_by_ms[ms] += bytes;
    }
  }
  relays_.clear();
  return bytes_by_ms;
}

sail::Result<int> BenchWall::wait_for_port(const std::string& file) {
  int port = 0;
  if (eventually([&] { return static_cast<bool>(std::ifstream(file) >> port); })) return port;
  return sail::fail(sail::ErrorCode::kTimeout, "a program does not listen");
}

sail::Result<pid_t> BenchWall::start_program(const char* name, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program(name));
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (log_to_file_) {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log_file().c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
  pid_t pid = 0;
  const int code = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) {
    return sail::fail(sail::ErrorCode::kIo,
                      fmt::format("cannot start {}: {}", arguments[0], std::strerror(code)));
  }
  processes_.push_back(pid);
  return pid;
}

sail::Result<void> BenchWall::run_program(const char* name, std::vector<std::string> arguments) {
  const auto pid = start_program(name, std::move(arguments));
  if (!pid) return pid.error();
  int status = 0;
  waitpid(*pid, &status, 0);
  std::erase(processes_, *pid);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return sail::fail(sail::ErrorCode::kIo, fmt::format("{} has failed", name));
}

sail::Result<void> BenchWall::end_program(pid_t pid, int signal) {
  std::erase(processes_, pid);
  kill(pid, signal);
  int status = 0;
  waitpid(pid, &status, 0);
  const bool unchanged =
      WIFSIGNALED(status) ? WTERMSIG(status) == signal : WEXITSTATUS(status) == 0;
  if (unchanged) return {};
  return sail::fail(sail::ErrorCode::kIo, ending_text(pid, status));
}

sail::Result<void> BenchWall::nobody_has_ended() {
  int status = 0;
  const pid_t pid = waitpid(-1, &status, WNOHANG);
  if (pid <= 0) return {};
  std::erase(processes_, pid);
  return sail::fail(sail::ErrorCode::kIo, ending_text(pid, status));
}

BenchWall::~BenchWall() {
  client_.reset();
  for (const pid_t pid : processes_) kill(pid, SIGTERM);
  for (const pid_t pid : processes_) waitpid(pid, nullptr, 0);
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

}  // namespace bench
