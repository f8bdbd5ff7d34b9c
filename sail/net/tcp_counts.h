// What the system counts of a TCP connection, since it was made.
#pragma once

#include <cstdint>

namespace sail {

struct TcpCounts {
  uint64_t retransmitted = 0;  // segments sent again
  int64_t busy_us = 0;         // while bytes were on their way, or waited to be
};
TcpCounts tcp_counts(int socket);

}  // namespace sail
