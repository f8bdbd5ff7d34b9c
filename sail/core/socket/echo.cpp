#include "sail/core/socket/echo.h"

#include <fmt/core.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <vector>

#include "sail/core/address/socket_address.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int kIcmpHeaderBytes = 8;
constexpr int64_t kBetweenNs = 200'000;
constexpr int64_t kWaitTimeoutNs = 500'000'000;

class EchoSocket {
 public:
  EchoSocket() = default;
  ~EchoSocket() {
    if (socket_ >= 0) close(socket_);
  }
  EchoSocket(const EchoSocket&) = delete;
  EchoSocket& operator=(const EchoSocket&) = delete;

  Result<void> open(const std::string& host) {
    const auto numeric = numeric_socket_address({host, 0});
    if (!numeric) {
      return fail(ErrorCode::kInvalidParams, fmt::format("{} is not a numeric address", host));
    }
    const auto* address = reinterpret_cast<const sockaddr*>(&*numeric);
    six_ = address->sa_family == AF_INET6;
    socket_ = socket(six_ ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
                     six_ ? int{IPPROTO_ICMPV6} : int{IPPROTO_ICMP});
    static_assert(IPV6_PMTUDISC_PROBE == IP_PMTUDISC_PROBE);
    const int probe = IP_PMTUDISC_PROBE;
    if (socket_ < 0 ||
        setsockopt(socket_, six_ ? int{IPPROTO_IPV6} : int{IPPROTO_IP},
                   six_ ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER, &probe, sizeof(probe)) != 0 ||
        connect(socket_, address, socket_address_size(address)) != 0) {
      return fail(ErrorCode::kUnavailable,
                  fmt::format("cannot send packets to {}: {}", host, std::strerror(errno)));
    }
    return {};
  }

  // Bytes of IP and ICMP headers.
  int overhead() const { return (six_ ? 40 : 20) + kIcmpHeaderBytes; }

  // Returns errno; 0 if the packet was sent.
  int send_one(uint16_t number, size_t payload_bytes) {
    std::vector<uint8_t> message(kIcmpHeaderBytes + payload_bytes);
    message[0] = six_ ? ICMP6_ECHO_REQUEST : ICMP_ECHO;
    message[6] = static_cast<uint8_t>(number >> 8);
    message[7] = static_cast<uint8_t>(number);
    return send(socket_, message.data(), message.size(), 0) < 0 ? errno : 0;
  }

  // Returns the sequence number of an answer; −1 if there is none within wait_ns.
  int take_one(int64_t wait_ns) {
    pollfd wanted{.fd = socket_, .events = POLLIN, .revents = 0};
    const timespec wait{.tv_sec = wait_ns / 1'000'000'000, .tv_nsec = wait_ns % 1'000'000'000};
    if (ppoll(&wanted, 1, &wait, nullptr) <= 0) return -1;
    std::array<uint8_t, kIcmpHeaderBytes> message{};
    const ssize_t bytes = recv(socket_, message.data(), message.size(), MSG_TRUNC);
    const bool answer =
        bytes >= kIcmpHeaderBytes && message[0] == (six_ ? ICMP6_ECHO_REPLY : ICMP_ECHOREPLY);
    return answer ? message[6] << 8 | message[7] : -1;
  }

 private:
  int socket_ = -1;
  bool six_ = false;
};

}  // namespace

Result<EchoTally> echo(const std::string& host, int packet_bytes, int count) {
  EchoSocket socket;
  if (auto opened = socket.open(host); !opened) return opened.error();
  const auto payload = static_cast<size_t>(std::max(packet_bytes - socket.overhead(), 0));
  EchoTally tally;
  std::vector<int64_t> sent_ns(static_cast<size_t>(count));
  std::vector<int64_t> times_ns;
  const auto take_until = [&](int64_t until_ns) {
    for (int64_t now_ns = steady_now_ns(); now_ns < until_ns && tally.came < tally.sent;
         now_ns = steady_now_ns()) {
      const int number = socket.take_one(until_ns - now_ns);
      if (number < 0 || number >= count || sent_ns[static_cast<size_t>(number)] == 0) continue;
      times_ns.push_back(steady_now_ns() - sent_ns[static_cast<size_t>(number)]);
      sent_ns[static_cast<size_t>(number)] = 0;
      ++tally.came;
    }
  };
  for (int number = 0; number < count; ++number) {
    sent_ns[static_cast<size_t>(number)] = steady_now_ns();
    const int error = socket.send_one(static_cast<uint16_t>(number), payload);
    if (error == EMSGSIZE) {
      tally.too_large = true;
      return tally;
    }
    ++tally.sent;
    take_until(steady_now_ns() + kBetweenNs);
  }
  take_until(steady_now_ns() + kWaitTimeoutNs);
  if (!times_ns.empty()) {
    const auto middle = times_ns.begin() + std::ssize(times_ns) / 2;
    std::ranges::nth_element(times_ns, middle);
    tally.round_trip_ms = static_cast<double>(*middle) / 1e6;
  }
  return tally;
}

}  // namespace sail
