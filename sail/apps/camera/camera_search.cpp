#include "sail/apps/camera/camera_search.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "sail/apps/camera/camera_url.h"
#include "sail/apps/camera/onvif_calls.h"
#include "sail/core/address/address.h"
#include "sail/core/base/c_library.h"
#include "sail/core/base/secret.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr uint16_t kDiscoveryPort = 3702;
constexpr const char* kDiscoveryGroup = "239.255.255.250";
constexpr size_t kMostInterfaces = 32;
constexpr int64_t kRepeatMs = 700;  // datagrams may be lost

Error system_error(const std::string& what) {
  return fail(ErrorCode::kIo, fmt::format("{}: {}", what, std::strerror(errno)));
}

class ProbeSocket {
 public:
  ProbeSocket(int descriptor, const sockaddr_in& to) : descriptor_(descriptor), to_(to) {}
  ~ProbeSocket() { ::close(descriptor_); }
  ProbeSocket(const ProbeSocket&) = delete;
  ProbeSocket& operator=(const ProbeSocket&) = delete;

  int descriptor() const { return descriptor_; }
  bool send(const std::string& message) const {
    return ::sendto(descriptor_, message.data(), message.size(), 0,
                    reinterpret_cast<const sockaddr*>(&to_), sizeof to_) >= 0;
  }

 private:
  const int descriptor_;
  const sockaddr_in to_;
};
using ProbeSockets = std::vector<std::unique_ptr<ProbeSocket>>;

// from: the interface's address; empty: the system chooses.
Result<std::unique_ptr<ProbeSocket>> probe_socket(const sockaddr_in& to,
                                                  const std::optional<in_addr>& from) {
  const int descriptor = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return system_error("cannot open a socket");
  auto made = std::make_unique<ProbeSocket>(descriptor, to);
  if (!from) return made;
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr = *from;
  if (::setsockopt(descriptor, IPPROTO_IP, IP_MULTICAST_IF, &*from, sizeof *from) != 0 ||
      ::bind(descriptor, reinterpret_cast<const sockaddr*>(&here), sizeof here) != 0) {
    return system_error("cannot use the interface");
  }
  return made;
}

Result<ProbeSockets> sockets_to_host(const std::string& text) {
  const auto at = parse_address(text, {"", kDiscoveryPort});
  if (!at) return at.error();
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* list = nullptr;
  const int failed =
      ::getaddrinfo(at->host.c_str(), std::to_string(at->port).c_str(), &hints, &list);
  const std::unique_ptr<addrinfo, FreedBy<::freeaddrinfo>> found(list);
  if (failed != 0) {
    return fail(ErrorCode::kNotFound,
                fmt::format("'{}' has no IPv4 address: {}", at->host, ::gai_strerror(failed)));
  }
  sockaddr_in to{};
  std::memcpy(&to, found->ai_addr, sizeof to);
  auto made = probe_socket(to, std::nullopt);
  if (!made) return made.error();
  ProbeSockets sockets;
  sockets.push_back(std::move(*made));
  return sockets;
}

// name: empty for all that are up and reach others by multicast.
Result<ProbeSockets> sockets_of_interfaces(const std::string& name) {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return system_error("cannot list the network interfaces");
  const std::unique_ptr<ifaddrs, FreedBy<::freeifaddrs>> all(list);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(kDiscoveryPort);
  ::inet_pton(AF_INET, kDiscoveryGroup, &to.sin_addr);
  ProbeSockets sockets;
  for (const ifaddrs* one = all.get(); one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    constexpr unsigned kWanted = IFF_UP | IFF_MULTICAST;
    const bool is_usual =
        (one->ifa_flags & kWanted) == kWanted && (one->ifa_flags & IFF_LOOPBACK) == 0;
    if (name.empty() ? !is_usual : name != one->ifa_name) continue;
    if (sockets.size() >= kMostInterfaces) break;
    sockaddr_in here{};
    std::memcpy(&here, one->ifa_addr, sizeof here);
    // An interface that fails does not keep the others from being asked.
    if (auto made = probe_socket(to, here.sin_addr)) sockets.push_back(std::move(*made));
  }
  if (!sockets.empty()) return sockets;
  return fail(ErrorCode::kNotFound,
              name.empty() ? "this host has no network interface with IPv4 and multicast"
                           : fmt::format("there is no interface '{}' with an IPv4 address", name));
}

