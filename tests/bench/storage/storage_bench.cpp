// scripts/bench storage: read speed of films from different storages, compared with the maximum: a
// plain read loop for a file, the path's rate for a web server.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "sail/core/command_line/command_line.h"
#include "sail/core/text/json.h"
#include "sail/core/time/clock.h"
#include "sail/media/storage/reading/read_cache.h"
#include "sail/media/storage/reading/read_speed.h"
#include "sail/media/storage/source_uri.h"
#include "tests/bench/pictures/process_usage.h"
#include "tests/support/depot.h"
#include "tests/support/http_server.h"
#include "ui/impair/relay.h"

namespace {

using sail::ByteSource;
using sail::Json;
using sail::Result;

constexpr size_t kMega = size_t{1} << 20;
constexpr size_t kSmallBytes = 4096;
constexpr double kMbPerSecond = 1e3;  // from bytes a nanosecond
constexpr double kBitsOfMb = 8e6;
constexpr double kBitsOfByte = 8;
constexpr double kAheadBytes = 32e6;  // at most, by a ReadCache

struct Options {
  double seconds = 3;
  int file_mb = 256;
  double delay_ms = 20;  // milliseconds for each request
  double rate_mbit = 1000;
  std::string nfs;
  std::string also;
  std::string json_file;
};

std::string film_of(size_t bytes) {
  std::string film(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) film[i] = static_cast<char>(i % 251 + i / 65536);
  return film;
}

// Rate of sequential reads of this size, repeated over the file, into alternating buffers. `read`
// returns the number of bytes read at an offset.
template <typename Read>
Result<double> rate_of(uint64_t size, size_t at_a_time, size_t rooms, double seconds,
                       const Read& read) {
  std::vector<uint8_t> memory(at_a_time * rooms);
  size_t room = 0;
  const int64_t begin_ns = sail::steady_now_ns();
  uint64_t bytes = 0;
  int64_t now_ns = begin_ns;
  for (uint64_t place = 0;
       static_cast<double>(now_ns - begin_ns) < seconds * static_cast<double>(sail::kSecondNs);
       now_ns = sail::steady_now_ns()) {
    const uint64_t count = std::min<uint64_t>(at_a_time, size - place);
    const Result<size_t> got = read(place, std::span(memory).subspan(room * at_a_time, count));
    if (!got) return got.error();
    bytes += *got;
    room = (room + 1) % rooms;
    place = (place + *got) % size;
  }
  return static_cast<double>(bytes) / static_cast<double>(now_ns - begin_ns) * kMbPerSecond;
}

// Reads as FFmpeg's demuxers do.
Result<double> ahead_rate(const ByteSource& source, size_t at_a_time, double seconds) {
  sail::ReadCache ahead(source);
  return rate_of(
      source.size().value(), at_a_time, 1, seconds,
      [&](uint64_t place, std::span<uint8_t> room) { return ahead.read(place, room, {}); });
}

// Reads as for .vmov films: blocks go straight to their destination.
Result<double> block_rate(const ByteSource& source, size_t depth, double seconds,
                          size_t block_bytes = kMega) {
  const auto speed = sail::measure_reading(
      source, {block_bytes, depth, static_cast<int64_t>(seconds * sail::kSecondNs)}, {});
  if (!speed) return speed.error();
  return speed->mb_per_s();
}

// Medians of several measurements, run in turns so that a noisy machine affects all equally.
using Measure = std::function<Result<double>(double seconds)>;
Result<std::vector<double>> medians(const std::vector<Measure>& measures, double seconds) {
  constexpr int kTurns = 5;
  std::vector<std::vector<double>> figures(measures.size());
  for (int turn = 0; turn < kTurns; ++turn) {
    for (size_t i = 0; i < measures.size(); ++i) {
      const auto rate = measures[i](seconds / kTurns);
      if (!rate) return rate.error();
      figures[i].push_back(*rate);
    }
  }
  std::vector<double> medians;
  for (auto& all : figures) {
    std::ranges::sort(all);
    medians.push_back(all[kTurns / 2]);
  }
  return medians;
}

Result<Json> measure_local(const Options& options) {
  std::string folder = (std::filesystem::temp_directory_path() / "vitrail-storage-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return sail::fail(sail::ErrorCode::kIo, "no folder");
  const std::string name = folder + "/film";
  std::ofstream(name, std::ios::binary) << film_of(static_cast<size_t>(options.file_mb) * kMega);
  const auto source = sail::open_bytes(name);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);  // the file lives as long as it is open
  if (!source) return source.error();
  const ByteSource& file = **source;
  const auto plain = [&](double seconds) {
    return rate_of(file.size().value(), kMega, file.depth().begin, seconds,
                   [&](uint64_t place, std::span<uint8_t> room) -> Result<size_t> {
                     auto read = file.read(place, room);
                     if (!read) return std::move(read.error());
                     return room.size();
                   });
  };
  const auto rates =
      medians({plain, [&](double seconds) { return block_rate(file, file.depth().begin, seconds); },
               [&](double seconds) { return ahead_rate(file, kMega, seconds); }},
              options.seconds);
  if (!rates) return rates.error();
  const std::vector<double>& found = *rates;
  return Json{{"plain_reads_mb_per_s", found[0]},
              {"blocks_mb_per_s", found[1]},
              {"blocks_to_plain_reads", found[1] / found[0]},
              {"demuxer_mb_per_s", found[2]},
              {"demuxer_to_plain_reads", found[2] / found[0]}};
}

// An impaired path to a port of this host, on its own thread.
class Path {
 public:
  Path(const Options& options, uint16_t port) {
    sail::Impairment impairment;
    impairment.delay_ms = options.delay_ms / 2;
    impairment.rate_bit_per_s = options.rate_mbit * 1e6;
    impairment.both = true;
    relay_ = std::move(sail::Relay::start(loop_, {"127.0.0.1", 0}, impairment).value());
    relay_->set_target({"127.0.0.1", port});
    port_ = relay_->address().port;
    thread_ = std::thread([this] { loop_.run(); });
  }
  ~Path() {
    loop_.post([this] { relay_.reset(); });
    loop_.stop();
    thread_.join();
  }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;
  uint16_t port() const { return port_; }

