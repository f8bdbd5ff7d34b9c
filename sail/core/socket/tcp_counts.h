// Reads the kernel's counters of a connection. For this folder only.
#pragma once

#include "sail/core/socket/tcp.h"

namespace sail {

TcpCounts tcp_counts(int socket);

}  // namespace sail
