#include "sail/core/socket/multicast.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace sail::multicast {
namespace {

Result<sockaddr_in> ipv4_address(const Address& address) {
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(address.port);
  if (inet_pton(AF_INET, address.host.c_str(), &v4.sin_addr) != 1) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("multicast needs IPv4, but {} is another address", address.host));
  }
  return v4;
}

template <typename T>
Result<void> set(int descriptor, int level, int option, const T& value, const char* what) {
  if (setsockopt(descriptor, level, option, &value, sizeof value) == 0) return {};
  return fail(ErrorCode::kIo, fmt::format("{}: {}", what, std::strerror(errno)));
}

Result<void> attach(int (*call)(int, const sockaddr*, socklen_t), int descriptor,
                    const sockaddr_in& to, const char* what) {
  if (call(descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return {};
  return fail(ErrorCode::kIo, fmt::format("{}: {}", what, std::strerror(errno)));
}

}  // namespace

// The system's default TTL is 1: packets stay on the network.
Result<void> connect(int descriptor, const Address& group, const std::string& here) {
  const auto to = ipv4_address(group);
  if (!to) return to.error();
  const auto from = ipv4_address({here, 0});
  if (!from) return from.error();
  if (auto bound = attach(::bind, descriptor, *from, "cannot bind the sender"); !bound) {
    return bound;
  }
  if (auto chosen = set(descriptor, IPPROTO_IP, IP_MULTICAST_IF, from->sin_addr,
                        "cannot send multicast from this interface");
      !chosen) {
    return chosen;
  }
  return attach(::connect, descriptor, *to, "cannot send to the multicast group");
}

// Several receivers of a host may have the group. Without IP_MULTICAST_ALL = 0 the socket would
// also get groups that other sockets have joined.
Result<void> join(int descriptor, const Address& group, const std::string& here,
                  const std::string& from) {
  const auto at = ipv4_address(group);
  if (!at) return at.error();
  const auto interface = ipv4_address({here, 0});
  if (!interface) return interface.error();
  const auto source = ipv4_address({from, 0});
  if (!source) return source.error();
  if (auto shared = set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1, "cannot share the port");
      !shared) {
    return shared;
  }
  if (auto alone = set(descriptor, IPPROTO_IP, IP_MULTICAST_ALL, 0, "cannot choose the group");
      !alone) {
    return alone;
  }
  if (auto bound = attach(::bind, descriptor, *at, "cannot bind the multicast group"); !bound) {
    return bound;
  }
  ip_mreq_source membership{};
  membership.imr_multiaddr = at->sin_addr;
  membership.imr_interface = interface->sin_addr;
  membership.imr_sourceaddr = source->sin_addr;
  return set(descriptor, IPPROTO_IP, IP_ADD_SOURCE_MEMBERSHIP, membership,
             "cannot join the multicast group");
}

}  // namespace sail::multicast
