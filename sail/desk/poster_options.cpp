#include "sail/desk/poster_options.h"

#include <CLI/CLI.hpp>

#include "sail/media/picture_spec.h"

namespace sail {
namespace {

constexpr int kMostSide = 2048;

const char* const kFooter = R"(What it reads:
  what bplay and vitrail-show put on a wall: films and pictures, documents. Of a film a frame a
  tenth in is taken, of a document the first page.

It takes at most 20 s and 2 GiB of memory, and gives way to programs that are in a hurry.
  exit code 0: there is a picture
            1: there is none, and one sentence on standard error says why
            2: the command line is wrong

Examples:
  vitrail-poster film.mp4 > film.jpg
  vitrail-poster --size 640x360 --output slides.jpg slides.pdf
  vitrail-poster --facts film.mp4)";

}  // namespace

std::variant<PosterOptions, DeskAnswer> parse_poster_options(int count,
                                                             const char* const* arguments) {
  PosterOptions options;
  CLI::App app("Makes one small picture (JPEG) of a film, a picture or a document.",
               "vitrail-poster");
  app.set_version_flag("--version", "vitrail-poster " VITRAIL_VERSION);
  app.footer(kFooter);
  app.add_option("file", options.file, "of which the picture is made")
      ->type_name("FILE")
      ->required();
  app.add_option_function<std::string>(
         "--size",
         [&options](const std::string& text) {
           const auto size = parse_size(text);
           if (!size || size->width > kMostSide || size->height > kMostSide) {
             throw CLI::ValidationError("--size", "\"" + text + "\" is not WxH of at most 2048");
           }
           options.size = *size;
         },
         "at most so large, pixels; the shape stays, and small pictures are not enlarged")
      ->type_name("WxH")
      ->default_str("320x180");
  app.add_option("--output", options.output, "where it goes; else to standard output")
      ->type_name("FILE");
  app.add_flag("--facts", options.facts,
               "no picture: what the file is, as JSON: \"size\", \"duration_s\", \"pages\", or "
               "\"unplayable\", why nothing can show it; {}: that takes too long to find out")
      ->excludes("--size", "--output");
  if (const auto answer = parse_desk_line(app, count, arguments)) return *answer;
  return options;
}

}  // namespace sail
