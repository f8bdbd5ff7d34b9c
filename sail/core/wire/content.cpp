#include "sail/core/wire/content.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <string_view>
#include <system_error>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/ticker_medium.h"

namespace sail {
namespace {

// True for an absolute path or a text with a scheme. A path relative to the application's folder
// would name another file in the manager.
bool is_absolute(std::string_view medium) {
  constexpr std::string_view kSchemeLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.";
  if (medium.starts_with('/')) return true;
  const size_t end = medium.find_first_not_of(kSchemeLetters);
  return end != std::string_view::npos && medium[end] == ':' &&
         std::isalpha(static_cast<unsigned char>(medium.front())) != 0;
}

}  // namespace

bool is_written(std::string_view medium) {
  return medium.starts_with(kNoteScheme) || medium.starts_with(kClockScheme) ||
         medium.starts_with(kQrScheme) || is_ticker(medium);
}

bool is_drawn(std::string_view medium) {
  return (is_written(medium) && ticker_source(medium).empty()) || medium.starts_with(kTestScheme);
}

bool names_office_document(std::string_view file_name) {
  static constexpr std::string_view kEndings[] = {".pptx", ".ppt",  ".odp", ".docx", ".doc",
                                                  ".odt",  ".xlsx", ".xls", ".ods"};
  const size_t dot = file_name.rfind('.');
  return dot != std::string_view::npos &&
         std::ranges::find(kEndings, lower(file_name.substr(dot))) != std::end(kEndings);
}

bool names_page(std::string_view medium) {
  if (!medium.starts_with(kWebScheme) || without_passwords(medium) != medium) return false;
  const std::string_view address = medium.substr(kWebScheme.size());
  const bool known = address.starts_with("http://") || address.starts_with("https://");
  return known && is_plain_text(address) && address.find(' ') == std::string_view::npos;
}

bool names_desktop(std::string_view medium) {
  constexpr size_t kLongestHost = 300;
  static constexpr std::string_view kBesides = ".-_:[]%";
  if (!medium.starts_with(kVncScheme)) return false;
  const std::string_view host = medium.substr(kVncScheme.size());
  return !host.empty() && host.size() <= kLongestHost &&
         std::ranges::all_of(host, [](unsigned char letter) {
           return std::isalnum(letter) != 0 ||
                  kBesides.find(static_cast<char>(letter)) != kBesides.npos;
         });
}

bool awaits_sender(std::string_view medium) {
  constexpr std::string_view kSchemes[] = {"udp",   "rtp",  "srtp",  "srt",   "rist", "rtsp",
                                           "rtsps", "rtmp", "rtmps", "rtmpt", "tcp"};
  const size_t end = medium.find("://");
  return end != std::string_view::npos && std::ranges::any_of(kSchemes, [&](auto scheme) {
           return std::ranges::equal(medium.substr(0, end), scheme,
                                     [](unsigned char a, char b) { return std::tolower(a) == b; });
         });
}

Result<std::string> read_medium(const Json& value, const std::string& where) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text != nullptr && text->size() <= kMaxContentBytes && is_plain_text(*text) &&
      is_absolute(*text)) {
    return *text;
  }
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{}: must be an absolute path, test:… or a URL, of at most {} bytes "
                          "without control characters",
                          where, kMaxContentBytes));
}

void check(JsonFields& in, const Content& content) {
  size_t bytes = 0;
  for (const std::string& medium : content.media) bytes += medium.size();
  if (bytes > kMaxContentBytes) {
    in.mistake("media", fmt::format("must have at most {} bytes in total", kMaxContentBytes));
  }
}

std::optional<int> parse_sound_track(std::string_view text) {
  if (text == "all") return kAllSoundTracks;
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return whole && number >= 1 && number <= kMostSoundTracks ? std::optional(number) : std::nullopt;
}

}  // namespace sail
