#include "sail/core/socket/listening_socket.h"

#include <fmt/core.h>
#include <sys/socket.h>
#include <uv.h>

#include <cerrno>

#include "sail/core/address/socket_address.h"

namespace sail {
namespace {

constexpr int kBacklog = 1024;

// Returns a descriptor or a negative libuv error.
int open_listening(const sockaddr* address) {
  Descriptor listening(::socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (listening.get() < 0) return -errno;
  // Allows a restart while connections of the previous run are in TIME_WAIT.
  const int on = 1;
  if (setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0) return -errno;
  if (bind(listening.get(), address, socket_address_size(address)) < 0) return -errno;
  if (::listen(listening.get(), kBacklog) < 0) return -errno;
  return listening.take();
}

}  // namespace

Result<Descriptor> listening_socket(const Address& at) {
  const auto address = numeric_socket_address(at);
  if (!address) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("cannot listen at \"{}\": not a numeric address", at.host));
  }
  const int opened = open_listening(reinterpret_cast<const sockaddr*>(&*address));
  if (opened == UV_EADDRINUSE) {
    return fail(ErrorCode::kConflict, fmt::format("port {} on {} is in use", at.port, at.host));
  }
  if (opened < 0) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot listen at {}: {}", address_text(at), uv_strerror(opened)));
  }
  return Descriptor(opened);
}

std::optional<Address> listening_address(int descriptor) {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) < 0 || listens == 0) {
    return std::nullopt;
  }
  return address_of(descriptor, getsockname);
}

}  // namespace sail
