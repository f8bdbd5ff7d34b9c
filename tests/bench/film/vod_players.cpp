#include "tests/bench/film/vod_players.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "sail/core/time/clock.h"

namespace bench {
namespace {

// Players of a film are at different positions, this many bytes apart.
constexpr size_t kApart = 150'001;
constexpr double kBitsOfMegabyte = 1e6 / 8;
constexpr double kAheadS = 0.5;
constexpr std::chrono::milliseconds kPollInterval(20);
constexpr int kLeastBuffer = 64 << 10;
constexpr double kBufferS = 0.1;
constexpr size_t kAtOnce = size_t{1} << 20;

int connect_to(uint16_t port, int buffer) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(made, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return made;
  close(made);
  return -1;
}

}  // namespace

VodPlayers::~VodPlayers() {
  for (const Player& player : players_) close(player.socket);
}

sail::Result<bool> VodPlayers::add(const std::string& film, bool best_effort) {
  Player player;
  player.bytes_per_s = std::strtod(film.c_str(), nullptr) * kBitsOfMegabyte;
  player.best_effort = best_effort;
  const int buffer = std::max(kLeastBuffer, static_cast<int>(player.bytes_per_s * kBufferS));
  const int64_t asked_ns = sail::steady_now_ns();
  player.socket = connect_to(port_, buffer);
  if (player.socket < 0) return sail::fail(sail::ErrorCode::kIo, "cannot connect");
  const std::string text =
      fmt::format("GET /{}{} HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: bytes={}-\r\n\r\n", film,
                  best_effort ? "?best_effort" : "", players_.size() * kApart);
  std::string head;
  char byte = 0;
  if (send(player.socket, text.data(), text.size(), MSG_NOSIGNAL) > 0) {
    while (!head.ends_with("\r\n\r\n") && recv(player.socket, &byte, 1, 0) == 1) head += byte;
  }
  if (!head.starts_with("HTTP/1.1 206 ")) {
    close(player.socket);
    if (head.starts_with("HTTP/1.1 503 ")) return false;
    return sail::fail(sail::ErrorCode::kIo, "the server answers: " + head.substr(0, 80));
  }
  recv(player.socket, &byte, 1, MSG_PEEK);
  fcntl(player.socket, F_SETFL, O_NONBLOCK);
  player.begun_ns = sail::steady_now_ns();
  player.first_byte_ms = static_cast<double>(player.begun_ns - asked_ns) / 1e6;
  players_.push_back(player);
  return true;
}

std::vector<double> VodPlayers::first_byte_ms() const {
  std::vector<double> times;
  for (const Player& player : players_) times.push_back(player.first_byte_ms);
  std::ranges::sort(times);
  return times;
}

void VodPlayers::take(Player& player, int64_t now_ns) {
  const double time_s = static_cast<double>(now_ns - player.begun_ns) / sail::kSecondNs;
  for (;;) {
    const double room = (time_s + kAheadS) * player.bytes_per_s - player.got;
    player.wants = room >= 1;
    if (!player.wants) return;
    const size_t most = std::min(kAtOnce, static_cast<size_t>(room));
    const ssize_t got = recv(player.socket, nullptr, most, MSG_TRUNC);
    if (got <= 0) return;
    player.got += static_cast<double>(got);
  }
}

std::vector<VodPlayers::Share> VodPlayers::play(double seconds) {
  const int64_t begin_ns = sail::steady_now_ns();
  for (Player& player : players_) player.then = player.got;
  const auto time_s = [&] {
    return static_cast<double>(sail::steady_now_ns() - begin_ns) / sail::kSecondNs;
  };
  double played_s = 0;
  while (played_s < seconds) {
    for (Player& player : players_) take(player, sail::steady_now_ns());
    played_s = time_s();
    std::this_thread::sleep_for(kPollInterval);
  }
  std::vector<Share> shares;
  shares.reserve(players_.size());
  for (const Player& player : players_) {
    shares.push_back({player.bytes_per_s / kBitsOfMegabyte, player.best_effort,
                      (player.got - player.then) / (player.bytes_per_s * played_s)});
  }
  return shares;
}

bool VodPlayers::settled() const {
  const auto best_effort = std::ranges::count_if(players_, &Player::best_effort);
  const auto want = std::ranges::count_if(
      players_, [](const Player& player) { return player.best_effort && player.wants; });
  return want == 0 || want == best_effort;
}

}  // namespace bench
