// scripts/bench vod: a film server on a storage of known rate. Measures throughput by offered load,
// each stream's rate, the effect of overload on each class, and many streams.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "sail/core/base/environment.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/text/json.h"
#include "sail/core/time/clock.h"
#include "tests/bench/film/vod_players.h"
#include "tests/bench/film/vod_server.h"
#include "tests/bench/pictures/process_usage.h"

namespace {

using bench::VodPlayers;
using bench::VodServer;
using sail::Json;
using sail::Result;

constexpr double kBitsOfMb = 8;
constexpr double kSettleShare = 0.2;  // share of the time, until all have their read-ahead

struct Options {
  double seconds = 60;
  double peak_mb_per_s = 120;
  int crowd = 1000;
  double crowd_peak_mb_per_s = 250;
  int disks = 0;
  std::string json_file;
};

struct Film {
  const char* name;
  double mb_per_s;
};
constexpr Film kFilms[] = {
    {"125", 125 / kBitsOfMb}, {"8", 8 / kBitsOfMb}, {"1.5", 1.5 / kBitsOfMb}};

// Adds players of each film for a third of this load, as near as whole films allow.
Result<size_t> add_mix(VodPlayers& players, double mb_per_s, bool best_effort, double& added) {
  size_t refused = 0;
  double left = mb_per_s;
  size_t kinds = std::size(kFilms);
  for (const Film& film : kFilms) {
    const auto count = static_cast<size_t>(left / static_cast<double>(kinds) / film.mb_per_s + 0.5);
    for (size_t i = 0; i < count; ++i) {
      const auto taken = players.add(film.name, best_effort);
      if (!taken) return taken.error();
      refused += *taken ? 0 : 1;
      added += *taken ? film.mb_per_s : 0;
    }
    left -= static_cast<double>(count) * film.mb_per_s;
    --kinds;
  }
  return refused;
}

struct Spread {
  size_t streams = 0;
  double least = 1;
  double most = 0;
  double mean = 0;

