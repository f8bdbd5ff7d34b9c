#include "sail/core/socket/udp.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <limits>
#include <utility>
#include <vector>

#include "sail/core/address/socket_address.h"
#include "sail/core/loop/handle.h"
#include "sail/core/socket/multicast.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

// Messages per system call. A message has up to 64 KiB of datagrams joined by the kernel.
constexpr size_t kReceiveMessages = 8;
constexpr size_t kReceiveBytes = 65536;
// System calls before the loop handles other events.
constexpr int kReceiveCalls = 8;
constexpr size_t kSendMessages = 32;
// Kernel limits of a segmented message (UDP_MAX_SEGMENTS, and the longest IP packet).
constexpr size_t kMaxSegments = 64;
constexpr size_t kMaxSegmentedBytes = 65000;
constexpr size_t kMaxParts = 1024;  // UIO_MAXIOV

int64_t nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Kernel time stamps use the system clock, which may be set. Reads the steady clock before and
// after the system clock, and repeats if the thread was interrupted in between.
int64_t steady_minus_realtime_ns() {
  constexpr int64_t kUndisturbedNs = 2000;
  constexpr int kLooks = 4;
  int64_t difference = 0;
  int64_t least_gap = std::numeric_limits<int64_t>::max();
  for (int look = 0; look < kLooks && least_gap > kUndisturbedNs; ++look) {
    timespec realtime{};
    const int64_t before = steady_now_ns();
    clock_gettime(CLOCK_REALTIME, &realtime);
    const int64_t gap = steady_now_ns() - before;
    if (gap >= least_gap) continue;
    least_gap = gap;
    difference = before + gap / 2 - nanoseconds(realtime);
  }
  return difference;
}

template <typename T>
bool set_option(int descriptor, int level, int option, const T& value) {
  return setsockopt(descriptor, level, option, &value, sizeof value) == 0;
}

template <typename T>
T cmsg_value(const cmsghdr* header) {
  T value{};
  std::memcpy(&value, CMSG_DATA(header), sizeof value);
  return value;
}

// Errors of a segmented send: unsupported by the kernel or socket, or larger than the path MTU.
bool means_no_segmentation(int error) {
  return error == EIO || error == EINVAL || error == EOPNOTSUPP || error == EMSGSIZE;
}

Error system_error(ErrorCode code, std::string_view what, const Address& address) {
  return Error{code, fmt::format("{} {}: {}", what, address_text(address), std::strerror(errno))};
}

std::string buffer_advice(const char* limit, size_t wanted, size_t got) {
  if (got >= wanted) return {};
  return fmt::format(
      "the kernel limits the socket's buffer to {} KiB of the wanted {} KiB; raise the limit with: "
      "sysctl -w {}={}",
      got >> 10, wanted >> 10, limit, wanted);
}

}  // namespace

struct UdpSocket::Impl {
  int descriptor = -1;
  UdpReader* reader = nullptr;
  bool segmentation = true;
  std::unique_ptr<ReadWatch> watch;

  std::vector<uint8_t> bytes;  // received messages
  std::vector<Datagram> datagrams;
  int64_t last_arrived_ns = 0;

  // Scratch space of send(), kept for its capacity.
  std::vector<iovec> parts;
  struct Control {
    alignas(cmsghdr) std::array<uint8_t, CMSG_SPACE(sizeof(uint16_t))> bytes;
  };
  std::array<Control, kSendMessages> controls;
  std::array<mmsghdr, kSendMessages> messages;
  std::array<size_t, kSendMessages> counts;  // datagrams in each message

  ~Impl() {
    watch.reset();
    if (descriptor >= 0) close(descriptor);
  }
  bool receive_once();
  void take(const msghdr& message, size_t length, uint8_t* data, int64_t realtime_to_steady);
  size_t prepare(std::span<const OutgoingDatagram> outgoing);
  size_t grow_buffer(int option, int forced_option, size_t bytes) const;
};

namespace {

Result<std::shared_ptr<UdpSocket::Impl>> make_socket(int family) {
  auto impl = std::make_shared<UdpSocket::Impl>();
  impl->descriptor = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (impl->descriptor < 0) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot create a UDP socket: {}", std::strerror(errno)));
  }
  // All optional: receive offload, time stamps, and IPv4 on an IPv6 socket.
  const int on = 1;
  set_option(impl->descriptor, SOL_UDP, UDP_GRO, on);
  set_option(impl->descriptor, SOL_SOCKET, SO_TIMESTAMPNS, on);
  if (family == AF_INET6) set_option(impl->descriptor, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  return impl;
}

int family_of(const Address& group) {
  return group.host.find(':') == std::string::npos ? AF_INET : AF_INET6;
}

}  // namespace

