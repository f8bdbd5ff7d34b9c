#include "sail/core/socket/multicast.h"

#include <fmt/core.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "sail/core/address/socket_address.h"

namespace sail::multicast {
namespace {

sockaddr* plain(sockaddr_storage& address) {
  return reinterpret_cast<sockaddr*>(&address);
}

sockaddr_in& v4(sockaddr_storage& address) {
  return reinterpret_cast<sockaddr_in&>(address);
}

sockaddr_in6& v6(sockaddr_storage& address) {
  return reinterpret_cast<sockaddr_in6&>(address);
}

Error last_error(const char* what) {
  return fail(ErrorCode::kIo, fmt::format("{}: {}", what, std::strerror(errno)));
}

template <typename T>
Result<void> set(int descriptor, int level, int option, const T& value, const char* what) {
  if (setsockopt(descriptor, level, option, &value, sizeof value) == 0) return {};
  return last_error(what);
}

Result<void> attach(int (*call)(int, const sockaddr*, socklen_t), int descriptor,
                    sockaddr_storage& to, const char* what) {
  if (call(descriptor, plain(to), socket_address_size(plain(to))) == 0) return {};
  return last_error(what);
}

Result<sockaddr_storage> numeric(const Address& address) {
  if (const auto found = numeric_socket_address(address)) return *found;
  return fail(ErrorCode::kInvalidParams,
              fmt::format("\"{}\" is not a numeric address", address.host));
}

// An address of the same version of IP as the group.
Result<sockaddr_storage> beside(const Address& group, const sockaddr_storage& group_address,
                                const std::string& host) {
  auto address = numeric({host, 0});
  if (!address) return address;
  if (address->ss_family == group_address.ss_family) return address;
  return fail(ErrorCode::kInvalidParams,
              fmt::format("the multicast group {} and {} are not of the same version of IP",
                          group.host, host));
}

// The number of the interface that has the IPv6 address.
Result<unsigned> interface_of(const sockaddr_in6& here, const std::string& host) {
  if (here.sin6_scope_id != 0) return here.sin6_scope_id;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return last_error("cannot list the interfaces");
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> list(all, freeifaddrs);
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET6) continue;
    const auto& address = reinterpret_cast<const sockaddr_in6&>(*one->ifa_addr);
    if (!IN6_ARE_ADDR_EQUAL(&address.sin6_addr, &here.sin6_addr)) continue;
    if (const unsigned number = if_nametoindex(one->ifa_name); number != 0) return number;
  }
  return fail(ErrorCode::kIo, fmt::format("no interface has the address {}", host));
}

Result<void> choose_ipv4(int descriptor, sockaddr_storage& here, int hops) {
  auto chosen = set(descriptor, IPPROTO_IP, IP_MULTICAST_IF, v4(here).sin_addr,
                    "cannot send multicast from this interface");
  if (!chosen) return chosen;
  return set(descriptor, IPPROTO_IP, IP_MULTICAST_TTL, hops, "cannot set the TTL");
}

Result<void> choose_ipv6(int descriptor, sockaddr_storage& here, const std::string& host, int hops,
                         sockaddr_storage& group) {
  const auto interface = interface_of(v6(here), host);
  if (!interface) return interface.error();
  v6(group).sin6_scope_id = *interface;
  auto chosen = set(descriptor, IPPROTO_IPV6, IPV6_MULTICAST_IF, static_cast<int>(*interface),
                    "cannot send multicast from this interface");
  if (!chosen) return chosen;
  return set(descriptor, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, hops, "cannot set the hop limit");
}

constexpr const char* kCannotJoin = "cannot join the multicast group";

Result<void> join_ipv4(int descriptor, sockaddr_storage& group, sockaddr_storage& here,
                       sockaddr_storage& from) {
  ip_mreq_source membership{};
  membership.imr_multiaddr = v4(group).sin_addr;
  membership.imr_interface = v4(here).sin_addr;
  membership.imr_sourceaddr = v4(from).sin_addr;
  return set(descriptor, IPPROTO_IP, IP_ADD_SOURCE_MEMBERSHIP, membership, kCannotJoin);
}