// "urn:uuid:…" of version 4.
std::string new_message_id() {
  const std::string digits = random_word();
  return fmt::format("urn:uuid:{}-{}-4{}-8{}-{}", digits.substr(0, 8), digits.substr(8, 4),
                     digits.substr(13, 3), digits.substr(17, 3), digits.substr(20, 12));
}

class Search {
 public:
  explicit Search(ProbeSockets sockets) : sockets_(std::move(sockets)) {
    for (const ProbedType type : {ProbedType::kVideoTransmitter, ProbedType::kDevice}) {
      ids_.push_back(new_message_id());
      messages_.push_back(probe_message(type, ids_.back()));
    }
  }

  Result<void> send() const {
    bool is_sent = false;
    for (const auto& socket : sockets_) {
      for (const std::string& message : messages_) is_sent |= socket->send(message);
    }
    if (!is_sent) return system_error("cannot send the probe");
    return {};
  }

  void receive(int64_t for_ms) {
    const int64_t end_ns = steady_now_ns() + for_ms * kMillisecondNs;
    std::vector<pollfd> polled;
    for (const auto& socket : sockets_) polled.push_back({socket->descriptor(), POLLIN, 0});
    for (int64_t left_ns = end_ns - steady_now_ns(); left_ns > 0;
         left_ns = end_ns - steady_now_ns()) {
      const int ready =
          ::poll(polled.data(), polled.size(), static_cast<int>(left_ns / kMillisecondNs) + 1);
      if (ready < 0 && errno != EINTR) return;
      for (const pollfd& one : polled) {
        if (ready > 0 && one.revents != 0) take(one.fd);
      }
    }
  }

  std::vector<FoundCamera> found() const {
    std::vector<FoundCamera> cameras;
    for (const auto& [device, camera] : found_) cameras.push_back(camera);
    return cameras;
  }

 private:
  void take(int descriptor) {
    std::string datagram(size_t{64} << 10, '\0');
    sockaddr_in from{};
    socklen_t length = sizeof from;
    const ssize_t bytes = ::recvfrom(descriptor, datagram.data(), datagram.size(), 0,
                                     reinterpret_cast<sockaddr*>(&from), &length);
    if (bytes <= 0) return;
    datagram.resize(static_cast<size_t>(bytes));
    char sender[INET_ADDRSTRLEN] = {};
    ::inet_ntop(AF_INET, &from.sin_addr, sender, sizeof sender);
    // Other hosts may send anything.
    const auto matches = read_probe_matches(datagram);
    if (!matches) return;
    for (const ProbeMatch& match : *matches) {
      if (std::ranges::find(ids_, match.answers) == ids_.end()) continue;
      FoundCamera camera = found_camera(match, sender);
      if (found_.size() < kMostFoundCameras) found_.try_emplace(camera.device, camera);
    }
  }

  const ProbeSockets sockets_;
  std::vector<std::string> ids_;
  std::vector<std::string> messages_;
  std::map<std::string, FoundCamera> found_;
};

}  // namespace

FoundCamera found_camera(const ProbeMatch& match, const std::string& sender) {
  std::vector<CameraUrl> told;
  for (const std::string& address : match.addresses) {
    const auto url = parse_camera_url(address);
    if (url && url->scheme.starts_with("http") && url->text().size() <= kLongestCameraUrl) {
      told.push_back(url->without_login());
    }
  }
  const auto same = std::ranges::find(told, sender, &CameraUrl::host);
  CameraUrl device = *parse_device(sender);
  if (same != told.end()) {
    device = *same;
  } else if (!told.empty()) {
    device = told.front();
    device.host = sender;
  }
  return {match.name, match.model, device.text()};
}

Result<std::vector<FoundCamera>> find_cameras(const CameraSearch& search) {
  auto sockets =
      search.host.empty() ? sockets_of_interfaces(search.interface) : sockets_to_host(search.host);
  if (!sockets) return sockets.error();
  Search running(std::move(*sockets));
  if (auto sent = running.send(); !sent) return sent.error();
  running.receive(std::min(kRepeatMs, search.wait_ms));
  // The answers to the first probe count, whatever becomes of the second.
  static_cast<void>(running.send());
  running.receive(std::max<int64_t>(search.wait_ms - kRepeatMs, 0));
  return running.found();
}

}  // namespace sail
