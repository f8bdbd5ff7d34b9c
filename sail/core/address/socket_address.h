// Helpers for sockets and socket addresses. For sail/core only.
#pragma once

#include <sys/socket.h>

#include <optional>

#include "sail/core/address/address.h"

namespace sail {

// Empty if the host is not a numeric address.
std::optional<sockaddr_storage> numeric_socket_address(const Address& address);
// IPv4-mapped IPv6 addresses become IPv4, so that they mean the same on every host.
Address address_from(const sockaddr* socket_address);
// Address of a socket; `ask` is getsockname or getpeername. Empty if there is none.
Address address_of(int descriptor, int (*ask)(int, sockaddr*, socklen_t*));
socklen_t socket_address_size(const sockaddr* socket_address);

}  // namespace sail
