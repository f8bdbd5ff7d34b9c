#include "sail/apps/server/rtsp/rtsp_headers.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "sail/core/text/encodings.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace server {
namespace {

constexpr int64_t kLatestSecond = 1'000'000'000;
constexpr size_t kMaxTracksNamed = 256;

struct Status {
  int number;
  const char* text;
};
constexpr Status kStatuses[] = {{200, "OK"},
                                {400, "Bad Request"},
                                {401, "Unauthorized"},
                                {404, "Not Found"},
                                {413, "Request Entity Too Large"},
                                {415, "Unsupported Media Type"},
                                {451, "Parameter Not Understood"},
                                {453, "Not Enough Bandwidth"},
                                {454, "Session Not Found"},
                                {455, "Method Not Valid In This State"},
                                {457, "Invalid Range"},
                                {459, "Aggregate Operation Not Allowed"},
                                {460, "Only Aggregate Operation Allowed"},
                                {461, "Unsupported Transport"},
                                {500, "Internal Server Error"},
                                {501, "Not Implemented"},
                                {503, "Service Unavailable"},
                                {505, "RTSP Version Not Supported"},
                                {551, "Option Not Supported"}};

const char* reason(int number) {
  const auto* found = std::ranges::find_if(
      kStatuses, [number](const Status& status) { return status.number == number; });
  return found == std::end(kStatuses) ? "Status" : found->text;
}

std::string_view next_item(std::string_view& list, char separator) {
  const size_t end = std::min(list.find(separator), list.size());
  const std::string_view item = sail::trimmed(list.substr(0, end));
  list.remove_prefix(std::min(end + 1, list.size()));
  return item;
}

template <typename Number>
std::optional<Number> digits(std::string_view text) {
  Number number = 0;
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::pair<uint16_t, uint16_t>> parse_pair(std::string_view text) {
  const auto first = digits<uint16_t>(next_item(text, '-'));
  if (!first || (text.empty() && *first == UINT16_MAX)) return std::nullopt;
  const auto second =
      text.empty() ? static_cast<uint16_t>(*first + 1) : digits<uint16_t>(sail::trimmed(text));
  if (!second || *second == *first) return std::nullopt;
  return std::pair(*first, *second);
}

// Parses one transport of the list. Empty optional: not supported.
std::optional<RtspTransport> read_transport(std::string_view wish, std::string_view host) {
  RtspTransport transport;
  const std::string_view protocol = next_item(wish, ';');
  transport.tcp = sail::same_word(protocol, "RTP/AVP/TCP");
  if (!transport.tcp && !sail::same_word(protocol, "RTP/AVP") &&
      !sail::same_word(protocol, "RTP/AVP/UDP")) {
    return std::nullopt;
  }
  while (!wish.empty()) {
    std::string_view value = next_item(wish, ';');
    const std::string_view name = next_item(value, '=');
    const bool is_pair = sail::same_word(name, transport.tcp ? "interleaved" : "client_port");
    if (is_pair) {
      transport.pair = parse_pair(value);
      if (!transport.pair) return std::nullopt;
    }
    const bool elsewhere = sail::same_word(name, "destination") && value != host;
    const bool to_record = sail::same_word(name, "mode") && !sail::same_word(value, "play") &&
                           !sail::same_word(value, "\"play\"");
    if (sail::same_word(name, "multicast") || elsewhere || to_record) return std::nullopt;
  }
  if (transport.tcp) {
    const bool channels =
        !transport.pair || std::max(transport.pair->first, transport.pair->second) <= UINT8_MAX;
    return channels ? std::optional(transport) : std::nullopt;
  }
  const bool ports = transport.pair && transport.pair->first > 0 && transport.pair->second > 0;
  return ports ? std::optional(transport) : std::nullopt;
}

// Parses "12", "12.5", "0:01:02.5".
std::optional<int64_t> parse_time(std::string_view text) {
  int64_t seconds = 0;
  const size_t dot = std::min(text.find('.'), text.size());
  std::string_view whole = text.substr(0, dot);
  const auto colons = std::ranges::count(whole, ':');
  if (colons != 0 && colons != 2) return std::nullopt;
  for (auto part = 0; part <= colons; ++part) {
    const auto number = digits<int64_t>(next_item(whole, ':'));
    if (!number || *number > kLatestSecond || (part > 0 && *number > 59)) return std::nullopt;
    seconds = seconds * 60 + *number;
  }
  if (seconds > kLatestSecond) return std::nullopt;
  int64_t rest = 0;
  int64_t unit = sail::kSecondNs;
  for (const char digit : text.substr(std::min(dot + 1, text.size()))) {
    if (digit < '0' || digit > '9') return std::nullopt;
    unit /= 10;
    rest += (digit - '0') * unit;
  }
  return seconds * sail::kSecondNs + rest;
}

}  // namespace

std::optional<RtspPath> parse_rtsp_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "rtsp://";
  constexpr std::string_view kTrack = "streamid=";
  if (uri.size() < kScheme.size() || !sail::same_word(uri.substr(0, kScheme.size()), kScheme)) {
    return std::nullopt;
  }
  uri.remove_prefix(kScheme.size());
  uri.remove_prefix(std::min(uri.find('/'), uri.size()));
  const std::string_view query = uri.substr(std::min(uri.find('?'), uri.size()));
  uri = uri.substr(0, uri.size() - query.size());
  const auto strip = [&uri] {
    while (uri.ends_with('/')) uri.remove_suffix(1);
  };
  strip();
  RtspPath path;
  path.best_effort = query.starts_with("?best_effort");
  const size_t last = uri.rfind('/');
  if (last != std::string_view::npos && uri.substr(last + 1).starts_with(kTrack)) {
    path.track = digits<size_t>(uri.substr(last + 1 + kTrack.size()));
    if (!path.track || *path.track >= kMaxTracksNamed) return std::nullopt;
    uri = uri.substr(0, last);
    strip();
  }
  while (uri.starts_with('/')) uri.remove_prefix(1);
  auto title = sail::percent_decoded(uri);
  if (!title) return std::nullopt;
  path.title = std::move(*title);
  return path;
}

