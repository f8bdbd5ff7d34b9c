// Reads films at the same time as players do, for scripts/bench storage --engine: throughput, time
// of seeks, and how long a paced film waits for its bytes.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sail/core/command_line/command_line.h"
#include "sail/core/text/json.h"
#include "sail/core/time/clock.h"
#include "sail/media/storage/reading/read_cache.h"
#include "sail/media/storage/source_uri.h"

namespace {

using sail::ByteSource;
using sail::Json;
using sail::Result;

constexpr size_t kBlockBytes = size_t{1} << 20;
constexpr size_t kFirstBytes = 65536;  // read after a seek
constexpr double kMega = 1e6;
constexpr double kMilliseconds = 1e3;
constexpr double kMedian = 0.5;
constexpr double kMost = 0.95;

struct ReaderOptions {
  std::vector<std::string> films;
  double seconds = 3;
  double mb_per_s = 0;
  int seeks = 0;
};

double seconds_since(int64_t begin_ns) {
  return static_cast<double>(sail::steady_now_ns() - begin_ns) /
         static_cast<double>(sail::kSecondNs);
}

// One film, read by a thread of its own.
struct FilmRead {
  std::unique_ptr<const ByteSource> source;
  uint64_t bytes = 0;
  double longest_wait_s = 0;
  double ended_s = 0;
  std::string error;
};

// Reads from the beginning until the time is up, or until a film ends, because what is read twice
// may come from a cache. mb_per_s: the film's rate; 0: as fast as possible.
void read_film(FilmRead& film, const ReaderOptions& options, std::atomic<bool>& ended) {
  sail::ReadCache ahead(*film.source);
  std::vector<uint8_t> block(kBlockBytes);
  const int64_t begin_ns = sail::steady_now_ns();
  double due_s = 0;
  while (!ended && (options.mb_per_s > 0 ? due_s : seconds_since(begin_ns)) < options.seconds) {
    const int64_t asked_ns = sail::steady_now_ns();
    const auto read = ahead.read(film.bytes, block, {});
    film.longest_wait_s = std::max(film.longest_wait_s, seconds_since(asked_ns));
    if (!read) film.error = read.error().message;
    if (!read || *read == 0) {
      ended = ended || options.mb_per_s == 0;
      break;
    }
    film.bytes += *read;
    if (options.mb_per_s == 0) continue;
    const double block_s = static_cast<double>(*read) / kMega / options.mb_per_s;
    due_s += block_s;
    const double left_s = block_s - seconds_since(asked_ns);
    if (left_s > 0) std::this_thread::sleep_for(std::chrono::duration<double>(left_s));
  }
  film.ended_s = seconds_since(begin_ns);
}

// Milliseconds until the first bytes at positions all over the film, sorted.
Result<std::vector<double>> seek_times(const ByteSource& film, int seeks) {
  const auto size = film.size();
  if (!size) return size.error();
  sail::ReadCache ahead(film);
  std::vector<uint8_t> first(kFirstBytes);
  std::mt19937_64 random(1);
  std::uniform_int_distribution<uint64_t> places(0, *size > kFirstBytes ? *size - kFirstBytes : 0);
  std::vector<double> times_ms;
  for (int seek = 0; seek < seeks; ++seek) {
    const int64_t begin_ns = sail::steady_now_ns();
    const auto read = ahead.read(places(random), first, {});
    if (!read) return read.error();
    times_ms.push_back(seconds_since(begin_ns) * kMilliseconds);
  }
  std::ranges::sort(times_ms);
  return times_ms;
}

Json read_all(std::vector<FilmRead>& films, const ReaderOptions& options) {
  std::atomic<bool> ended{false};
  std::vector<std::thread> threads;
  threads.reserve(films.size());
  for (FilmRead& film : films) {
    threads.emplace_back([&] { read_film(film, options, ended); });
  }
  for (std::thread& thread : threads) thread.join();
  Json reported;
  double total = 0;
  for (const FilmRead& film : films) {
    const double mb = static_cast<double>(film.bytes) / kMega;
    const double rate = film.ended_s > 0 ? mb / film.ended_s : 0;
    total += rate;
    Json one = {{"mb", mb}, {"mb_per_s", rate}, {"longest_wait_s", film.longest_wait_s}};
    if (!film.error.empty()) one["error"] = film.error;
    reported["films"].push_back(std::move(one));
  }
  reported["mb_per_s"] = total;
  return reported;
}

Result<void> read_films(const ReaderOptions& options) {
  std::vector<FilmRead> films(options.films.size());
  for (size_t i = 0; i < films.size(); ++i) {
    auto opened = sail::open_bytes(options.films[i]);
    if (!opened) return opened.error();
    films[i].source = std::move(*opened);
  }
  Json reported;
  if (options.seeks == 0) {
    reported = read_all(films, options);
  } else {
    const auto times_ms = seek_times(*films.front().source, options.seeks);
    if (!times_ms) return times_ms.error();
    const auto at = [&](double share) {
      return (*times_ms)[static_cast<size_t>(share * static_cast<double>(times_ms->size() - 1))];
    };
    reported["seek_ms"] = {{"p50", at(kMedian)}, {"p95", at(kMost)}};
  }
  fmt::print("{}\n", reported.dump());
  return {};
}

constexpr const char kReaderNotes[] =
    "Writes JSON. A film that fails while it is read has an `error`, and is no failure of this "
    "program.";

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line("film_reader", "Reads films at the same time, as players do.");
  line.notes(kReaderNotes);
  ReaderOptions options;
  line.option("films", options.films, "Files and URLs, as for `vitrail iobench`").required();
  line.option("--seconds", options.seconds, "How long to read")
      .between(0.01, 3600.0)
      .shows_default();
  line.option("--mb-per-s", options.mb_per_s, "Rate of each film; 0: as fast as possible")
      .between(0.0, 1e6)
      .shows_default();
  line.option("--seeks", options.seeks, "Only measure so many seeks in the first film")
      .between(0, 10'000)
      .shows_default();
  return line.run(argc, argv, [&options] { return read_films(options); });
}
