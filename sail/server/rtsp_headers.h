// What stands in the headers of RTSP, and its answers as text. Pure.
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
  std::string title;  // decoded, without slashes around it
  std::optional<size_t> track;
  bool best_effort = false;  // "?best_effort"

  bool operator==(const RtspPath&) const = default;
};
std::optional<RtspPath> parse_rtsp_uri(std::string_view uri);

// How a track travels. By TCP: on channels of the connection that asks. By UDP: to ports of its
// host, and of no other.
struct RtspTransport {
  bool tcp = false;
  std::optional<std::pair<uint16_t, uint16_t>> pair;  // of RTP and RTCP: channels or ports

  bool operator==(const RtspTransport&) const = default;
};
// The first of a Transport header's wishes that can be met; host: who asks.
std::optional<RtspTransport> choose_transport(std::string_view header, std::string_view host);

// "npt=10-20", "npt=now-", "npt=0:01:30.5-"
struct RtspRange {
  std::optional<int64_t> from_ns;  // nothing: from where it stands
  std::optional<int64_t> to_ns;    // nothing: to the end

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
