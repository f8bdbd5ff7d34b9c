// The file or feed of a ticker: its line is bounded, and plain except for the isolates of parts.
#include "sail/apps/show/ticker_line.h"

#include <string>
#include <string_view>

#include "sail/core/text/text.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(ticker_line) {
  const std::string_view file{reinterpret_cast<const char*>(data), size};
  const auto line = sail::line_of_file(file);
  if (!line) {
    fuzz::require(!line.error().message.empty(), "a refusal says why");
    return 0;
  }
  fuzz::require(!line->text.empty(), "a line has a text");
  fuzz::require(line->text.size() <= sail::kMostTickerLine, "a line is bounded");
  fuzz::require(sail::is_plain_text(line->text), "a line is plain");
  return 0;
}
