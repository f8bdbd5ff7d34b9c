#include "tests/bench/hostile/attacks.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

#include "sail/core/wire/data/packets.h"
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

namespace {

constexpr size_t kBatch = 64;
constexpr size_t kKinds = 4;
constexpr size_t kTooLong = 20000;

// Datagrams of each kind in turn.
std::vector<std::vector<uint8_t>> make_datagrams() {
  std::mt19937 random(1);
  const auto noise = [&](size_t bytes) {
    std::vector<uint8_t> datagram(bytes);
    for (uint8_t& byte : datagram) byte = static_cast<uint8_t>(random());
    return datagram;
  };
  const auto forged = [&](size_t bytes) {
    auto datagram = noise(bytes);
    const sail::PacketHeader header{.type = sail::PacketType::kSource,
                                    .stream = 1,
                                    .secret = random(),
                                    .number = 1 + random() % 1000};
    const sail::FramePacket packet{.name = {.frame = 1 + random() % 1000, .epoch = 1}};
    if (bytes < sail::kFramePacketBytes) datagram.resize(sail::kFramePacketBytes);
    sail::encode_to(datagram, header, packet);
    datagram.resize(bytes);
    return datagram;
  };
  std::vector<std::vector<uint8_t>> datagrams;
  for (size_t i = 0; i < kBatch; ++i) {
    switch (i % kKinds) {
      case 0:
        datagrams.push_back(noise(random() % 1500));
        break;
      case 1:
        datagrams.push_back(forged(1452));
        break;
      case 2:
        datagrams.push_back(forged(random() % sail::kFramePacketBytes));
        break;
      default:
        datagrams.push_back(i % 16 == 3 ? noise(kTooLong) : forged(200));
    }
  }
  return datagrams;
}

}  // namespace

Flood::Flood(uint16_t port, double per_second)
    : thread_([this, port, per_second] { run(port, per_second); }) {}

Flood::~Flood() {
  ended_ = true;
  thread_.join();
}

void Flood::run(uint16_t port, double per_second) {
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto datagrams = make_datagrams();
  std::array<iovec, kBatch> parts{};
  std::array<mmsghdr, kBatch> messages{};
  for (size_t i = 0; i < kBatch; ++i) {
    parts[i] = {datagrams[i].data(), datagrams[i].size()};
    messages[i].msg_hdr.msg_name = &to;
    messages[i].msg_hdr.msg_namelen = sizeof to;
    messages[i].msg_hdr.msg_iov = &parts[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  const auto begin = std::chrono::steady_clock::now();
  while (!ended_) {
    const int count = sendmmsg(descriptor, messages.data(), kBatch, 0);
    if (count > 0) sent_ += static_cast<uint64_t>(count);
    std::this_thread::sleep_until(
        begin + std::chrono::duration<double>(static_cast<double>(sent_) / per_second));
  }
  close(descriptor);
}

}  // namespace bench
