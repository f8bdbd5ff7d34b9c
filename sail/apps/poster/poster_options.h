// Command line of vitrail-poster.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/command_line/command_line.h"
#include "sail/media/film/film_poster.h"

namespace sail {

struct PosterOptions {
  std::vector<std::string> files;  // one file, unless `stored`
  std::string output;              // empty: standard output
  Size size = kPosterSize;
  bool facts = false;   // print properties instead of a picture
  bool stored = false;  // print properties of videos as stored, without decoding
  // The file is only a name: its bytes come from a ByteFeed on standard input.
  bool fed = false;
};

std::variant<PosterOptions, CommandLineAnswer> parse_poster_options(int count,
                                                                    const char* const* arguments);

}  // namespace sail
