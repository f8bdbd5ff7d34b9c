// RTCP (RFC 3550) of one who sends: reports, and that it is over. Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace server {

struct SenderReport {
  uint32_t ssrc = 0;
  int64_t unix_ns = 0;    // now
  uint32_t rtp_time = 0;  // what the packets' stamps would tell now
  uint32_t packets = 0;   // sent since the beginning
  uint32_t octets = 0;    // of them, without their headers
};
// name: the same for all tracks of one player, so that it knows that they belong together.
std::vector<uint8_t> write_report(const SenderReport& report, std::string_view name);
// The same, and that nothing more comes.
std::vector<uint8_t> write_goodbye(const SenderReport& report, std::string_view name);

}  // namespace server
