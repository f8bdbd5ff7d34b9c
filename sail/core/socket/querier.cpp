#include "sail/core/socket/querier.h"

#include <fmt/core.h>
#include <ifaddrs.h>
#include <linux/filter.h>
#include <net/if.h>
#include <netinet/icmp6.h>
#include <netinet/igmp.h>
#include <netinet/in.h>
#include <netpacket/packet.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <thread>

#include "sail/core/address/socket_address.h"
#include "sail/core/socket/listening_socket.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kAnswerNs = 3 * kSecondNs;
constexpr std::chrono::milliseconds kJoined{200};  // so that switches and querier learn of it
constexpr uint16_t kIpv4Frames = 0x0800;           // Ethernet types
constexpr uint16_t kIpv6Frames = 0x86dd;
constexpr size_t kIpv4Bytes = 20;
constexpr size_t kIpv6Bytes = 40;

Error last_error(const char* what) {
  return fail(ErrorCode::kIo, fmt::format("{}: {}", what, std::strerror(errno)));
}

bool same_host(const sockaddr* a, const sockaddr_storage& b) {
  const auto* other = reinterpret_cast<const sockaddr*>(&b);
  if (a == nullptr || a->sa_family != other->sa_family) return false;
  return address_from(a).host == address_from(other).host;
}

// The name of the interface that has the address.
Result<std::string> interface_with(const std::string& here) {
  const auto address = numeric_socket_address({here, 0});
  if (!address) {
    return fail(ErrorCode::kInvalidParams, fmt::format("\"{}\" is not a numeric address", here));
  }
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return last_error("cannot list the interfaces");
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> list(all, freeifaddrs);
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    if (same_host(one->ifa_addr, *address)) return std::string(one->ifa_name);
  }
  return fail(ErrorCode::kIo, fmt::format("no interface has the address {}", here));
}

// The kernel drops all packets but those of IGMP, or of IPv6 with a header of options for routers.
// Otherwise a film's packets would fill the socket's buffer, and the query would be lost.
bool drop_others(int packets, bool ipv4) {
  constexpr uint32_t kIpv4Protocol = 9;  // places in the IP header
  constexpr uint32_t kIpv6Next = 6;
  constexpr uint32_t kAllBytes = UINT32_MAX;
  std::array<sock_filter, 4> steps{{
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, ipv4 ? kIpv4Protocol : kIpv6Next),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
               static_cast<uint32_t>(ipv4 ? int{IPPROTO_IGMP} : int{IPPROTO_HOPOPTS}), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, kAllBytes),
      BPF_STMT(BPF_RET | BPF_K, 0),
  }};
  const sock_fprog filter{.len = steps.size(), .filter = steps.data()};
  return setsockopt(packets, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) == 0;
}

// A socket for packets with queries, and maybe others, that come to the interface.
Result<Descriptor> open_packets(int interface, bool ipv4) {
  const uint16_t frames = htons(ipv4 ? kIpv4Frames : kIpv6Frames);
  // Without a protocol, so that it gets nothing from other interfaces before bind().
  Descriptor packets(socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (packets.get() < 0) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("cannot read packets: {}", std::strerror(errno)));
  }
  sockaddr_ll at{};
  at.sll_family = AF_PACKET;
  at.sll_protocol = frames;
  at.sll_ifindex = interface;
  // The query may be to the group, which this host has left by then.
  packet_mreq all{};
  all.mr_ifindex = interface;
  all.mr_type = PACKET_MR_ALLMULTI;
  if (!drop_others(packets.get(), ipv4) ||
      bind(packets.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 ||
      setsockopt(packets.get(), SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) != 0) {
    return last_error("cannot read packets");
  }
  return packets;
}

