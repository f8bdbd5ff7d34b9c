// Which part of a film an HTTP request is for: ranges and conditions (RFC 9110). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace server {

struct FileState {
  uint64_t bytes = 0;
  int64_t changed_ns = 0;  // since 1970
};
std::string etag_of(const FileState& file);                     // with its quotes
std::string http_date(int64_t changed_ns);                      // "Sun, 06 Nov 1994 08:49:37 GMT"
std::optional<int64_t> parse_http_date(std::string_view date);  // seconds since 1970

// Headers, as they came.
struct HttpConditions {
  std::optional<std::string> range{};
  std::optional<std::string> if_range{};
  std::optional<std::string> if_match{};
  std::optional<std::string> if_none_match{};
  std::optional<std::string> if_modified_since{};
  std::optional<std::string> if_unmodified_since{};
};

struct HttpPart {
  int status = 200;  // 200, 206, 304, 412 or 416
  uint64_t offset = 0;
  uint64_t bytes = 0;  // 0 but for the first two

  bool operator==(const HttpPart&) const = default;
};
// Several ranges at a time are answered by the whole film, as is whatever is no range of bytes.
HttpPart choose_part(const FileState& file, const HttpConditions& conditions);

// By the ending of a film's name.
std::string_view content_type_of(std::string_view title);

}  // namespace server
