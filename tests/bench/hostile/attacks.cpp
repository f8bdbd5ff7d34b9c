#include "tests/bench/hostile/attacks.h"

#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string_view>
#include <thread>

#include "tests/bench/hostile/flood.h"
#include "tests/bench/hostile/hostile_connections.h"

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kTurn = std::chrono::milliseconds(20);
constexpr auto kComeAgain = std::chrono::milliseconds(50);  // after a session was ended
constexpr double kOpenedWithin = 0.2;                       // share of the attack's time
constexpr size_t kIdle = 5000;
constexpr size_t kRenewed = 1500;
constexpr size_t kUnopened = 600;
constexpr size_t kDeaf = 300;
constexpr double kDeafAsksPerSecond = 2000;  // total rate
constexpr int kPourers = 4;
constexpr size_t kLongLine = 1'000'000;  // bytes
constexpr double kDatagrams = 100'000;

constexpr std::string_view kHello =
    R"({"jsonrpc":"2.0","id":1,"method":"hello","params":{"role":"ui","protocol":3,"name":"stranger"}})"
    "\n";
constexpr std::string_view kSubscribe =
    R"({"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"figures":true}})"
    "\n";

std::string request(std::string_view verb) {
  return R"({"jsonrpc":"2.0","id":3,"method":")" + std::string(verb) + "\"}\n";
}

[[noreturn]] void stay(HostileConnections& hostile_connections) {
  for (;;) {
    hostile_connections.turn();
    std::this_thread::sleep_for(kTurn);
  }
}

void idle(const AttackTarget& target) {
  HostileConnections hostile_connections(
      {.ports = {target.manager_port},
       .count = kIdle,
       .opened_per_second = kIdle / target.seconds / kOpenedWithin,
       .addresses = target.addresses});
  stay(hostile_connections);
}

void renewed(const AttackTarget& target) {
  HostileConnections hostile_connections({.ports = {target.manager_port},
                                          .count = kRenewed,
                                          .opened_per_second = kRenewed,
                                          .renewed = true,
                                          .addresses = target.addresses});
  stay(hostile_connections);
}

void unopened(const AttackTarget& target) {
  HostileConnections hostile_connections({.ports = target.data_ports,
                                          .count = kUnopened,
                                          .opened_per_second = kUnopened,
                                          .renewed = true,
                                          .addresses = target.addresses});
  stay(hostile_connections);
}

// Valid JSON throughout, so that parsing it costs the manager most.
void long_lines(const AttackTarget& target) {
  std::string line = "[0";
  while (line.size() < kLongLine) line += ",0";
  line += "]\n";
  std::vector<std::thread> pourers;
  for (int i = 0; i < kPourers; ++i) {
    pourers.emplace_back([&] {
      for (;;) {
        Talker talker(1, target.manager_port);
        while (talker.send(line)) {
        }
        std::this_thread::sleep_for(kComeAgain);
      }
    });
  }
  for (std::thread& pourer : pourers) pourer.join();
}

// Sends the next request as soon as the last one is answered.
[[noreturn]] void ask_again_and_again(const AttackTarget& target, std::string_view verb) {
  const std::string question = request(verb);
  for (;;) {
    Talker talker(1, target.manager_port);
    bool open = talker.send(kHello) && talker.read_line();
    while (open) open = talker.send(question) && talker.read_line();
    std::this_thread::sleep_for(kComeAgain);
  }
}

void list(const AttackTarget& target) {
  ask_again_and_again(target, "list");
}

void snapshot(const AttackTarget& target) {
  ask_again_and_again(target, "snapshot");
}

// Peers that send requests and read nothing.
void deaf(const AttackTarget& target) {
  HostileConnections hostile_connections(
      {.ports = {target.manager_port},
       .count = kDeaf,
       .opened_per_second = kDeaf / target.seconds / kOpenedWithin,
       .addresses = target.addresses});
  const std::string question = request("list");
  std::vector<int> here;
  const auto begin = Clock::now();
  for (size_t asked = 0;;) {
    for (const int descriptor : hostile_connections.turn()) {
      here.push_back(descriptor);
      send(descriptor, kHello.data(), kHello.size(), MSG_NOSIGNAL);
      send(descriptor, kSubscribe.data(), kSubscribe.size(), MSG_NOSIGNAL);
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto due = static_cast<size_t>(seconds * kDeafAsksPerSecond);
    for (; asked < due && !here.empty(); ++asked) {
      send(here[asked % here.size()], question.data(), question.size(),
           MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    std::this_thread::sleep_for(kTurn);
  }
}

void datagrams(const AttackTarget& target) {
  const double per_second =
      kDatagrams / target.seconds / static_cast<double>(target.data_ports.size());
  std::vector<std::unique_ptr<Flood>> floods;
  for (const uint16_t port : target.data_ports) {
    floods.push_back(std::make_unique<Flood>(port, per_second));
  }
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

const std::vector<NamedAttack>& attacks() {
  static const std::vector<NamedAttack> all = {
      {"idle", "5,000 connections that say nothing", idle},
      {"renewed", "1,500 that say nothing and come again", renewed},
      {"long-lines", "4 senders of 1 MB lines before hello", long_lines},
      {"list", "a client that loops list", list},
      {"snapshot", "a client that loops snapshot", snapshot},
      {"deaf", "300 clients that ask and read nothing", deaf},
      {"datagrams", "100,000 forged datagrams", datagrams},
      {"unopened", "600 data connections that say nothing", unopened},
  };
  return all;
}

const NamedAttack* attack_named(const std::string& name) {
  const auto found = std::find_if(attacks().begin(), attacks().end(),
                                  [&](const NamedAttack& attack) { return attack.name == name; });
  return found == attacks().end() ? nullptr : &*found;
}

}  // namespace bench