 private:
  sail::Loop loop_;
  std::unique_ptr<sail::Relay> relay_;
  uint16_t port_ = 0;
  std::thread thread_;
};

Result<Json> measure_http(const Options& options) {
  const std::string film = film_of(64 * kMega);
  test::HttpServer server(
      [&](const test::HttpRequest& request) { return test::HttpServer::part_of(film, request); });
  const Path path(options, server.port());
  const auto source = sail::open_bytes(fmt::format("http://127.0.0.1:{}/film", path.port()));
  if (!source) return source.error();
  const double path_mb_per_s = options.rate_mbit * 1e6 / kBitsOfMb;
  Json figures = {{"delay_ms", options.delay_ms}, {"path_mb_per_s", path_mb_per_s}};
  const std::pair<const char*, Result<double>> rates[] = {
      {"one_at_a_time", block_rate(**source, 1, options.seconds)},
      {"blocks", block_rate(**source, (*source)->depth().begin, options.seconds)},
      {"demuxer", ahead_rate(**source, kMega, options.seconds)},
      {"demuxer_small_reads", ahead_rate(**source, kSmallBytes, options.seconds)}};
  for (const auto& [name, rate] : rates) {
    if (!rate) return rate.error();
    figures[std::string(name) + "_mb_per_s"] = *rate;
    figures[std::string(name) + "_to_path"] = *rate / path_mb_per_s;
  }
  return figures;
}

struct LoadSize {
  const char* text;
  size_t bytes;
};
constexpr LoadSize kLoads[] = {{"64_b", 64},          {"1_kb", 1024},        {"64_kb", 64 << 10},
                               {"256_kb", 256 << 10}, {"512_kb", 512 << 10}, {"1024_kb", kMega}};

// Rates by size of LOADs, one and 16 at a time; and of demuxer reads, compared with 16 of 1 MB.
Result<Json> load_rates(const std::string& capability, double seconds, double ahead_seconds) {
  const auto source = sail::open_bytes(capability);
  if (!source) return source.error();
  Json figures;
  double mega_mb_per_s = 0;
  for (const size_t depth : {size_t{1}, size_t{16}}) {
    for (const LoadSize& load : kLoads) {
      const auto rate = block_rate(**source, depth, seconds, load.bytes);
      if (!rate) return rate.error();
      figures[fmt::format("loads_of_{}_at_{:02}_mb_per_s", load.text, depth)] = *rate;
      mega_mb_per_s = *rate;
    }
  }
  const std::pair<const char*, Result<double>> rates[] = {
      {"demuxer", ahead_rate(**source, kMega, ahead_seconds)},
      {"demuxer_small_reads", ahead_rate(**source, kSmallBytes, ahead_seconds)}};
  for (const auto& [name, rate] : rates) {
    if (!rate) return rate.error();
    figures[std::string(name) + "_mb_per_s"] = *rate;
    figures[std::string(name) + "_to_loads"] = *rate / mega_mb_per_s;
  }
  return figures;
}

Result<Json> measure_ibp(const Options& options) {
  test::Depot depot(test::Dialect::kAccre);
  return load_rates(depot.store(film_of(64 * kMega)), options.seconds, options.seconds);
}

// The same through a path, with or without delay.
Result<Json> measure_ibp_by(const Options& options) {
  test::Depot depot(test::Dialect::kAccre);
  const Path path(options, depot.port());
  std::string capability = depot.store(film_of(64 * kMega));
  const std::string port = fmt::format(":{}/", depot.port());
  capability.replace(capability.find(port), port.size(), fmt::format(":{}/", path.port()));
  // Longer than the read-ahead takes to transfer.
  const double ahead_s = kAheadBytes * 1.3 * kBitsOfByte / (options.rate_mbit * 1e6);
  return load_rates(capability, options.seconds, std::max(options.seconds, ahead_s));
}

Result<Json> measure_ibp_near(const Options& options) {
  Options near = options;
  near.delay_ms = 0;
  return measure_ibp_by(near);
}

// The best result of `vitrail iobench`, and the rates of films for comparison.
Result<Json> measure_nfs(const Options& options) {
  if (options.nfs.empty()) return Json{{"left_out", "there is no NFS server"}};
  const auto source = sail::open_bytes(options.nfs);
  if (!source && source.error().code == sail::ErrorCode::kInvalidParams) {
    return Json{{"left_out", source.error().message}};  // built without NFS
  }
  if (!source) return source.error();
  const ByteSource& film = **source;
  constexpr size_t kBlocks[] = {64 << 10, 256 << 10, kMega, 4 * kMega};
  constexpr size_t kDepths[] = {1, 4, 16, 64};
  double most = 0;
  std::pair<size_t, size_t> best;  // block and depth
  for (const size_t block : kBlocks) {
    for (const size_t depth : kDepths) {
      const auto rate = block_rate(film, depth, options.seconds / 4, block);
      if (!rate) return rate.error();
      if (*rate > most) best = {block, depth};
      most = std::max(most, *rate);
    }
  }
  const auto rates =
      medians({[&](double seconds) { return block_rate(film, best.second, seconds, best.first); },
               [&](double seconds) { return block_rate(film, film.depth().begin, seconds); },
               [&](double seconds) { return ahead_rate(film, kMega, seconds); },
               [&](double seconds) { return ahead_rate(film, kSmallBytes, seconds); }},
              options.seconds);
  if (!rates) return rates.error();
  Json figures = {{"best_block_kb", best.first >> 10},
                  {"best_depth", best.second},
                  {"best_mb_per_s", rates->front()}};
  for (size_t i = 1; const char* name : {"blocks", "demuxer", "demuxer_small_reads"}) {
    figures[std::string(name) + "_mb_per_s"] = (*rates)[i];
    figures[std::string(name) + "_to_best"] = (*rates)[i] / rates->front();
    ++i;
  }
  return figures;
}

// Measures a storage given by the caller, such as an NFS server.
Result<Json> measure_also(const Options& options) {
  return load_rates(options.also, options.seconds, options.seconds);
}

Result<void> run(const Options& options) {
  Json all;
  std::vector<std::pair<const char*, Result<Json> (*)(const Options&)>> parts = {
      {"local", &measure_local},       {"http", &measure_http},      {"ibp", &measure_ibp},
      {"ibp_near", &measure_ibp_near}, {"ibp_far", &measure_ibp_by}, {"nfs", &measure_nfs}};
  if (!options.also.empty()) parts.emplace_back("also", &measure_also);
  for (const auto& [name, measure] : parts) {
    const bench::Usage usage(getpid());
    auto figures = measure(options);
    if (!figures) return figures.error();
    if (figures->contains("left_out")) {
      fmt::print("{}\n  left out: {}\n", name, (*figures)["left_out"].get<std::string>());
      all[name] = *figures;
      continue;
    }
    (*figures)["cpu_pct"] = usage.cpu_pct();
    (*figures)["rss_mb"] = usage.rss_mb();
    all[name] = *figures;
    fmt::print("{}\n", name);
    for (const auto& [what, value] : figures->items()) {
      fmt::print("  {:<32} {:>10.2f}\n", what, value.template get<double>());
    }
  }
  if (!options.json_file.empty()) std::ofstream(options.json_file) << all.dump(2) << "\n";
  return {};
}

constexpr const char kNotes[] =
    "local: a file that is in the machine's memory, by a plain loop of reads of 1 MB into 16 MB in "
    "turn, by blocks into as much as .vmov films are read, and as demuxers read, which take what "
    "was read to where they want it (medians of five turns). http: a web server of this process, "
    "behind a path of --rate that makes each answer come --delay later. ibp: a depot of this "
    "process, by LOADs of each size, one and 16 at a time, and as demuxers read, beside 16 LOADs "
    "of "
    "1 MB; ibp_near: the same by a path of --rate; ibp_far: by one with --delay, too. nfs: a film "
    "of 64 MB that an nfs-ganesha of this machine serves, left out where that is not installed: by "
    "blocks of 64 KB to 4 MB, 1 to 64 at a time, the best of which films are beside (medians of "
    "five turns). also: what "
    "--also names, as ibp. Paths are what `vitrail impair` makes. cpu_pct (of a core) and "
    "rss_mb are this process's, with the servers that are in it. --engine all "
    "compares storage engines instead; --engine all --help lists its options.";

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line("scripts/bench storage",
                         "Measures how fast films are read from where they are kept.");
  line.notes(kNotes);
  Options options;
  line.option("--seconds", options.seconds, "For each figure")
      .between(0.01, 3600.0)
      .shows_default();
  line.option("--file-mb", options.file_mb, "Of the local file")
      .between(1, 100'000)
      .shows_default();
  line.option("--delay", options.delay_ms, "Milliseconds for each request")
      .between(0.0, 10'000.0)
      .shows_default();
  line.option("--rate", options.rate_mbit, "Mbit/s of the path").between(1.0, 1e6).shows_default();
  line.option("--nfs", options.nfs, "The film of an NFS server; else one is started").form("URI");
  line.option("--also", options.also, "Measure reads from there, too, such as lors:///FILM.xnd")
      .form("URI");
  line.option("--json", options.json_file, "Write the figures to this file, too");
  return line.run(argc, argv, [&options] { return run(options); });
}
