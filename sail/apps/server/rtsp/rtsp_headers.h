// Parses RTSP headers and formats replies. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace server {

// "rtsp://HOST/TITLE/streamid=N"
struct RtspPath {
  std::string title;  // decoded, without surrounding slashes
  std::optional<size_t> track;
  bool best_effort = false;  // "?best_effort"

  bool operator==(const RtspPath&) const = default;
};
std::optional<RtspPath> parse_rtsp_uri(std::string_view uri);

// How a track is sent. TCP: on interleaved channels of the RTSP connection. UDP: to ports of the
// client's host only.
struct RtspTransport {
  bool tcp = false;
  std::optional<std::pair<uint16_t, uint16_t>> pair;  // for RTP and RTCP: channels or ports

  bool operator==(const RtspTransport&) const = default;
};
// Returns the first supported transport in a Transport header. host: the client's address.
std::optional<RtspTransport> choose_transport(std::string_view header, std::string_view host);

// "npt=10-20", "npt=now-", "npt=0:01:30.5-"
struct RtspRange {
  std::optional<int64_t> from_ns;  // empty: from the current position
  std::optional<int64_t> to_ns;    // empty: to the end

  bool operator==(const RtspRange&) const = default;
};
std::optional<RtspRange> parse_range(std::string_view header);
std::string range_text(int64_t from_ns, std::optional<int64_t> to_ns);

struct RtspReply {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};
std::string reply_text(const RtspReply& reply, std::optional<uint32_t> cseq);

}  // namespace server
