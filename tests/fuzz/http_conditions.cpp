// Headers of an HTTP request for a film, one a line: the answered range must lie within the film.
#include "sail/apps/server/http/http_conditions.h"

#include <array>
#include <string>
#include <string_view>

#include "tests/fuzz/fuzz.h"

namespace {

constexpr server::FileState kFilms[] = {{1000, 784'111'777'500'000'000}, {0, 0}, {UINT64_MAX, -1}};

}  // namespace

FUZZ_TARGET(http_conditions) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  server::HttpConditions conditions;
  for (auto* header : std::array{&conditions.range, &conditions.if_range, &conditions.if_match,
                                 &conditions.if_none_match, &conditions.if_modified_since,
                                 &conditions.if_unmodified_since}) {
    const size_t end = text.find('\n');
    if (end != 0 && !text.empty()) *header = std::string(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  for (const server::FileState& film : kFilms) {
    const server::HttpPart part = server::choose_part(film, conditions);
    fuzz::require(part.offset <= film.bytes && part.bytes <= film.bytes - part.offset,
                  "a part is within the film");
    fuzz::require(part.status != 206 || part.bytes > 0, "a part has bytes");
    fuzz::require(part.status != 200 || part.bytes == film.bytes, "all is all");
    fuzz::require(part.status < 300 || part.bytes == 0, "other answers have no film");
  }
  return 0;
}
