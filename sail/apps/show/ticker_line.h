// The line that a ticker shows: of a text, of a text file, or of a feed (RSS, Atom), whose titles
// become one line. Untrusted input. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"

namespace sail {

constexpr size_t kMostTickerFile = 1 << 20;   // bytes of a file or feed
constexpr size_t kMostTickerLine = 16 << 10;  // bytes
constexpr size_t kMostTickerTitle = 400;      // bytes of one entry of a feed
constexpr size_t kMostTickerTitles = 100;     // the feed's first ones

struct TickerLine {
  std::string text;        // parts are isolated, so that each keeps its own direction
  bool shortened = false;  // parts did not fit and are left out

  bool operator==(const TickerLine&) const = default;
};

// The lines of the text one after the other.
Result<TickerLine> line_of_text(std::string_view text);
// The titles of the feed.
Result<TickerLine> line_of_feed(std::string_view xml);
// line_of_feed() if the file begins as XML does. Errors are phrases: "has …", "is …".
Result<TickerLine> line_of_file(std::string_view file);

// Text of HTML: without tags, with the usual entities decoded.
std::string text_of_html(std::string_view html);

}  // namespace sail
