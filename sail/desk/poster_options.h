// vitrail-poster's command line.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/command_line/command_line.h"
#include "sail/media/film_poster.h"

namespace sail {

struct PosterOptions {
  std::vector<std::string> files;  // one, but for `stored`
  std::string output;              // empty: standard output
  Size size = kPosterSize;
  bool facts = false;   // what the file is, no picture
  bool stored = false;  // the same of films as they are stored, nothing of which is decoded
  bool fed = false;  // the file is a name only: its bytes come from a ByteFeed, by standard input
};

std::variant<PosterOptions, CommandLineAnswer> parse_poster_options(int count,
                                                                    const char* const* arguments);

}  // namespace sail
