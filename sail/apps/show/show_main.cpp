#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "sail/apps/show/document_conversion.h"
#include "sail/apps/show/fetched_files.h"
#include "sail/apps/show/office_document.h"
#include "sail/apps/show/still_show.h"
#include "sail/apps/show/ticker_show.h"
#include "sail/core/base/stop_signals.h"
#include "sail/core/process/process.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/content.h"
#include "sail/core/wire/ticker_medium.h"
#include "sail/media/still/vips_image.h"
#include "sail/media/still/vips_library.h"
#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

constexpr double kLongestS = 86'400;
constexpr int kHighestPage = 1'000'000;

const char* const kNotes = R"(Content:
  PNG, JPEG, TIFF, WebP, GIF, HEIC, AVIF, SVG and PDF, by content; the pages of all
  files form one list. Everything is rendered for the window's size on the wall, and again when this
  size changes.
  Pictures of any size: of a tiled TIFF with levels (a pyramid), of whole slides (SVS, NDPI, SCN,
  MRXS, VMS, BIF) and of DeepZoom (.dzi), only the visible part is read. To create a pyramid:
  vips tiffsave huge.png pyramid.tif --tile --pyramid --compression jpeg
  Other pictures of more than 134 megapixels are shown reduced, or with less detail between full
  view and full zoom; a message reports this. JPEG pictures of more than 4 megapixels, and large
  pyramids, are coarse until they have been read.
  Office documents (PPTX, PPT, ODP, DOCX, DOC, ODT, XLSX, XLS, ODS), converted to PDF once by
  LibreOffice (packages libreoffice-impress, -writer and -calc) without network and macros, in at
  most 2 min; the window shows the progress. The PDFs are in ~/.cache/vitrail/documents, at most
  2 GiB. To convert before the talk: vitrail show --prepare slides.pptx
  note:TEXT, a text in any script, with "\n" between lines; clock:[ZONE], the time of day here, or
  in a time zone as in clock:Europe/Paris; qr:TEXT, a QR code of a text of at most 300 bytes.
  ticker:TEXT, ticker:/FILE or ticker:https://FEED, a line of text that moves, as the only content.
  A file (UTF-8, or RSS or Atom) is read again when it changes, a feed (RSS, Atom) every five
  minutes. Options: ticker:?speed=120&ink=#ffff00&paper=#000060?TEXT; the speed, in pixels a
  second, becomes a multiple of 30.
  Remote files (https://…, s3://BUCKET/KEY, sftp://…) are copied first.

Pointer and keys, for users who click into the window at the wall:
  wheel, pinch      zoom at the pointer
  drag              pan
  + -               zoom at the centre
  0                 the whole page
  1                 one picture pixel per wall pixel
  arrows            turn the page; pan when zoomed in
  PageDown, space   next page
  PageUp            previous page
  Home, End         first, last page
From anywhere else: `vitrail page WINDOW NUMBER`.

When the program ends:
  When its window is closed (Ctrl-C, vitrail close).
  exit code 0: a page was shown
            1: nothing could be shown, or no manager
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
                   "Show pictures and documents on a Vitrail wall at its full resolution.");
  line.notes(kNotes);
  line.option("files", options.files, "files to show, in this order")
      .form("FILE|note:TEXT|clock:[ZONE]|qr:TEXT|ticker:TEXT")
      .required();
  line.option("--page", options.page, "first page to show")
      .limited(1, kHighestPage)
      .form("N")
      .shows_default();
  line.option("--every", options.every_s,
              "turn to the next page automatically after this time, in seconds")
      .limited(0.1, kLongestS)
      .form("SECONDS");
  line.flag("--loop", options.loop, "continue with the first page after the last");
  line.flag("--prepare", options.prepare,
            "convert office documents now, print the paths of their PDFs, and show nothing");
  line.option("--animations", options.animations,
              "for Vitrail's own programs: if all files are animations, run bplay with its "
              "defaults instead, which keeps (hold) or closes the window at the end")
      .one_of({"first", "hold", "close"})
      .shows_default();
  options.codec = kCodecForTexts;
  add_shell_options(line, options, false);
  if (const auto answer = line.read(count, arguments)) return *answer;
  return options;
}

std::vector<std::string> animation_player(const ShowOptions& options) {
  const auto moves = [](const std::string& file) {
    return !is_written(file) && !is_far(file) && is_animation(file);
  };
  if (options.animations == "first" || options.files.empty() ||
      !std::ranges::all_of(options.files, moves)) {
    return {};
  }
  std::vector<std::string> line{find_program("bplay")};
  if (options.loop) line.emplace_back("--loop");
  if (options.animations == "hold") line.emplace_back("--hold");
  line.emplace_back("--");
  line.insert(line.end(), options.files.begin(), options.files.end());
  return line;
}

namespace {

// Returns only if the program cannot be started.
int become(std::vector<std::string> line) {
  std::vector<char*> words;
  for (std::string& word : line) words.push_back(word.data());
  words.push_back(nullptr);
  execvp(words.front(), words.data());
  return exit_code_of("vitrail-show", fail(ErrorCode::kNotFound, "cannot start " + line.front()));
}

int show_ticker(const ShowOptions& options) {
  if (options.files.size() > 1) {
    return exit_code_of("vitrail-show",
                        fail(ErrorCode::kInvalidParams, "a ticker must be the only content"));
  }
  const auto medium = parse_ticker(options.files.front());
  if (!medium) return exit_code_of("vitrail-show", medium.error());
  return TickerShow(options, *medium).run();
}

// Converts the office documents. Runs without a wall, and in one thread, as the sandbox requires.
int prepare(const ShowOptions& options) {
  StopSignals signals;
  const auto give_up = [&signals] { return signals.arrived(); };
  int exit_code = EXIT_SUCCESS;
  const auto complain = [&exit_code](const std::string& sentence) {
    exit_code = exit_code_of("vitrail-show", fail(ErrorCode::kBadData, sentence));
  };
  const FetchedFiles files(options.files, complain, give_up);
  for (const std::string& path : files.paths()) {
    if (!is_office_document(path)) continue;
    const auto pdf = convert_document(path, DocumentCache::of_user(), {}, give_up);
    if (!pdf) {
      complain(pdf.error().message);
    } else if (options.log_level != LogLevel::kError) {
      fmt::print("{}\n", *pdf);
    }
  }
  return exit_code;
}

int show(ShowOptions options) {
  if (options.prepare) return prepare(options);
  if (std::ranges::any_of(options.files, is_ticker)) return show_ticker(options);
  if (options.animations != "first" && start_vips(options.threads)) {
    auto player = animation_player(options);
    if (!player.empty()) return become(std::move(player));
  }
  return StillShow(std::move(options)).run();
}

}  // namespace
}  // namespace sail

int vitrail_show_main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_show_options(argc, argv), sail::show);
}
