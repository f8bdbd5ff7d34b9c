// RTSP 1.0 (RFC 2326) as it comes from a player: requests one behind the other, and between them
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

#include "sail/base/result.h"

namespace server {

constexpr size_t kMaxRtspHead = 8192;  // of a request: its line and its headers
constexpr size_t kMaxRtspHeaders = 64;
constexpr size_t kMaxRtspBody = 4096;

struct RtspRequest {
  std::string method;
  std::string uri;
  std::string version;                                       // "RTSP/1.0"
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::optional<uint32_t> cseq;                              // nothing: missing, or no number
  size_t body_bytes = 0;                                     // it is thrown away

  // Empty when there is none; of several the first. name: in lower case.
  std::string_view header(std::string_view name) const;
};

class RtspReader {
 public:
  // Kept until next() takes it: who adds calls next() until it has nothing, before more comes.
  void add(std::span<const uint8_t> bytes);
  // The next request; nothing: the rest of it has not come. kBadData, kLimit: this is no RTSP, and
  // where the next request would begin cannot be told.
  sail::Result<std::optional<RtspRequest>> next();

  size_t kept_bytes() const { return bytes_.size() - at_; }

 private:
  // What begins with '$', and empty lines. False: nothing else is there.
  bool skip();

  std::string bytes_;
  size_t at_ = 0;       // before it everything was taken
  size_t to_skip_ = 0;  // bytes of a packet or body that are to be thrown away when they come
};

}  // namespace server
