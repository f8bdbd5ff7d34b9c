// vitrail-poster: one small picture of a file that may be anything, within bounds of time and
// memory that the system enforces.
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <new>

#include "sail/desk/file_facts.h"
#include "sail/desk/poster.h"
#include "sail/desk/poster_options.h"
#include "sail/desk/poster_sandbox.h"
#include "sail/desk/vips_library.h"
#include "sail/wire/json.h"

namespace {

constexpr unsigned kLongestS = 20;
constexpr rlim_t kMostMemory = rlim_t{2} << 30;
constexpr int kNiceness = 10;

// Sanitizers take terabytes that they never touch.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VITRAIL_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VITRAIL_SANITIZED
#endif
#ifdef VITRAIL_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// These two in a signal's handler.
void end_late(int) {
  constexpr std::string_view kWords = "vitrail-poster: the file took too long: no picture\n";
  static_cast<void>(!write(STDERR_FILENO, kWords.data(), kWords.size()));
  _exit(1);
}

void end_without_facts(int) {
  constexpr std::string_view kNone = "{}\n";
  static_cast<void>(!write(STDOUT_FILENO, kNone.data(), kNone.size()));
  _exit(0);
}

void set_bounds(bool facts) {
  static_cast<void>(!nice(kNiceness));
  std::signal(SIGALRM, facts ? end_without_facts : end_late);
  alarm(kLongestS);
  const rlimit memory{kMostMemory, kMostMemory};
  if (!kSanitized) setrlimit(RLIMIT_DATA, &memory);
}

// Why it cannot be shown is an answer, too.
void print_facts(const std::string& file) {
  auto facts = sail::file_facts(file);
  if (!facts) facts = sail::Json{{"unplayable", facts.error().message}};
  fmt::print("{}\n", facts->dump(-1, ' ', false, sail::Json::error_handler_t::replace));
}

bool write_out(const std::vector<uint8_t>& jpeg, std::FILE* file) {
  return std::fwrite(jpeg.data(), 1, jpeg.size(), file) == jpeg.size() && std::fflush(file) == 0;
}

// What it writes to is open before the file is looked at.
sail::Result<void> make(const sail::PosterOptions& options) {
  const bool to_file = !options.output.empty();
  std::FILE* file = to_file ? std::fopen(options.output.c_str(), "wb") : stdout;
  const std::string place = to_file ? options.output : "to standard output";
  const sail::Error cannot_write{sail::ErrorCode::kIo, "cannot write " + place};
  if (file == nullptr) return cannot_write;
  // Sanitizers look at the process from another one at its end.
  if (auto given_up = kSanitized ? sail::Result<void>() : sail::give_up_rights(); !given_up) {
    return given_up;
  }
  const sail::VipsLibrary vips(1);
  if (options.facts) {
    print_facts(options.file);
    return {};
  }
  const auto jpeg = options.fed ? sail::make_fed_poster(options.file, STDIN_FILENO, options.size)
                                : sail::make_poster(options.file, options.size);
  if (!jpeg) return jpeg.error();
  return write_out(*jpeg, file) ? sail::Result<void>() : cannot_write;
}

int run(const sail::PosterOptions& options) {
  set_bounds(options.facts);
  try {
    return sail::exit_code_of("vitrail-poster", make(options));
  } catch (const std::bad_alloc&) {
    std::fputs("vitrail-poster: the file takes too much memory: no picture\n", stderr);
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_poster_options(argc, argv), run);
}
