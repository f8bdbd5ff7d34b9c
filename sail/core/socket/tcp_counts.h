// What the system counts of a connection. Not for other folders.
#pragma once

#include "sail/core/socket/tcp.h"

namespace sail {

TcpCounts tcp_counts(int socket);

}  // namespace sail
