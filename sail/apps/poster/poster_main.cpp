// vitrail-poster: makes a small picture of an untrusted file, or reports its properties. The kernel
// enforces limits of time and memory.
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <new>
#include <string>
#include <variant>
#include <vector>

#include "sail/apps/poster/poster.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/sanitized.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/process/sandbox.h"
#include "sail/core/text/json.h"
#include "sail/media/film/film_poster.h"
#include "sail/media/film/stored_facts.h"
#include "sail/media/source/picture_spec.h"
#include "sail/media/still/vips_library.h"
#include "sail/media/storage/reading/fed_bytes.h"

namespace sail {
namespace {

struct PosterOptions {
  std::vector<std::string> files;  // one file, unless `stored`
  std::string output;              // empty: standard output
  Size size = kPosterSize;
  int page = 1;
  bool facts = false;   // print properties instead of a picture
  bool notes = false;   // print speaker's notes instead of a picture
  bool stored = false;  // print properties of videos as stored, without decoding
  // The file is only a name: its bytes come from a ByteFeed on standard input.
  bool fed = false;
};

constexpr int kMostSide = 2048;

const char* const kNotes = R"(Input:
  Everything that bplay and vitrail-show can show: films, pictures and documents. The picture is
  the frame at one tenth of a film, or a page of a document.

Reading is limited to 20 s and 2 GiB of memory and runs at low priority (normal with --stored, where
programs wait for the result).
  exit code 0: the picture was created
            1: no picture; the reason is on standard error
            2: the command line is wrong

Examples:
  vitrail-poster film.mp4 > film.jpg
  vitrail-poster --size 640x360 --output slides.jpg slides.pdf
  vitrail-poster --facts film.mp4
  vitrail-poster --notes slides.pptx
  vitrail-poster --stored /srv/films/*)";

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
  const Option page = line.option("--page", options.page, "page of a document")
                          .between(1, kMaxPages)
                          .shows_default();
  const Option facts =
      line.flag(
              "--facts", options.facts,
              "print the file's properties as JSON instead of a picture: \"size\", \"duration_s\", "
              "\"pages\", or \"unplayable\" with the reason; {}: reading took too long")
          .excludes(size)
          .excludes(page)
          .excludes(output);
  const Option notes =
      line.flag("--notes", options.notes,
                "print the speaker's notes of a presentation (PPTX, ODP) as JSON instead of a "
                "picture: \"pages\", with \"title\" and \"notes\" for each, or \"unreadable\" with "
                "the reason")
          .excludes(size)
          .excludes(page)
          .excludes(output)
          .excludes(facts);
  line.flag("--stored", options.stored,
            "instead of a picture, print a line of JSON per FILE, without decoding: \"size\", "
            "\"codec\", "
            "\"duration_ns\" and \"fps\" (0: unknown), \"playable\" (by walls, as stored), or "
            "\"unplayable\" with the reason if FILE is not a film, or \"unreadable\" with the "
            "reason; at most 20 s each")
      .excludes(size)
      .excludes(page)
      .excludes(output)
      .excludes(facts)
      .excludes(notes);
  line.flag("--fed", options.fed,
            "for Vitrail's own programs: FILE is only a name; the film's bytes are requested "
            "through a socket on standard input")
      .excludes(page)
      .excludes(facts)
      .excludes(notes);
  if (const auto answer = line.read(count, arguments)) return *answer;
  if (options.files.size() > 1 && (!options.stored || options.fed)) {
    return CommandLineAnswer{2, "vitrail-poster: several FILEs require --stored\n"};
  }
  return options;
}

}  // namespace
}  // namespace sail

namespace {

constexpr unsigned kLongestS = 20;
constexpr rlim_t kMostMemory = rlim_t{2} << 30;
constexpr int kNiceness = 10;

// The following functions run in a signal handler.
template <size_t size>
void end_with(int file, const char (&words)[size], int exit_code) {
  static_cast<void>(!write(file, words, size - 1));
  _exit(exit_code);
}

void end_late(int) {
  end_with(STDERR_FILENO, "vitrail-poster: timeout: reading the file took too long\n", 1);
}

void end_without_facts(int) {
  end_with(STDOUT_FILENO, "{}\n", 0);
}

void end_unreadable(int) {
  end_with(STDOUT_FILENO, "{\"unreadable\":\"timeout while reading the file\"}\n", 0);
}

void set_bounds(const sail::PosterOptions& options) {
  // With --stored the caller waits for the result: keep normal priority.
  if (!options.stored) static_cast<void>(!nice(kNiceness));
  std::signal(SIGALRM, options.facts                     ? end_without_facts
                       : options.stored || options.notes ? end_unreadable
                                                         : end_late);
  alarm(kLongestS);
  const rlimit memory{kMostMemory, kMostMemory};
  if (!sail::kSanitized) setrlimit(RLIMIT_DATA, &memory);
}

// A file that cannot be read is also an answer: the reason, as the field `problem`.
void print_answer(sail::Result<sail::Json> answer, const char* problem) {
  if (!answer) answer = sail::Json{{problem, answer.error().message}};
  fmt::print("{}\n", answer->dump(-1, ' ', false, sail::Json::error_handler_t::replace));
}

sail::Result<sail::MediaFacts> stored_facts_of(const std::string& file, bool is_fed) {
  const auto fed = [&file] { return sail::FedBytes::open(file, STDIN_FILENO); };
  try {
    return is_fed ? sail::stored_facts(file, fed) : sail::stored_facts(file);
  } catch (const std::bad_alloc&) {
    return sail::fail(sail::ErrorCode::kLimit, "not enough memory to read the film");
  }
}

// Flush each line: if this process dies, the reader knows at which file.
void print_stored(const sail::PosterOptions& options) {
  for (const std::string& file : options.files) {
    alarm(kLongestS);
    const auto facts = stored_facts_of(file, options.fed);
    fmt::print("{}", sail::stored_facts_line(facts));
    std::fflush(stdout);
  }
}

bool write_out(const std::vector<uint8_t>& jpeg, std::FILE* file) {
  return std::fwrite(jpeg.data(), 1, jpeg.size(), file) == jpeg.size() && std::fflush(file) == 0;
}

// Open the output before reading the input: the sandbox forbids opening files for writing.
sail::Result<void> make(const sail::PosterOptions& options) {
  const bool to_file = !options.output.empty();
  std::FILE* file = to_file ? std::fopen(options.output.c_str(), "wb") : stdout;
  const std::string place = to_file ? options.output : "to standard output";
  const sail::Error cannot_write{sail::ErrorCode::kIo, "cannot write " + place};
  if (file == nullptr) return cannot_write;
  if (!sail::kSanitized) {
    if (auto given_up = sail::give_up_rights(sail::FileRights::kRead); !given_up) return given_up;
  }
  if (options.stored) {
    print_stored(options);
    return {};
  }
  const std::string& name = options.files.front();
  if (options.notes) {
    print_answer(sail::file_notes(name), "unreadable");
    return {};
  }
  sail::start_vips(1);
  if (options.facts) {
    print_answer(sail::file_facts(name), "unplayable");
    return {};
  }
  const auto jpeg = options.fed ? sail::make_fed_poster(name, STDIN_FILENO, options.size)
                                : sail::make_poster(name, options.size, options.page - 1);
  if (!jpeg) return jpeg.error();
  return write_out(*jpeg, file) ? sail::Result<void>() : cannot_write;
}

int run(const sail::PosterOptions& options) {
  set_bounds(options);
  try {
    return sail::exit_code_of("vitrail-poster", make(options));
  } catch (const std::bad_alloc&) {
    std::fputs("vitrail-poster: not enough memory to read the file\n", stderr);
    return 1;
  }
}

}  // namespace

int vitrail_poster_main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_poster_options(argc, argv), run);
}
