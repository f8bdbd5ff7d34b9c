// vitrail-poster: makes a small picture of an untrusted file, or reports its properties. The kernel
// enforces limits of time and memory.
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <new>

#include "sail/apps/poster/poster.h"
#include "sail/apps/poster/poster_options.h"
#include "sail/apps/poster/poster_sandbox.h"
#include "sail/core/text/json.h"
#include "sail/media/film/stored_facts.h"
#include "sail/media/still/vips_library.h"
#include "sail/media/storage/reading/fed_bytes.h"

namespace {

constexpr unsigned kLongestS = 20;
constexpr rlim_t kMostMemory = rlim_t{2} << 30;
constexpr int kNiceness = 10;

// Sanitizers reserve terabytes of address space that they never touch.
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
  end_with(STDOUT_FILENO, "{\"unreadable\":\"timeout while reading the film\"}\n", 0);
}

void set_bounds(const sail::PosterOptions& options) {
  // With --stored the caller waits for the result: keep normal priority.
  if (!options.stored) static_cast<void>(!nice(kNiceness));
  std::signal(SIGALRM, options.facts    ? end_without_facts
                       : options.stored ? end_unreadable
                                        : end_late);
  alarm(kLongestS);
  const rlimit memory{kMostMemory, kMostMemory};
  if (!kSanitized) setrlimit(RLIMIT_DATA, &memory);
}

// A file that cannot be shown is also an answer, with the reason.
void print_facts(const std::string& file) {
  auto facts = sail::file_facts(file);
  if (!facts) facts = sail::Json{{"unplayable", facts.error().message}};
  fmt::print("{}\n", facts->dump(-1, ' ', false, sail::Json::error_handler_t::replace));
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
  // Sanitizers inspect the process from another process at its end, which the sandbox forbids.
  if (auto given_up = kSanitized ? sail::Result<void>() : sail::give_up_rights(); !given_up) {
    return given_up;
  }
  if (options.stored) {
    print_stored(options);
    return {};
  }
  const std::string& name = options.files.front();
  sail::start_vips(1);
  if (options.facts) {
    print_facts(name);
    return {};
  }
  const auto jpeg = options.fed ? sail::make_fed_poster(name, STDIN_FILENO, options.size)
                                : sail::make_poster(name, options.size);
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