UdpSocket::UdpSocket(Loop& loop, std::shared_ptr<Impl> impl)
    : loop_(loop), impl_(std::move(impl)) {}
UdpSocket::~UdpSocket() = default;

Result<std::unique_ptr<UdpSocket>> UdpSocket::bind(Loop& loop, const Address& at) {
  const auto address = numeric_socket_address(at);
  if (!address) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("\"{}\" is not a numeric address", address_text(at)));
  }
  auto impl = make_socket(address->ss_family);
  if (!impl) return std::move(impl.error());
  const auto* plain = reinterpret_cast<const sockaddr*>(&*address);
  if (::bind((*impl)->descriptor, plain, socket_address_size(plain)) != 0) {
    return system_error(errno == EADDRINUSE ? ErrorCode::kConflict : ErrorCode::kIo,
                        "cannot bind UDP port", at);
  }
  return std::unique_ptr<UdpSocket>(new UdpSocket(loop, *std::move(impl)));
}

Result<std::unique_ptr<UdpSocket>> UdpSocket::connect(Loop& loop, const Address& to,
                                                      uint16_t local_port) {
  const auto address = numeric_socket_address(to);
  if (!address) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("\"{}\" is not a numeric address", address_text(to)));
  }
  auto impl = make_socket(address->ss_family);
  if (!impl) return std::move(impl.error());
  const auto* plain = reinterpret_cast<const sockaddr*>(&*address);
  if (local_port != 0) {
    const Address here{address->ss_family == AF_INET6 ? "::" : "0.0.0.0", local_port};
    const auto local = numeric_socket_address(here);
    const auto* bound = reinterpret_cast<const sockaddr*>(&*local);
    if (::bind((*impl)->descriptor, bound, socket_address_size(bound)) != 0) {
      return system_error(errno == EADDRINUSE ? ErrorCode::kConflict : ErrorCode::kIo,
                          "cannot bind UDP port", here);
    }
  }
  if (::connect((*impl)->descriptor, plain, socket_address_size(plain)) != 0) {
    return system_error(ErrorCode::kIo, "cannot reach UDP port", to);
  }
  return std::unique_ptr<UdpSocket>(new UdpSocket(loop, *std::move(impl)));
}

Result<std::unique_ptr<UdpSocket>> UdpSocket::connect_to_group(Loop& loop, const Address& group,
                                                               const std::string& here, int hops) {
  auto impl = make_socket(family_of(group));
  if (!impl) return std::move(impl.error());
  if (auto ready = multicast::connect((*impl)->descriptor, group, here, hops); !ready) {
    return std::move(ready.error());
  }
  return std::unique_ptr<UdpSocket>(new UdpSocket(loop, *std::move(impl)));
}

Result<std::unique_ptr<UdpSocket>> UdpSocket::join_group(Loop& loop, const Address& group,
                                                         const std::string& here,
                                                         const std::string& from) {
  auto impl = make_socket(family_of(group));
  if (!impl) return std::move(impl.error());
  if (auto ready = multicast::join((*impl)->descriptor, group, here, from); !ready) {
    return std::move(ready.error());
  }
  return std::unique_ptr<UdpSocket>(new UdpSocket(loop, *std::move(impl)));
}

Result<std::unique_ptr<UdpSocket>> UdpSocket::join_from_all(Loop& loop, const Address& group,
                                                            bool loopback) {
  auto impl = make_socket(family_of(group));
  if (!impl) return std::move(impl.error());
  if (auto ready = multicast::join_from_all((*impl)->descriptor, group, loopback); !ready) {
    return std::move(ready.error());
  }
  return std::unique_ptr<UdpSocket>(new UdpSocket(loop, *std::move(impl)));
}

Address UdpSocket::address() const {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto* plain = reinterpret_cast<sockaddr*>(&storage);
  getsockname(impl_->descriptor, plain, &size);
  return address_from(plain);
}

Address address_of(const UdpPeer& peer) {
  sockaddr_storage storage{};
  std::memcpy(&storage, peer.socket_address.data(), peer.socket_address.size());
  return address_from(reinterpret_cast<const sockaddr*>(&storage));
}

UdpPeer host_of(UdpPeer peer) {
  // Both families have the port at the same offset.
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  std::memset(&peer.socket_address[offsetof(sockaddr_in, sin_port)], 0, sizeof(in_port_t));
  return peer;
}

