// Parser for the bytes from an RTSP 1.0 client (RFC 2326): a sequence of requests, with interleaved
// packets that begin with '$'. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/base/result.h"

namespace server {

constexpr size_t kMaxRtspHead = 8192;  // request line and headers
constexpr size_t kMaxRtspHeaders = 64;
constexpr size_t kMaxRtspBody = 4096;

struct RtspRequest {
  std::string method;
  std::string uri;
  std::string version;                                       // "RTSP/1.0"
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::optional<uint32_t> cseq;                              // empty: missing or malformed
  size_t body_bytes = 0;                                     // the body is discarded

  // The first header of that name (lower case); empty if missing.
  std::string_view header(std::string_view name) const;
};

class RtspReader {
 public:
  // Buffers the bytes. Call next() until it returns nothing before the next add().
  void add(std::span<const uint8_t> bytes);
  // Returns the next request. Empty optional: incomplete. kBadData, kLimit: not RTSP; the start of
  // the next request is unknown.
  sail::Result<std::optional<RtspRequest>> next();

  size_t kept_bytes() const { return bytes_.size() - at_; }

 private:
  // Skips interleaved packets and empty lines. False: no more bytes.
  bool skip();

  std::string bytes_;
  size_t at_ = 0;       // bytes before it are consumed
  size_t to_skip_ = 0;  // bytes of a packet or body still to be discarded
};

}  // namespace server
