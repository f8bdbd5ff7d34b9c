#include "sail/core/socket/memory_handover.h"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace sail {
namespace {

// Connections that take() tries until one has the memory: other users may connect, too.
constexpr int kMostConnections = 16;
constexpr size_t kMostDescriptors = 4;

Error socket_error(const char* what) {
  return {ErrorCode::kIo, fmt::format("{}: {}", what, std::strerror(errno))};
}

struct SocketAddress {
  explicit SocketAddress(const MemoryName& name) {
    unix.sun_family = AF_UNIX;
    // An abstract name begins with a zero byte.
    const std::string text = fmt::format("vitrail-{:02x}", fmt::join(name, ""));
    std::memcpy(unix.sun_path + 1, text.data(), text.size());
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&unix); }

  sockaddr_un unix{};
  socklen_t size = 0;
};

Descriptor unix_socket() {
  return Descriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

bool is_of_this_user(int connection) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == geteuid();
}

// A message of one byte with room for descriptors.
struct DescriptorMessage {
  DescriptorMessage() {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
  }

  uint8_t byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) uint8_t control[CMSG_SPACE(kMostDescriptors * sizeof(int))] = {};
  msghdr header{};
};

// Returns all descriptors of the next message.
std::vector<Descriptor> receive_descriptors(int connection) {
  DescriptorMessage message;
  message.header.msg_controllen = sizeof(message.control);
  std::vector<Descriptor> received;
  if (recvmsg(connection, &message.header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0) return received;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message.header); part != nullptr;
       part = CMSG_NXTHDR(&message.header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const size_t bytes = part->cmsg_len - CMSG_LEN(0);
    for (size_t at = 0; at + sizeof(int) <= bytes; at += sizeof(int)) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(part) + at, sizeof(int));
      received.emplace_back(descriptor);
    }
  }
  return received;
}

}  // namespace

Result<std::unique_ptr<MemoryListener>> MemoryListener::open() {
  MemoryName name;
  if (getrandom(name.data(), name.size(), 0) != static_cast<ssize_t>(name.size())) {
    return socket_error("cannot make a random name");
  }
  Descriptor socket = unix_socket();
  const SocketAddress address(name);
  if (socket.get() < 0 || bind(socket.get(), address.get(), address.size) != 0 ||
      listen(socket.get(), kMostConnections) != 0) {
    return socket_error("cannot listen at a Unix socket");
  }
  return std::unique_ptr<MemoryListener>(new MemoryListener(name, std::move(socket)));
}

Result<Descriptor> MemoryListener::take(size_t bytes) const {
  for (int i = 0; i < kMostConnections; ++i) {
    const Descriptor connection(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (connection.get() < 0) break;
    if (!is_of_this_user(connection.get())) continue;
    std::vector<Descriptor> received = receive_descriptors(connection.get());
    if (received.size() != 1) {
      return fail(ErrorCode::kBadData,
                  fmt::format("{} descriptors in place of that of the memory", received.size()));
    }
    if (auto checked = SealedMemory::check(received.front(), bytes); !checked) {
      return checked.error();
    }
    return std::move(received.front());
  }
  return fail(ErrorCode::kIo, "no process of this user has handed over the memory");
}

Result<void> hand_over(const SealedMemory& memory, const MemoryName& name) {
  const Descriptor socket = unix_socket();
  const SocketAddress address(name);
  if (socket.get() < 0 || connect(socket.get(), address.get(), address.size) != 0) {
    return socket_error("cannot reach the receiver's Unix socket");
  }
  if (!is_of_this_user(socket.get())) {
    return fail(ErrorCode::kUnauthorized, "the receiver runs as another user");
  }
  DescriptorMessage message;
  message.header.msg_controllen = CMSG_SPACE(sizeof(int));
  cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(int));
  const int descriptor = memory.descriptor().get();
  std::memcpy(CMSG_DATA(rights), &descriptor, sizeof(int));
  if (sendmsg(socket.get(), &message.header, MSG_DONTWAIT | MSG_NOSIGNAL) != 1) {
    return socket_error("cannot hand over shared memory");
  }
  return {};
}

}  // namespace sail
