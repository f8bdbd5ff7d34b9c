// Between Address and the system's socket addresses. Not for other folders.
#pragma once

#include <sys/socket.h>

#include <optional>

#include "sail/net/tcp.h"

namespace sail {

// Nothing when the host is no numeric address.
std::optional<sockaddr_storage> numeric_socket_address(const Address& address);
// IPv4 addresses mapped into IPv6 come out as IPv4, so that they mean the same on every host.
Address address_from(const sockaddr* socket_address);
// A socket's address, asked by getsockname or getpeername. Empty when there is none.
Address address_of(int descriptor, int (*ask)(int, sockaddr*, socklen_t*));
socklen_t socket_address_size(const sockaddr* socket_address);

}  // namespace sail
