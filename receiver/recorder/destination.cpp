#include "receiver/recorder/destination.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "sail/core/address/address.h"
#include "sail/core/text/text.h"

namespace receiver {
namespace {

constexpr std::string_view kBehindScheme = "://";
constexpr uint16_t kUsualWhepPort = 7491;
constexpr size_t kLongestUrl = 1000;  // FFmpeg cuts off longer paths of RTMP

constexpr LiveDestination kDestinations[] = {
    {.mark = "rtmp://", .format = "flv", .protocols = "rtmp,tcp", .needs_sound = true},
    {.mark = "rtmps://", .format = "flv", .protocols = "rtmps,tls,tcp", .needs_sound = true},
    {.mark = "rtsp://", .format = "rtsp", .protocols = "tcp"},
    {.mark = "srt://", .format = "mpegts", .protocols = "srt", .needs_port = true},
    {.mark = "udp://", .format = "mpegts", .protocols = "udp", .needs_port = true},
    {.mark = "rtp://", .format = "rtp_mpegts", .protocols = "rtp,udp", .needs_port = true},
    {.mark = "tcp://", .format = "mpegts", .protocols = "tcp", .needs_port = true},
    {.mark = "http://", .format = "mpegts", .protocols = "none", .kind = LiveKind::kServed},
    {.mark = "https://", .format = "mpegts", .protocols = "none", .kind = LiveKind::kServed},
    {.mark = "v4l2:", .format = "v4l2", .protocols = "none", .kind = LiveKind::kDevice},
    {.mark = ".m3u8", .format = "hls", .protocols = "file", .kind = LiveKind::kPlaylist}};

// Returns the end of the scheme; npos: a file or a device.
size_t scheme_end(std::string_view to) {
  const size_t end = to.find(kBehindScheme);
  return end != std::string_view::npos && to.find('/') == end + 1 ? end : std::string_view::npos;
}

// user:password@HOST:PORT
std::string host_and_port(std::string_view url) {
  const std::string_view behind = url.substr(scheme_end(url) + kBehindScheme.size());
  const std::string_view authority = behind.substr(0, behind.find_first_of("/?#"));
  return std::string(authority.substr(authority.rfind('@') + 1));
}

bool is_whep_url(std::string_view url) {
  const std::string_view behind = url.substr(scheme_end(url) + kBehindScheme.size());
  const size_t host_end = behind.find_first_of("/?#@");
  return host_end != std::string_view::npos && behind.substr(host_end) == kWhepPath;
}

}  // namespace

const LiveDestination* live_destination(std::string_view to) {
  const bool url = scheme_end(to) != std::string_view::npos;
  const auto* found = std::ranges::find_if(kDestinations, [&](const LiveDestination& one) {
    return one.kind == LiveKind::kPlaylist ? !url && to.ends_with(one.mark)
                                           : to.starts_with(one.mark);
  });
  return found == std::end(kDestinations) ? nullptr : found;
}

bool is_served(std::string_view to) {
  const LiveDestination* destination = live_destination(to);
  return destination != nullptr && destination->kind == LiveKind::kServed;
}

sail::Address served_address(std::string_view to) {
  return sail::parse_address(host_and_port(to), {"", kUsualWhepPort}).value_or(sail::Address{});
}

std::string destination_mistake(const std::string& to) {
  if (scheme_end(to) == std::string_view::npos) return "";
  const std::string shown = sail::without_stream_keys(to);
  const LiveDestination* destination = live_destination(to);
  if (destination == nullptr) {
    return fmt::format(
        "\"{}\": unknown kind of URL; use rtmp://, rtmps://, rtsp://, srt://, udp://, rtp:// or "
        "tcp://, http://HOST:PORT/whep for browsers, or for HLS a local FILE.m3u8",
        shown);
  }
  if (to.size() > kLongestUrl) {
    return fmt::format("\"{}\" is longer than {} bytes", shown, kLongestUrl);
  }
  if (destination->kind == LiveKind::kServed && !is_whep_url(to)) {
    return fmt::format(
        "\"{}\": browsers are served at {}HOST:PORT{} only; use for HLS a local FILE.m3u8", shown,
        destination->mark, kWhepPath);
  }
  const auto address = sail::parse_address(host_and_port(to), {});
  if (!address) return address.error().message;
  if (address->host.empty()) return fmt::format("\"{}\": the host is missing", shown);
  if (destination->needs_port && address->port == 0) {
    return fmt::format("\"{}\": the port is missing: {}HOST:PORT", shown, destination->mark);
  }
  return "";
}

}  // namespace receiver