// A socket that is in the group until it is closed.
Result<Descriptor> join_group(int interface, const Address& group) {
  const auto address = numeric_socket_address(group);
  if (!address) {
    return fail(ErrorCode::kInvalidParams, fmt::format("\"{}\" is not a group", group.host));
  }
  const int family = address->ss_family;
  Descriptor member(socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  group_req request{};
  request.gr_interface = static_cast<uint32_t>(interface);
  request.gr_group = *address;
  if (member.get() < 0 ||
      setsockopt(member.get(), family == AF_INET ? int{IPPROTO_IP} : int{IPPROTO_IPV6},
                 MCAST_JOIN_GROUP, &request, sizeof request) != 0) {
    return last_error("cannot join the multicast group");
  }
  return member;
}

bool hears_query(int packets) {
  std::array<uint8_t, 256> bytes{};
  const int64_t until_ns = steady_now_ns() + kAnswerNs;
  for (int64_t left_ns = kAnswerNs; left_ns > 0; left_ns = until_ns - steady_now_ns()) {
    pollfd wanted{.fd = packets, .events = POLLIN, .revents = 0};
    if (poll(&wanted, 1, static_cast<int>(left_ns / kMillisecondNs) + 1) <= 0) continue;
    sockaddr_ll from{};
    socklen_t from_bytes = sizeof from;
    const ssize_t count = recvfrom(packets, bytes.data(), bytes.size(), 0,
                                   reinterpret_cast<sockaddr*>(&from), &from_bytes);
    if (count <= 0 || from.sll_pkttype == PACKET_OUTGOING) continue;
    if (is_membership_query(std::span(bytes).first(static_cast<size_t>(count)))) return true;
  }
  return false;
}

std::string read_all(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// An administrator may have chosen the version, which then tells nothing.
bool version_is_chosen(const std::string& interface) {
  for (const std::string& one : {std::string("all"), interface}) {
    const auto file = fmt::format("/proc/sys/net/ipv4/conf/{}/force_igmp_version", one);
    if (std::atoi(read_all(file).c_str()) != 0) return true;
  }
  return false;
}

}  // namespace

bool is_membership_query(std::span<const uint8_t> packet) {
  if (packet.size() > kIpv4Bytes && packet[0] >> 4 == 4) {
    const size_t header = size_t{4} * (packet[0] & 15);
    return packet[9] == IPPROTO_IGMP && packet.size() > header &&
           packet[header] == IGMP_MEMBERSHIP_QUERY;
  }
  // MLD always has a header of options for routers.
  if (packet.size() <= kIpv6Bytes + 1 || packet[0] >> 4 != 6 || packet[6] != IPPROTO_HOPOPTS) {
    return false;
  }
  const size_t header = kIpv6Bytes + size_t{8} * (size_t{1} + packet[kIpv6Bytes + 1]);
  return packet[kIpv6Bytes] == IPPROTO_ICMPV6 && packet.size() > header &&
         packet[header] == MLD_LISTENER_QUERY;
}

// Lines of interfaces: number, name, ":", number of groups, version.
bool reports_old_querier(const std::string& igmp, const std::string& interface) {
  std::istringstream lines(igmp);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, name, colon, groups, version;
    words >> number >> name >> colon >> groups >> version;
    if (name == interface && colon == ":") return version == "V1" || version == "V2";
  }
  return false;
}

Result<bool> querier_answers(const std::string& here, const IpAddress& group) {
  const auto name = interface_with(here);
  if (!name) return name.error();
  const auto interface = static_cast<int>(if_nametoindex(name->c_str()));
  const auto packets = open_packets(interface, group.is_ipv4());
  if (!packets && packets.error().code != ErrorCode::kUnavailable) return packets.error();
  {
    const auto member = join_group(interface, {ip_text(group), 0});
    if (!member) return member.error();
    std::this_thread::sleep_for(kJoined);
  }
  if (packets) return hears_query(packets->get());
  std::this_thread::sleep_for(kJoined);
  if (group.is_ipv4() && !version_is_chosen(*name) &&
      reports_old_querier(read_all("/proc/net/igmp"), *name)) {
    return true;
  }
  return packets.error();
}

}  // namespace sail
