#include "tests/bench/hostile/hostile_connections.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "sail/core/time/clock.h"

namespace bench {
namespace {

sockaddr_in loopback(uint32_t host, uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(host);
  address.sin_port = htons(port);
  return address;
}

// Closes with a reset, so that no port stays in TIME_WAIT.
void give_up(int descriptor) {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close(descriptor);
}

}  // namespace

int connect_from(uint8_t address, uint16_t port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  const int one = 1;
  setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
  const sockaddr_in from = loopback((INADDR_LOOPBACK & 0xffff0000U) | (66U << 8) | address, 0);
  const sockaddr_in to = loopback(INADDR_LOOPBACK, port);
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&from), sizeof from) != 0 ||
      (connect(descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0 &&
       errno != EINPROGRESS)) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

HostileConnections::HostileConnections(Plan plan)
    : plan_(std::move(plan)), begun_ns_(sail::steady_now_ns()) {
  connections_.assign(plan_.count, {.fd = -1, .events = POLLOUT | POLLRDHUP, .revents = 0});
  connected_.assign(plan_.count, false);
}

HostileConnections::~HostileConnections() {
  for (const pollfd& connection : connections_) {
    if (connection.fd >= 0) give_up(connection.fd);
  }
}

std::vector<int> HostileConnections::turn() {
  const double seconds = static_cast<double>(sail::steady_now_ns() - begun_ns_) / 1e9;
  const auto due = static_cast<size_t>(seconds * plan_.opened_per_second);
  std::vector<int> fresh;
  poll(connections_.data(), connections_.size(), 0);
  for (size_t i = 0; i < connections_.size(); ++i) {
    pollfd& connection = connections_[i];
    if (connection.fd >= 0 && (connection.revents & (POLLERR | POLLHUP | POLLRDHUP)) != 0) {
      give_up(connection.fd);
      connection.fd = -1;
    }
    const bool may_open = plan_.renewed || opened_ < plan_.count;
    if (connection.fd < 0 && may_open && opened_ < due) {
      open_one(i);
    } else if (connection.fd >= 0 && !connected_[i] && (connection.revents & POLLOUT) != 0) {
      connected_[i] = true;
      connection.events = POLLRDHUP;
      fresh.push_back(connection.fd);
    }
  }
  return fresh;
}

void HostileConnections::open_one(size_t index) {
  const auto address = static_cast<uint8_t>(1 + index % static_cast<size_t>(plan_.addresses));
  const int descriptor = connect_from(address, plan_.ports[index % plan_.ports.size()]);
  // Unread data must wait at the other end.
  const int smallest = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &smallest, sizeof smallest);
  connections_[index] = {.fd = descriptor, .events = POLLOUT | POLLRDHUP, .revents = 0};
  connected_[index] = false;
  ++opened_;
}

Talker::Talker(uint8_t address, uint16_t port) : descriptor_(connect_from(address, port)) {
  if (descriptor_ < 0) return;
  fcntl(descriptor_, F_SETFL, 0);  // blocking from here on
  pollfd wanted{.fd = descriptor_, .events = POLLOUT, .revents = 0};
  poll(&wanted, 1, -1);
}

Talker::~Talker() {
  if (descriptor_ >= 0) give_up(descriptor_);
}

bool Talker::send(std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool Talker::read_line() {
  std::array<char, 65536> some;
  for (;;) {
    const ssize_t got = recv(descriptor_, some.data(), some.size(), 0);
    if (got <= 0) return false;
    // One answer for each request: a line ends where no data follows.
    if (some[static_cast<size_t>(got) - 1] == '\n') return true;
  }
}

}  // namespace bench
