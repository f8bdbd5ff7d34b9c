// A separate file, because <linux/tcp.h> has more fields than <netinet/tcp.h>, which libuv
// includes, and a file cannot include both.
#include <linux/tcp.h>
#include <netinet/in.h>

#include "sail/core/socket/tcp.h"

namespace sail {

TcpCounts tcp_counts(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size);
  return {.retransmitted = info.tcpi_total_retrans,
          .busy_us = static_cast<int64_t>(info.tcpi_busy_time),
          .acknowledged = info.tcpi_bytes_acked,
          .unacknowledged = info.tcpi_unacked != 0,
          .heard_us_ago = int64_t{1000} * info.tcpi_last_ack_recv,
          .sent_us_ago = int64_t{1000} * info.tcpi_last_data_sent,
          .round_trip_us = info.tcpi_rtt,
          .jitter_us = info.tcpi_rttvar,
          .shortest_round_trip_us = info.tcpi_min_rtt};
}

}  // namespace sail