  Json json() const {
    return {{"streams", streams},
            {"least_share", least},
            {"most_share", most},
            {"mean_share", mean},
            {"differ_pct", mean > 0 ? (most - least) / mean * 100 : 0}};
  }
};

Spread spread_of(const std::vector<VodPlayers::Share>& shares, bool best_effort) {
  Spread spread{.least = 1e9};
  for (const auto& share : shares) {
    if (share.best_effort != best_effort) continue;
    ++spread.streams;
    spread.least = std::min(spread.least, share.got);
    spread.most = std::max(spread.most, share.got);
    spread.mean += share.got;
  }
  if (spread.streams == 0) return {};
  spread.mean /= static_cast<double>(spread.streams);
  return spread;
}

double throughput_of(const std::vector<VodPlayers::Share>& shares) {
  double mb_per_s = 0;
  for (const auto& share : shares) mb_per_s += share.mbit_per_s / kBitsOfMb * share.got;
  return mb_per_s;
}

std::vector<VodPlayers::Share> settle_and_play(VodPlayers& players, double seconds) {
  const double step_s = seconds * kSettleShare;
  players.play(step_s);
  for (double more_s = 0; more_s < seconds && !players.settled(); more_s += step_s) {
    players.play(step_s);
  }
  return players.play(seconds);
}

Result<VodServer> start_server(double peak_mb_per_s, size_t disks = 0) {
  std::vector<std::string> films;
  for (const Film& film : kFilms) films.emplace_back(film.name);
  return VodServer::start(films, peak_mb_per_s, disks);
}

// Adds the server's CPU and memory use during playback.
void add(const bench::Usage& usage, Json& row) {
  row.update({{"cpu_pct", usage.cpu_pct()}, {"rss_mb", usage.rss_mb()}});
}

void print(const char* what, double load, const Spread& spread, double mb_per_s) {
  fmt::print("{:<34} {:>5.2f} {:>8} {:>9.2f} {:>8.3f} {:>8.3f} {:>8.3f}\n", what, load,
             spread.streams, mb_per_s, spread.least, spread.mean, spread.most);
}

// Guaranteed streams only, with increasing load.
Result<Json> measure_loads(const Options& options) {
  Json rows = Json::array();
  for (const double load : {0.25, 0.5, 0.85, 1.3}) {
    auto server = start_server(options.peak_mb_per_s);
    if (!server) return server.error();
    VodPlayers players(server->port());
    double added = 0;
    const auto refused = add_mix(players, load * options.peak_mb_per_s, false, added);
    if (!refused) return refused.error();
    const bench::Usage usage(server->pid());
    const auto shares = settle_and_play(players, options.seconds);
    const Spread spread = spread_of(shares, false);
    const double mb_per_s = throughput_of(shares);
    print(fmt::format("guaranteed, {} refused", *refused).c_str(), load, spread, mb_per_s);
    Json row = spread.json();
    row.update({{"offered_load", load},
                {"refused", *refused},
                {"admitted_mb_per_s", added},
                {"mb_per_s", mb_per_s}});
    add(usage, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Best-effort streams only, with increasing load, of films on disk servers.
Result<Json> measure_disks(const Options& options) {
  const auto disks = static_cast<size_t>(options.disks);
  const double peak_mb_per_s = options.peak_mb_per_s * options.disks;
  Json rows = Json::array();
  for (const double load : {0.25, 0.5, 0.75, 1.0, 1.3}) {
    auto server = start_server(peak_mb_per_s, disks);
    if (!server) return server.error();
    VodPlayers players(server->port());
    double added = 0;
    const auto refused = add_mix(players, load * peak_mb_per_s, true, added);
    if (!refused) return refused.error();
    const bench::Usage usage(server->pid());
    const auto shares = settle_and_play(players, options.seconds);
    const Spread spread = spread_of(shares, true);
    const double mb_per_s = throughput_of(shares);
    print(fmt::format("{} disk servers", disks).c_str(), load, spread, mb_per_s);
    Json row = spread.json();
    row.update({{"disks", disks},
                {"peak_mb_per_s", peak_mb_per_s},
                {"offered_load", added / peak_mb_per_s},
                {"offered_mb_per_s", added},
                {"mb_per_s", mb_per_s}});
    add(usage, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

// 1.3 times the storage's rate, six thirteenths of it guaranteed; then less again.
Result<Json> measure_overload(const Options& options) {
  constexpr double kGuaranteed = 0.6;
  constexpr double kBestEffort = 0.7;
  auto server = start_server(options.peak_mb_per_s);
  if (!server) return server.error();
  VodPlayers players(server->port());
  double guaranteed_mb_per_s = 0;
  double best_effort_mb_per_s = 0;
  const auto refused =
      add_mix(players, kGuaranteed * options.peak_mb_per_s, false, guaranteed_mb_per_s);
  if (!refused) return refused.error();
  const auto none =
      add_mix(players, kBestEffort * options.peak_mb_per_s, true, best_effort_mb_per_s);
  if (!none) return none.error();
  const bench::Usage usage(server->pid());
  const auto shares = settle_and_play(players, options.seconds);
  const Spread guaranteed = spread_of(shares, false);
  const Spread best_effort = spread_of(shares, true);
  const double load = (guaranteed_mb_per_s + best_effort_mb_per_s) / options.peak_mb_per_s;
  const double mb_per_s = throughput_of(shares);
  print("overload, guaranteed", load, guaranteed, mb_per_s);
  print("overload, best effort", load, best_effort, mb_per_s);
  Json row = {{"offered_load", load},
              {"mb_per_s", mb_per_s},
              {"fair_share", (options.peak_mb_per_s - guaranteed_mb_per_s) / best_effort_mb_per_s},
              {"guaranteed", guaranteed.json()},
              {"best_effort", best_effort.json()}};
  add(usage, row);
  return row;
}

Result<Json> measure_crowd(const Options& options) {
  auto server = start_server(options.crowd_peak_mb_per_s);
  if (!server) return server.error();
  VodPlayers players(server->port());
  for (int i = 0; i < options.crowd; ++i) {
    const auto taken = players.add("1.5", false);
    if (!taken) return taken.error();
  }
  const std::vector<double> first_ms = players.first_byte_ms();
  if (first_ms.empty()) {
    return sail::fail(sail::ErrorCode::kLimit, "--crowd-peak is too little for one stream");
  }
  players.play(options.seconds * kSettleShare);
  const bench::Usage usage(server->pid());
  const auto shares = players.play(options.seconds);
  const double cpu_pct = usage.cpu_pct();
  const double rss_mb = usage.rss_mb();
  const Spread spread = spread_of(shares, false);
  const double mb_per_s = throughput_of(shares);
  print("1.5 Mbit/s", 1.5 / kBitsOfMb * options.crowd / options.crowd_peak_mb_per_s, spread,
        mb_per_s);
  fmt::print(
      "the server's memory {:.0f} MB, CPU {:.0f} % of a core; first byte after {:.1f} ms, at most "
      "{:.1f} ms\n",
      rss_mb, cpu_pct, first_ms[first_ms.size() / 2], first_ms.back());
  Json row = spread.json();
  row.update({{"mb_per_s", mb_per_s},
              {"first_byte_median_ms", first_ms[first_ms.size() / 2]},
              {"first_byte_most_ms", first_ms.back()}});
  row.update({{"cpu_pct", cpu_pct}, {"rss_mb", rss_mb}});
  return row;
}

Result<void> run(const Options& options) {
  sail::raise_descriptor_limit();
  fmt::print("{:<34} {:>5} {:>8} {:>9} {:>8} {:>8} {:>8}\n", "", "load", "streams", "MB/s", "least",
             "mean", "most");
  Json all;
  std::vector<std::pair<const char*, Result<Json> (*)(const Options&)>> parts = {
      {"loads", &measure_loads}, {"overload", &measure_overload}, {"crowd", &measure_crowd}};
  if (options.disks > 0) parts = {{"disks", &measure_disks}};
  for (const auto& [name, measure] : parts) {
    const auto figures = measure(options);
    if (!figures) return figures.error();
    all[name] = *figures;
  }
  if (!options.json_file.empty()) std::ofstream(options.json_file) << all.dump(2) << "\n";
  return {};
}

constexpr const char kNotes[] =
    "Films of 125, 8 and 1.5 Mbit/s by HTTP from a server in a process of its own, whose storage "
    "gives --peak MB/s and no more. Players take a film as fast as it plays, with half a second "
    "ahead. A share is what one got in the time of its film's rate. load: what is asked for, of "
    "the peak. With --disks the films are striped over so many disk servers, each of which gives "
    "--peak, and all streams are of best effort.";

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line("scripts/bench vod",
                         "Measures what players get of a film server whose storage is as fast as "
                         "it is, and no faster.");
  line.notes(kNotes);
  Options options;
  line.option(
          "--seconds", options.seconds,
          "For each figure, after a fifth of it to settle, or as much as it takes within that time")
      .between(0.1, 3600.0)
      .shows_default();
  line.option("--peak", options.peak_mb_per_s, "MB/s of the storage")
      .between(20.0, 10'000.0)
      .shows_default();
  line.option("--crowd", options.crowd, "Streams of 1.5 Mbit/s").between(1, 4000).shows_default();
  line.option("--crowd-peak", options.crowd_peak_mb_per_s, "MB/s of their storage")
      .between(1.0, 10'000.0)
      .shows_default();
  line.option("--disks", options.disks, "Measure films that lie on so many disk servers, instead")
      .between(1, 16);
  line.option("--json", options.json_file, "Write the figures to this file, too");
  return line.run(argc, argv, [&options] { return run(options); });
}