// --- receiving ----------------------------------------------------------------------------------

void UdpSocket::start_reading(UdpReader& reader) {
  Impl& impl = *impl_;
  impl.reader = &reader;
  impl.bytes.resize(kReceiveMessages * kReceiveBytes);
  impl.watch = std::make_unique<ReadWatch>(loop_, impl.descriptor, [&impl] {
    for (int call = 0; call < kReceiveCalls && impl.receive_once(); ++call) {
    }
  });
}

// Returns false if no more datagrams are pending.
bool UdpSocket::Impl::receive_once() {
  constexpr size_t kStampBytes = CMSG_SPACE(sizeof(timespec)) + CMSG_SPACE(sizeof(int));
  struct Stamps {
    alignas(cmsghdr) std::array<uint8_t, kStampBytes> space;
  };
  std::array<mmsghdr, kReceiveMessages> received{};
  std::array<iovec, kReceiveMessages> places;
  std::array<Stamps, kReceiveMessages> stamps;
  std::array<sockaddr_storage, kReceiveMessages> from;
  for (size_t i = 0; i < kReceiveMessages; ++i) {
    places[i] = {bytes.data() + i * kReceiveBytes, kReceiveBytes};
    received[i].msg_hdr = {.msg_name = &from[i],
                           .msg_namelen = sizeof from[i],
                           .msg_iov = &places[i],
                           .msg_iovlen = 1,
                           .msg_control = stamps[i].space.data(),
                           .msg_controllen = stamps[i].space.size(),
                           .msg_flags = 0};
  }
  const int count = recvmmsg(descriptor, received.data(), kReceiveMessages, MSG_DONTWAIT, nullptr);
  // ICMP port unreachable on a connected socket: handled as silence of the other side.
  if (count <= 0) return count < 0 && (errno == ECONNREFUSED || errno == EINTR);
  datagrams.clear();
  const int64_t realtime_to_steady = steady_minus_realtime_ns();
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    take(received[i].msg_hdr, received[i].msg_len, bytes.data() + i * kReceiveBytes,
         realtime_to_steady);
  }
  reader->on_datagrams(datagrams);
  return static_cast<size_t>(count) == kReceiveMessages;
}

// Adds the datagrams of one message.
void UdpSocket::Impl::take(const msghdr& message, size_t length, uint8_t* data,
                           int64_t realtime_to_steady) {
  Datagram datagram;
  size_t segment = length;
  for (const cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(const_cast<msghdr*>(&message), const_cast<cmsghdr*>(header))) {
    if (header->cmsg_level == SOL_UDP && header->cmsg_type == UDP_GRO) {
      segment = static_cast<size_t>(std::max(cmsg_value<int>(header), 1));
    } else if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_TIMESTAMPNS) {
      datagram.arrived_ns = nanoseconds(cmsg_value<timespec>(header)) + realtime_to_steady;
    }
  }
  // No time stamp, or the system clock was set in between.
  const int64_t now = steady_now_ns();
  if (datagram.arrived_ns == 0 || datagram.arrived_ns > now) datagram.arrived_ns = now;
  last_arrived_ns = std::max(last_arrived_ns, datagram.arrived_ns);
  datagram.arrived_ns = last_arrived_ns;
  std::memcpy(datagram.from.socket_address.data(), message.msg_name,
              std::min<size_t>(message.msg_namelen, datagram.from.socket_address.size()));
  const std::span<uint8_t> all(data, length);
  for (size_t at = 0; at == 0 || at < length; at += segment) {
    datagram.bytes = all.subspan(at, std::min(segment, length - at));
    datagrams.push_back(datagram);
    if (segment == 0) break;
  }
}

// --- sending ------------------------------------------------------------------------------------

