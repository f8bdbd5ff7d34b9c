#include "sail/apps/poster/poster_options.h"

#include "sail/media/source/picture_spec.h"

namespace sail {
namespace {

constexpr int kMostSide = 2048;

const char* const kNotes = R"(Input:
  Everything that bplay and vitrail-show can show: films, pictures and documents. The picture is
  the frame at one tenth of a film, or the first page of a document.

Reading is limited to 20 s and 2 GiB of memory and runs at low priority (normal with --stored, where
programs wait for the result).
  exit code 0: the picture was created
            1: no picture; the reason is on standard error
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
  CommandLine line("vitrail-poster", "Create a small JPEG picture of a film, picture or document.");
  line.notes(kNotes);
  line.option("file", options.files, "file to read; several are allowed with --stored")
      .form("FILE")
      .required();
  const auto read_size = [&options](const std::string& text) -> std::string {
    const auto size = parse_size(text);
    if (!size || size->width > kMostSide || size->height > kMostSide) {
      return "\"" + text + "\" is not WxH with sides of at most 2048";
    }
    options.size = *size;
    return "";
  };
  const Option size =
      line.option_read("--size", read_size,
                       "maximum size in pixels; keeps the aspect ratio and does not enlarge")
          .form("WxH")
          .shows_default("320x180");
  const Option output =
      line.option("--output", options.output, "output file; default: standard output").form("FILE");
  const Option facts =
      line.flag(
              "--facts", options.facts,
              "print the file's properties as JSON instead of a picture: \"size\", \"duration_s\", "
              "\"pages\", or \"unplayable\" with the reason; {}: reading took too long")
          .excludes(size)
          .excludes(output);
  line.flag("--stored", options.stored,
            "instead of a picture, print a line of JSON per FILE, without decoding: \"size\", "
            "\"codec\", "
            "\"duration_ns\" and \"fps\" (0: unknown), \"playable\" (by walls, as stored), or "
            "\"unplayable\" with the reason if FILE is not a film, or \"unreadable\" with the "
            "reason; at most 20 s each")
      .excludes(size)
      .excludes(output)
      .excludes(facts);
  line.flag("--fed", options.fed,
            "for Vitrail's own programs: FILE is only a name; the film's bytes are requested "
            "through a socket on standard input")
      .excludes(facts);
  if (const auto answer = line.read(count, arguments)) return *answer;
  if (options.files.size() > 1 && (!options.stored || options.fed)) {
    return CommandLineAnswer{2, "vitrail-poster: several FILEs require --stored\n"};
  }
  return options;
}

}  // namespace sail
