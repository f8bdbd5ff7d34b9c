#include "sail/apps/server/rtsp/rtsp_request.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "sail/core/text/text.h"

namespace server {
namespace {

using sail::ErrorCode;

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr size_t kInterleavedHeader = 4;  // '$', channel, two bytes of length
constexpr size_t kMaxToken = 64;

bool is_token(std::string_view text) {
  return !text.empty() && text.size() <= kMaxToken && std::ranges::all_of(text, [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' || letter == '_';
  });
}

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Removes and returns the text before the separator; removes the separator, too.
std::string_view take_until(std::string_view& text, std::string_view separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + separator.size(), text.size()));
  return taken;
}

sail::Error no_rtsp(const char* why) {
  return sail::fail(ErrorCode::kBadData, why);
}

sail::Result<RtspRequest> parse_head(std::string_view head) {
  RtspRequest request;
  std::string_view line = take_until(head, kLineEnd);
  if (!sail::is_plain_text(line)) return no_rtsp("the RTSP request contains control characters");
  request.method = take_until(line, " ");
  request.uri = take_until(line, " ");
  request.version = line;
  if (!is_token(request.method) || request.uri.empty() || !line.starts_with("RTSP/") ||
      line.find(' ') != std::string_view::npos) {
    return no_rtsp("not an RTSP request");
  }
  while (!head.empty()) {
    line = take_until(head, kLineEnd);
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon)) ||
        !sail::is_plain_text(sail::trimmed(line))) {
      return no_rtsp("malformed RTSP header");
    }
    if (request.headers.size() >= kMaxRtspHeaders) {
      return sail::fail(ErrorCode::kLimit, "too many RTSP headers");
    }
    request.headers.emplace_back(sail::lower(line.substr(0, colon)),
                                 sail::trimmed(line.substr(colon + 1)));
  }
  request.cseq = whole_number<uint32_t>(request.header("cseq"));
  if (const std::string_view length = request.header("content-length"); !length.empty()) {
    const auto bytes = whole_number<size_t>(length);
    if (!bytes) return no_rtsp("Content-Length is not a number");
    if (*bytes > kMaxRtspBody)
      return sail::fail(ErrorCode::kLimit, "the RTSP request body is too long");
    request.body_bytes = *bytes;
  }
  return request;
}

}  // namespace

std::string_view RtspRequest::header(std::string_view name) const {
  const auto found =
      std::ranges::find_if(headers, [name](const auto& header) { return header.first == name; });
  return found == headers.end() ? std::string_view() : found->second;
}

void RtspReader::add(std::span<const uint8_t> bytes) {
  bytes_.erase(0, at_);
  at_ = 0;
  bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

bool RtspReader::skip() {
  for (;;) {
    const size_t skipped = std::min(to_skip_, kept_bytes());
    to_skip_ -= skipped;
    at_ += skipped;
    if (kept_bytes() == 0) return false;
    const char first = bytes_[at_];
    if (first == '\r' || first == '\n') {
      to_skip_ = 1;
    } else if (first != '$') {
      return true;
    } else if (kept_bytes() < kInterleavedHeader) {
      return false;
    } else {
      const auto high = static_cast<uint8_t>(bytes_[at_ + 2]);
      const auto low = static_cast<uint8_t>(bytes_[at_ + 3]);
      to_skip_ = kInterleavedHeader + (size_t{high} << 8 | low);
    }
  }
}

sail::Result<std::optional<RtspRequest>> RtspReader::next() {
  if (!skip()) return std::optional<RtspRequest>();
  const std::string_view kept = std::string_view(bytes_).substr(at_);
  const size_t end = kept.substr(0, kMaxRtspHead).find(kHeadEnd);
  if (end == std::string_view::npos) {
    if (kept.size() >= kMaxRtspHead)
      return sail::fail(ErrorCode::kLimit, "the RTSP request is too long");
    return std::optional<RtspRequest>();
  }
  auto request = parse_head(kept.substr(0, end));
  if (!request) return request.error();
  at_ += end + kHeadEnd.size();
  to_skip_ = request->body_bytes;
  return std::optional<RtspRequest>(std::move(*request));
}

}  // namespace server
