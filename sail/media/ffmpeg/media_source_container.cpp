#include "sail/media/ffmpeg/media_source_container.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "sail/media/ffmpeg/media_source_device.h"
#include "sail/media/source/file_sequence.h"
#include "sail/media/storage/http/web_address.h"
#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

// A name like "a:b.mp4" is a file if it exists, not a protocol.
std::string address_of(const std::string& url) {
  std::error_code ignored;
  return std::filesystem::exists(url, ignored) ? "file:" + url : url;
}

// Time spent on analysing a live stream becomes permanent delay.
constexpr const char* kLiveProbeUs = "1000000";
// A list of pieces that gets no more is asked for again until MediaFile gives up.
constexpr const char* kReloads = "1000";
constexpr const char* kFarProtocols =
    "rtp,srtp,rtsp,udp,tcp,tls,http,https,httpproxy,rtmp,rtmps,rtmpt,ffrtmphttp,srt,rist,mmsh,mmst,"
    "ftp,sftp,crypto,data";

// The pattern of a folder's files if their numbers are unpadded and consecutive; empty otherwise.
std::optional<SequencePattern> unpadded_pattern(const std::vector<SequenceFile>& files) {
  const std::string& first = files.front().name;
  constexpr const char* kDigits = "0123456789";
  const size_t last = first.find_last_of(kDigits, first.find_last_of('.'));
  const size_t name = first.find_last_of('/') + 1;
  if (last == std::string::npos || last < name) return std::nullopt;
  const size_t before = first.find_last_not_of(kDigits, last);
  const size_t begin = std::max(before == std::string::npos ? 0 : before + 1, name);
  SequencePattern pattern{.before = first.substr(0, begin), .after = first.substr(last + 1)};
  int64_t number = number_of(first, pattern).value_or(0);
  for (const SequenceFile& file : files) {
    if (number_of(file.name, pattern) != number++) return std::nullopt;
  }
  return pattern;
}

// FFmpeg sorts a folder's pictures by the bytes of their names, which is wrong for unpadded
// numbers. So such a folder is opened by a pattern.
Result<void> order_by_numbers(const std::string& url, const std::vector<SequenceFile>& files,
                              MediaContainer& container) {
  const auto pattern = unpadded_pattern(files);
  if (!pattern) {
    return fail(
        ErrorCode::kBadData,
        fmt::format("{}: pictures are missing between {} and {}, or their numbers differ in "
                    "length: give them leading zeros",
                    url, files.front().name, files.back().name));
  }
  container.address.clear();
  for (const char letter : pattern->before)
    container.address += letter == '%' ? "%%" : std::string(1, letter);
  container.address += "%d" + pattern->after;
  container.settings.emplace_back("start_number",
                                  fmt::format("{}", *number_of(files.front().name, *pattern)));
  return {};
}

// Options for FFmpeg's image2 demuxer: a pattern from its first number on, or all files of a folder
// by glob(7).
Result<MediaContainer> sequence_of(const std::string& url, double fps) {
  const auto files = list_pictures(url);
  if (!files) return files.error();
  MediaContainer container{
      url, {{"framerate", fmt::format("{}", fps)}}, av_find_input_format("image2")};
  if (const auto pattern = parse_pattern(url)) {
    const std::string& first = files->front().name;
    const size_t digits = first.size() - pattern->before.size() - pattern->after.size();
    container.settings.emplace_back("start_number", first.substr(pattern->before.size(), digits));
    return container;
  }
  if (!std::ranges::is_sorted(*files, {}, &SequenceFile::name)) {
    return order_by_numbers(url, *files, container).map([&] { return std::move(container); });
  }
  container.settings.emplace_back("pattern_type", "glob");
  container.address.clear();
  for (const char letter : url) {
    if (std::string_view("*?[]{}~\\").find(letter) != std::string_view::npos) {
      container.address += '\\';
    }
    container.address += letter;
  }
  const std::string& first = files->front().name;
  container.address += "/*" + first.substr(first.find_last_of('.'));
  return container;
}

}  // namespace

Result<MediaContainer> container_of(const std::string& url, const MediaOptions& options) {
  if (options.descriptor) return MediaContainer{{}, {{"analyzeduration", kLiveProbeUs}}};
  if (options.sequence_fps > 0 && names_sequence(url)) {
    return sequence_of(url, options.sequence_fps);
  }
  auto device = capture_device(url);
  if (!device) return std::move(device.error());
  if (*device) return MediaContainer{std::move((*device)->address), {}, (*device)->format};
  MediaContainer container{is_web(url) ? as_web_address(url) : address_of(url), {}};
  if (is_far(container.address)) {
    container.settings = {{"protocol_whitelist", kFarProtocols},
                          {"analyzeduration", kLiveProbeUs},
                          {"max_reload", kReloads}};
  } else if (options.alone) {
    container.settings = {{"protocol_whitelist", "none"}};
  }
  return container;
}

}  // namespace sail
