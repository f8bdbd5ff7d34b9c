#include "sail/apps/poster/poster_options.h"

#include "sail/media/source/picture_spec.h"

namespace sail {
namespace {

constexpr int kMostSide = 2048;

const char* const kNotes = R"(What it reads:
  what bplay and vitrail-show put on a wall: films and pictures, documents. Of a film a frame a
  tenth in is taken, of a document the first page.

It takes at most 20 s and 2 GiB of memory, and gives way to programs that are in a hurry (not with
--stored, for which programs wait).
  exit code 0: there is a picture
            1: there is none, and one sentence on standard error says why
            2: the command line is wrong

Examples:
  vitrail-poster film.mp4 > film.jpg
  vitrail-poster --size 640x360 --output slides.jpg slides.pdf
  vitrail-poster --facts film.mp4
  vitrail-poster --stored /srv/films/*)";

}  // namespace

std::variant<PosterOptions, CommandLineAnswer> parse_poster_options(int count,
                                                                    const char* const* arguments) {
  PosterOptions options;
  CommandLine line("vitrail-poster",
                   "Makes one small picture (JPEG) of a film, a picture or a document.");
  line.notes(kNotes);
  line.option("file", options.files, "of which the picture is made; several with --stored")
      .form("FILE")
      .required();
  const auto read_size = [&options](const std::string& text) -> std::string {
    const auto size = parse_size(text);
    if (!size || size->width > kMostSide || size->height > kMostSide) {
      return "\"" + text + "\" is not WxH of at most 2048";
    }
    options.size = *size;
    return "";
  };
  const Option size =
      line.option_read(
              "--size", read_size,
              "at most so large, pixels; the shape stays, and small pictures are not enlarged")
          .form("WxH")
          .shows_default("320x180");
  const Option output =
      line.option("--output", options.output, "where it goes; else to standard output")
          .form("FILE");
  const Option facts =
      line.flag("--facts", options.facts,
                "no picture: what the file is, as JSON: \"size\", \"duration_s\", \"pages\", or "
                "\"unplayable\", why nothing can show it; {}: that takes too long to find out")
          .excludes(size)
          .excludes(output);
  line.flag("--stored", options.stored,
            "no picture: what each FILE is as a film, though nothing of it is decoded, as a line "
            "of JSON: \"size\", \"codec\", \"duration_ns\" and \"fps\" (0: unknown), \"playable\" "
            "(by walls, as it is stored), or \"unplayable\", why it is no film, or \"unreadable\", "
            "why that is not known; each may take 20 s")
      .excludes(size)
      .excludes(output)
      .excludes(facts);
  line.flag("--fed", options.fed,
            "for programs of Vitrail: FILE is a name only, and standard input is a socket by which "
            "the bytes of a film are asked for")
      .excludes(facts);
  if (const auto answer = line.read(count, arguments)) return *answer;
  if (options.files.size() > 1 && (!options.stored || options.fed)) {
    return CommandLineAnswer{2, "vitrail-poster: one FILE at a time, but with --stored\n"};
  }
  return options;
}

}  // namespace sail