Result<void> join_ipv6(int descriptor, const sockaddr_storage& group,
                       const sockaddr_storage& from) {
  group_source_req membership{};
  membership.gsr_interface = reinterpret_cast<const sockaddr_in6&>(group).sin6_scope_id;
  membership.gsr_group = group;
  membership.gsr_source = from;
  return set(descriptor, IPPROTO_IPV6, MCAST_JOIN_SOURCE_GROUP, membership, kCannotJoin);
}

// Several receivers of a host may have the group. Without …_MULTICAST_ALL = 0 the socket would also
// get groups that other sockets have joined.
Result<void> bind_group(int descriptor, sockaddr_storage& group) {
  const bool ipv4 = group.ss_family == AF_INET;
  auto done = set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1, "cannot share the port");
  if (!done) return done;
  done = set(descriptor, ipv4 ? IPPROTO_IP : IPPROTO_IPV6,
             ipv4 ? IP_MULTICAST_ALL : IPV6_MULTICAST_ALL, 0, "cannot choose the group");
  if (!done) return done;
  return attach(::bind, descriptor, group, "cannot bind the multicast group");
}

}  // namespace

Result<void> connect(int descriptor, const Address& group, const std::string& here, int hops) {
  auto to = numeric(group);
  if (!to) return to.error();
  auto from = beside(group, *to, here);
  if (!from) return from.error();
  if (auto bound = attach(::bind, descriptor, *from, "cannot bind the sender"); !bound) {
    return bound;
  }
  auto chosen = to->ss_family == AF_INET ? choose_ipv4(descriptor, *from, hops)
                                         : choose_ipv6(descriptor, *from, here, hops, *to);
  if (!chosen) return chosen;
  return attach(::connect, descriptor, *to, "cannot send to the multicast group");
}

Result<void> join(int descriptor, const Address& group, const std::string& here,
                  const std::string& from) {
  auto at = numeric(group);
  if (!at) return at.error();
  auto interface = beside(group, *at, here);
  if (!interface) return interface.error();
  auto source = beside(group, *at, from);
  if (!source) return source.error();
  const bool ipv4 = at->ss_family == AF_INET;
  if (!ipv4) {
    const auto number = interface_of(v6(*interface), here);
    if (!number) return number.error();
    v6(*at).sin6_scope_id = *number;
  }
  if (auto bound = bind_group(descriptor, *at); !bound) return bound;
  return ipv4 ? join_ipv4(descriptor, *at, *interface, *source)
              : join_ipv6(descriptor, *at, *source);
}

Result<void> join_from_all(int descriptor, const Address& group, bool loopback) {
  auto at = numeric(group);
  if (!at) return at.error();
  sockaddr_storage own = *at;
  // A socket that is bound to a group of link-local reach is bound to one interface, too.
  const bool link_local = at->ss_family == AF_INET6 && IN6_IS_ADDR_MC_LINKLOCAL(&v6(own).sin6_addr);
  if (link_local) v6(own).sin6_addr = in6addr_any;
  if (auto bound = bind_group(descriptor, own); !bound) return bound;
  const std::unique_ptr<struct if_nameindex[], decltype(&if_freenameindex)> interfaces(
      if_nameindex(), if_freenameindex);
  if (!interfaces) return last_error("cannot list the interfaces");
  const int level = at->ss_family == AF_INET ? IPPROTO_IP : IPPROTO_IPV6;
  bool joined = false;
  errno = ENODEV;  // without any interface
  for (size_t i = 0; interfaces[i].if_index != 0; ++i) {
    if (loopback && std::strcmp(interfaces[i].if_name, "lo") != 0) continue;
    group_req membership{};
    membership.gr_interface = interfaces[i].if_index;
    membership.gr_group = *at;
    joined |= set(descriptor, level, MCAST_JOIN_GROUP, membership, kCannotJoin).has_value();
  }
  return joined ? Result<void>() : last_error(kCannotJoin);
}

}  // namespace sail::multicast
