#include "sail/apps/show/show_options.h"

#include "sail/core/text/limits.h"

namespace sail {
namespace {

constexpr double kLongestS = 86'400;
constexpr int kHighestPage = 1'000'000;

const char* const kNotes = R"(What it shows:
  PNG, JPEG, TIFF, WebP, GIF, HEIF, SVG and what else libvips reads, and PDF; the pages of all files
  are one list. Everything is drawn for the size that the window has on the wall, and again when
  that changes.
  Pictures of any size: of a tiled TIFF with levels (a pyramid) only what is seen is read. Make one
  with: vips tiffsave huge.png pyramid.tif --tile --pyramid --compression jpeg
  Others of more than 134 megapixels are shown reduced, or with less detail between the whole and
  their pixels; a word says so.
  note:TEXT, a text of any script, whose lines are parted by "\n"; clock:[ZONE], the time of day,
  here or as in clock:Europe/Paris.
  Files may lie elsewhere (https://…, s3://BUCKET/KEY, sftp://…): they are copied first.

Pointer and keys, for people who click into the window at the wall:
  wheel, pinch      zoom where the pointer is
  drag              pan
  + -               zoom about the middle
  0                 the whole page again
  1                 one pixel of the picture on each pixel of the wall
  arrows            turn the page; pan when zoomed in
  PageDown, space   next page
  PageUp            former page
  Home, End         first, last page
The page is turned from anywhere by `vitrail page WINDOW NUMBER`.

How it ends:
  When the window is closed (Ctrl-C, vitrail close).
  exit code 0: something was shown
            1: nothing could be shown, or there is no manager
            2: the command line is wrong

Examples:
  vitrail show map.png
  vitrail show slides.pdf --place 0,0,3840x2160
  vitrail show clock:Asia/Tokyo
  vitrail show --every 10 --loop photos/*.jpg
  vitrail show --codec raw+lz4 galaxy-pyramid.tif)";

}  // namespace

std::variant<ShowOptions, CommandLineAnswer> parse_show_options(int count,
                                                                const char* const* arguments) {
  ShowOptions options;
  CommandLine line("vitrail-show",
                   "Shows pictures and documents on a Vitrail wall, at its full resolution.");
  line.notes(kNotes);
  line.option("files", options.files, "what to show, in this order")
      .form("FILE|note:TEXT|clock:[ZONE]")
      .required();
  line.option("--page", options.page, "begin with this page")
      .limited(1, kHighestPage)
      .form("N")
      .shows_default();
  line.option("--every", options.every_s, "turn the page by itself each so many seconds")
      .limited(0.1, kLongestS)
      .form("SECONDS");
  line.flag("--loop", options.loop, "after the last page comes the first");
  options.codec = kCodecForTexts;
  add_shell_options(line, options, false);
  if (const auto answer = line.read(count, arguments)) return *answer;
  return options;
}

}  // namespace sail