// Fills messages from the first datagrams on. A run of datagrams with equal length (the last may be
// shorter) becomes one message that the kernel segments. Returns the number of messages.
size_t UdpSocket::Impl::prepare(std::span<const OutgoingDatagram> outgoing) {
  size_t part_count = 0;
  for (const OutgoingDatagram& datagram : outgoing) part_count += datagram.parts.size();
  parts.clear();
  parts.reserve(part_count);
  size_t used = 0;
  size_t next = 0;
  for (; used < kSendMessages && next < outgoing.size(); ++used) {
    const size_t first_part = parts.size();
    const size_t segment = outgoing[next].bytes;
    size_t total = 0;
    size_t count = 0;
    for (; next < outgoing.size() && count < (segmentation ? kMaxSegments : 1); ++next, ++count) {
      const OutgoingDatagram& datagram = outgoing[next];
      const bool fits = datagram.bytes > 0 && datagram.bytes <= segment &&
                        total + datagram.bytes <= kMaxSegmentedBytes &&
                        parts.size() - first_part + datagram.parts.size() <= kMaxParts;
      // Only the last one may be shorter.
      if (count > 0 && (!fits || total != count * segment)) break;
      for (const std::span<const uint8_t> part : datagram.parts) {
        parts.push_back({const_cast<uint8_t*>(part.data()), part.size()});
      }
      total += datagram.bytes;
    }
    counts[used] = count;
    msghdr& message = messages[used].msg_hdr;
    message = {};
    message.msg_iov = parts.data() + first_part;
    message.msg_iovlen = parts.size() - first_part;
    if (count > 1) {
      message.msg_control = controls[used].bytes.data();
      message.msg_controllen = controls[used].bytes.size();
      cmsghdr* header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_UDP;
      header->cmsg_type = UDP_SEGMENT;
      header->cmsg_len = CMSG_LEN(sizeof(uint16_t));
      const auto size = static_cast<uint16_t>(segment);
      std::memcpy(CMSG_DATA(header), &size, sizeof size);
    }
  }
  return used;
}

size_t UdpSocket::send(std::span<const OutgoingDatagram> datagrams) {
  Impl& impl = *impl_;
  size_t taken = 0;
  bool refused = false;
  while (taken < datagrams.size()) {
    const size_t prepared = impl.prepare(datagrams.subspan(taken));
    const int sent = sendmmsg(impl.descriptor, impl.messages.data(),
                              static_cast<unsigned>(prepared), MSG_DONTWAIT);
    for (int i = 0; i < sent; ++i) taken += impl.counts[static_cast<size_t>(i)];
    if (sent >= 0 || errno == EINTR) continue;
    // The error belongs to an earlier datagram; this batch was not tried.
    if (errno == ECONNREFUSED && !std::exchange(refused, true)) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) break;
    if (impl.segmentation && impl.counts[0] > 1 && means_no_segmentation(errno)) {
      impl.segmentation = false;
      continue;
    }
    taken += impl.counts[0];
  }
  return taken;
}

void UdpSocket::send_to(const UdpPeer& to, std::span<const uint8_t> bytes) {
  const auto* address = reinterpret_cast<const sockaddr*>(to.socket_address.data());
  ::sendto(impl_->descriptor, bytes.data(), bytes.size(), MSG_DONTWAIT, address,
           socket_address_size(address));
}

// --- buffers ------------------------------------------------------------------------------------

// The kernel doubles the requested size to cover its overhead, and reports the doubled size.
size_t UdpSocket::Impl::grow_buffer(int option, int forced_option, size_t wanted) const {
  const auto current = [&] {
    int doubled = 0;
    socklen_t size = sizeof doubled;
    getsockopt(descriptor, SOL_SOCKET, option, &doubled, &size);
    return static_cast<size_t>(doubled) / 2;
  };
  if (current() >= wanted) return current();
  const int asked = static_cast<int>(std::min<size_t>(wanted, size_t{1} << 30));
  // The forced option needs CAP_NET_ADMIN and ignores the limit.
  if (!set_option(descriptor, SOL_SOCKET, forced_option, asked)) {
    set_option(descriptor, SOL_SOCKET, option, asked);
  }
  return current();
}

size_t UdpSocket::grow_receive_buffer(size_t bytes) {
  return impl_->grow_buffer(SO_RCVBUF, SO_RCVBUFFORCE, bytes);
}

size_t UdpSocket::grow_send_buffer(size_t bytes) {
  return impl_->grow_buffer(SO_SNDBUF, SO_SNDBUFFORCE, bytes);
}

uint64_t UdpSocket::dropped() const {
  std::array<uint32_t, SK_MEMINFO_VARS> info{};
  socklen_t size = sizeof info;
  getsockopt(impl_->descriptor, SOL_SOCKET, SO_MEMINFO, info.data(), &size);
  return info[SK_MEMINFO_DROPS];
}

std::string receive_buffer_advice(size_t wanted, size_t got) {
  return buffer_advice("net.core.rmem_max", wanted, got);
}

std::string send_buffer_advice(size_t wanted, size_t got) {
  return buffer_advice("net.core.wmem_max", wanted, got);
}

}  // namespace sail
