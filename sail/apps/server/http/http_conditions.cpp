#include "sail/apps/server/http/http_conditions.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace server {
namespace {

constexpr const char* kDateForm = "%a, %d %b %Y %H:%M:%S GMT";
constexpr size_t kDateBytes = 29;

constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
    {".mp4", "video/mp4"},        {".m4v", "video/mp4"},      {".mov", "video/quicktime"},
    {".mkv", "video/x-matroska"}, {".webm", "video/webm"},    {".avi", "video/x-msvideo"},
    {".ts", "video/mp2t"},        {".mts", "video/mp2t"},     {".m2ts", "video/mp2t"},
    {".mpg", "video/mpeg"},       {".mpeg", "video/mpeg"},    {".vob", "video/mpeg"},
    {".ogv", "video/ogg"},        {".3gp", "video/3gpp"},     {".flv", "video/x-flv"},
    {".wmv", "video/x-ms-wmv"},   {".mxf", "application/mxf"}};

// Returns whether the list contains the tag. weak: weak tags match, too.
bool names_tag(std::string_view list, std::string_view etag, bool weak) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    std::string_view item = sail::trimmed(list.substr(0, comma));
    if (weak && item.starts_with("W/")) item.remove_prefix(2);
    if (item == etag || item == "*") return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

bool changed_since(const FileState& file, std::string_view date, bool otherwise) {
  const auto since = parse_http_date(date);
  return since ? file.changed_ns / sail::kSecondNs > *since : otherwise;
}

std::optional<uint64_t> number(std::string_view text) {
  uint64_t value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || text.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return UINT64_MAX;
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

// Parses "bytes=2-5", "bytes=2-", "bytes=-5".
HttpPart part_of(const FileState& file, std::string_view range) {
  const HttpPart all{200, 0, file.bytes};
  const HttpPart none{416, 0, 0};
  constexpr std::string_view kUnit = "bytes=";
  if (!sail::same_word(range.substr(0, kUnit.size()), kUnit)) return all;
  range = sail::trimmed(range.substr(kUnit.size()));
  const size_t dash = range.find('-');
  if (dash == std::string_view::npos) return all;
  const auto first = number(range.substr(0, dash));
  const auto last = number(range.substr(dash + 1));
  const bool open = dash + 1 == range.size();
  if (dash == 0) {
    if (!last) return all;
    const uint64_t bytes = std::min(*last, file.bytes);
    return bytes == 0 ? none : HttpPart{206, file.bytes - bytes, bytes};
  }
  if (!first || (!open && (!last || *last < *first))) return all;
  if (*first >= file.bytes) return none;
  const uint64_t end = open ? file.bytes : std::min(*last, file.bytes - 1) + 1;
  return {206, *first, end - *first};
}

}  // namespace

std::string etag_of(const FileState& file) {
  return fmt::format("\"{:x}-{:x}\"", file.bytes, file.changed_ns);
}

std::string http_date(int64_t changed_ns) {
  const std::time_t seconds = changed_ns / sail::kSecondNs;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, kDateBytes + 1> text{};
  const size_t size = std::strftime(text.data(), text.size(), kDateForm, &parts);
  return {text.data(), size};
}

std::optional<int64_t> parse_http_date(std::string_view date) {
  if (date.size() != kDateBytes) return std::nullopt;
  const std::string text(date);
  std::tm parts{};
  const char* end = strptime(text.c_str(), kDateForm, &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return timegm(&parts);
}

HttpPart choose_part(const FileState& file, const HttpConditions& conditions) {
  const std::string etag = etag_of(file);
  if (conditions.if_match) {
    if (!names_tag(*conditions.if_match, etag, false)) return {412, 0, 0};
  } else if (conditions.if_unmodified_since &&
             changed_since(file, *conditions.if_unmodified_since, false)) {
    return {412, 0, 0};
  }
  if (conditions.if_none_match) {
    if (names_tag(*conditions.if_none_match, etag, true)) return {304, 0, 0};
  } else if (conditions.if_modified_since &&
             !changed_since(file, *conditions.if_modified_since, true)) {
    return {304, 0, 0};
  }
  const HttpPart all{200, 0, file.bytes};
  if (!conditions.range) return all;
  if (conditions.if_range && *conditions.if_range != etag &&
      *conditions.if_range != http_date(file.changed_ns)) {
    return all;
  }
  return part_of(file, *conditions.range);
}

std::string_view content_type_of(std::string_view title) {
  const size_t dot = title.rfind('.');
  if (dot != std::string_view::npos) {
    for (const auto& [file_extension, type] : kTypes) {
      if (sail::same_word(title.substr(dot), file_extension)) return type;
    }
  }
  return "application/octet-stream";
}

}  // namespace server
