// Evaluates ranges and conditions of an HTTP request for a film (RFC 9110). Pure.
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
std::string etag_of(const FileState& file);                     // with quotes
std::string http_date(int64_t changed_ns);                      // "Sun, 06 Nov 1994 08:49:37 GMT"
std::optional<int64_t> parse_http_date(std::string_view date);  // seconds since 1970

// Header values as received.
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
  uint64_t bytes = 0;  // 0 unless the status is 200 or 206

  bool operator==(const HttpPart&) const = default;
};
// Multiple ranges and malformed ones are answered with the whole film.
HttpPart choose_part(const FileState& file, const HttpConditions& conditions);

// Chosen by the title's file extension.
std::string_view content_type_of(std::string_view title);

}  // namespace server