std::optional<RtspTransport> choose_transport(std::string_view header, std::string_view host) {
  while (!header.empty()) {
    if (const auto transport = read_transport(next_item(header, ','), host)) return transport;
  }
  return std::nullopt;
}

std::optional<RtspRange> parse_range(std::string_view header) {
  header = next_item(header, ';');  // ignore the start time after ';': playback starts at once
  if (!sail::same_word(next_item(header, '='), "npt")) return std::nullopt;
  const std::string_view from = next_item(header, '-');
  const std::string_view to = sail::trimmed(header);
  RtspRange range;
  if (!sail::same_word(from, "now") && !from.empty()) {
    range.from_ns = parse_time(from);
    if (!range.from_ns) return std::nullopt;
  }
  if (!to.empty()) {
    range.to_ns = parse_time(to);
    if (!range.to_ns || *range.to_ns <= range.from_ns.value_or(0)) return std::nullopt;
  }
  if (from.empty() && to.empty()) return std::nullopt;
  return range;
}

std::string range_text(int64_t from_ns, std::optional<int64_t> to_ns) {
  const auto seconds = [](int64_t time_ns) {
    return fmt::format("{}.{:06}", time_ns / sail::kSecondNs, time_ns % sail::kSecondNs / 1000);
  };
  return fmt::format("npt={}-{}", seconds(from_ns), to_ns ? seconds(*to_ns) : "");
}

std::string reply_text(const RtspReply& reply, std::optional<uint32_t> cseq) {
  std::string text = fmt::format("RTSP/1.0 {} {}\r\n", reply.status, reason(reply.status));
  if (cseq) text += fmt::format("CSeq: {}\r\n", *cseq);
  for (const auto& [name, value] : reply.headers) text += fmt::format("{}: {}\r\n", name, value);
  if (!reply.body.empty()) text += fmt::format("Content-Length: {}\r\n", reply.body.size());
  return text + "\r\n" + reply.body;
}

}  // namespace server
