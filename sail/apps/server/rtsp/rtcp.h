// RTCP packets of a sender (RFC 3550): sender reports and BYE. Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace server {

struct SenderReport {
  uint32_t ssrc = 0;
  int64_t unix_ns = 0;    // the current time
  uint32_t rtp_time = 0;  // RTP timestamp that corresponds to unix_ns
  uint32_t packets = 0;   // sent so far
  uint32_t octets = 0;    // payload bytes sent so far
};
// name: the CNAME, equal for all tracks of one session, so that players synchronise them.
std::vector<uint8_t> write_report(const SenderReport& report, std::string_view name);
// A report followed by BYE.
std::vector<uint8_t> write_goodbye(const SenderReport& report, std::string_view name);

}  // namespace server
