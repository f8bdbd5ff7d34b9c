#include "sail/apps/server/rtsp/rtcp.h"

#include <algorithm>
#include <cstddef>

#include "sail/core/time/clock.h"

namespace server {
namespace {

constexpr uint8_t kReport = 200;
constexpr uint8_t kDescription = 202;
constexpr uint8_t kGoodbye = 203;
constexpr uint8_t kName = 1;                      // CNAME, in a source description
constexpr int64_t kNtpMinusUnix = 2'208'988'800;  // seconds from 1900 to 1970
constexpr size_t kMaxName = 64;

void put16(std::vector<uint8_t>& bytes, size_t value) {
  bytes.push_back(static_cast<uint8_t>(value >> 8));
  bytes.push_back(static_cast<uint8_t>(value));
}

void put32(std::vector<uint8_t>& bytes, uint32_t value) {
  put16(bytes, value >> 16);
  put16(bytes, value & 0xffff);
}

// RTCP version 2. count: reports or sources. words: length in 32-bit words, minus one.
void put_header(std::vector<uint8_t>& bytes, uint8_t count, uint8_t type, size_t words) {
  bytes.push_back(static_cast<uint8_t>(0x80 | count));
  bytes.push_back(type);
  put16(bytes, words);
}

}  // namespace

std::vector<uint8_t> write_report(const SenderReport& report, std::string_view name) {
  std::vector<uint8_t> bytes;
  put_header(bytes, 0, kReport, 6);
  put32(bytes, report.ssrc);
  put32(bytes, static_cast<uint32_t>(report.unix_ns / sail::kSecondNs + kNtpMinusUnix));
  const auto fraction = static_cast<uint64_t>(report.unix_ns % sail::kSecondNs);
  put32(bytes, static_cast<uint32_t>((fraction << 32) / sail::kSecondNs));
  put32(bytes, report.rtp_time);
  put32(bytes, report.packets);
  put32(bytes, report.octets);

  name = name.substr(0, kMaxName);
  // Name plus at least one zero byte, padded to whole words.
  const size_t words = (2 + name.size() + 1 + 3) / 4;
  put_header(bytes, 1, kDescription, 1 + words);
  put32(bytes, report.ssrc);
  const size_t item = bytes.size();
  bytes.push_back(kName);
  bytes.push_back(static_cast<uint8_t>(name.size()));
  bytes.insert(bytes.end(), name.begin(), name.end());
  bytes.resize(item + 4 * words);
  return bytes;
}

std::vector<uint8_t> write_goodbye(const SenderReport& report, std::string_view name) {
  std::vector<uint8_t> bytes = write_report(report, name);
  put_header(bytes, 1, kGoodbye, 1);
  put32(bytes, report.ssrc);
  return bytes;
}

}  // namespace server
