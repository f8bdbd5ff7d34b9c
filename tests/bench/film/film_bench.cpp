// scripts/bench film: bplay with a film from this machine's disk, on a wall of receivers with
// displays in memory. Measures rate, latency, regularity and cost.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <regex>

#include "sail/core/command_line/command_line.h"
#include "sail/core/text/json.h"
#include "tests/bench/film/group_skew.h"
#include "tests/bench/film/picture_films.h"
#include "tests/bench/pictures/moving_picture.h"
#include "tests/bench/pictures/process_usage.h"
#include "tests/bench/wall/bench_figures.h"
#include "tests/bench/wall/bench_wall.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  sail::Size size{6400, 2048};
  int columns = 5;
  int rows = 2;
  std::string codec = "dxt1";
  int fps = 60;
  int players = 1;
  double seconds = 60;
  std::vector<std::string> media;
  std::string json_file;
};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The manager's statistics of one window. Applications report once a second; the first two reports
// belong to the start.
class WindowWatch {
 public:
  void look(const sail::Json& stats, Clock::time_point now) {
    if (stats.is_null() || stats == last_) return;
    if (++told_ > kOnItsWay) {
      const double passed_s = std::chrono::duration<double>(now - last_at_).count();
      slowest_fps_ = std::min(
          slowest_fps_, (count(stats, "frames_shown") - count(last_, "frames_shown")) / passed_s);
      latency_ms_ = std::max(latency_ms_, count(stats, "latency_ms_p99"));
      skew_us_ = std::max(skew_us_, count(stats, "skew_us_p99"));
    }
    last_ = stats;
    last_at_ = now;
    if (told_ == kOnItsWay) {
      first_ = stats;
      first_at_ = now;
    }
  }
  bool plays() const { return told_ >= kOnItsWay; }
  Clock::time_point told_at() const { return last_at_; }
  double seconds() const { return std::chrono::duration<double>(last_at_ - first_at_).count(); }
  double now(const char* what) const { return count(last_, what); }
  double grown(const char* what) const { return now(what) - count(first_, what); }
  double slowest_fps() const { return slowest_fps_; }
  double latency_ms() const { return latency_ms_; }
  double skew_us() const { return skew_us_; }

 private:
  static constexpr int kOnItsWay = 2;
  static double count(const sail::Json& stats, const char* what) { return stats.value(what, 0.0); }

  int told_ = 0;
  sail::Json first_;
  sail::Json last_;
  Clock::time_point first_at_;
  Clock::time_point last_at_;
  double slowest_fps_ = INFINITY;
  double latency_ms_ = 0;
  double skew_us_ = 0;
};
using Watches = std::map<int, WindowWatch>;  // by window

// Time until a new report may arrive; polling would add to the manager's measured cost.
int64_t pause_ms(const Watches& watches) {
  constexpr int64_t kBetweenLooksMs = 5;
  constexpr auto kToldEvery = std::chrono::milliseconds(950);
  if (watches.empty()) return kBetweenLooksMs;
  auto next = Clock::time_point::max();
  for (const auto& [window, one] : watches) next = std::min(next, one.told_at() + kToldEvery);
  const auto until = std::chrono::duration_cast<std::chrono::milliseconds>(next - Clock::now());
  return std::max<int64_t>(until.count(), kBetweenLooksMs);
}

// Polls until the condition holds. Returns an error if no new report arrives for long.
sail::Result<void> watch(bench::BenchWall& wall, Watches& watches,
                         const std::function<bool()>& until) {
  constexpr auto kWaitTimeout = std::chrono::seconds(15);
  const auto begin = Clock::now();
  while (!until()) {
    if (const auto lost = wall.client().wait(pause_ms(watches))) return *lost;
    const auto state = wall.client().call("list", sail::Json::object());
    if (!state) return state.error();
    const auto now = Clock::now();
    for (const sail::Json& window : (*state)["windows"]) {
      watches[window.value("window", 0)].look(window.value("stats", sail::Json()), now);
    }
    const bool stopped = std::ranges::any_of(watches, [&](const auto& entry) {
      return now - std::max(begin, entry.second.told_at()) > kWaitTimeout;
    });
    if (stopped || (watches.empty() && now - begin > kWaitTimeout)) {
      return sail::fail(sail::ErrorCode::kUnavailable, "the film does not play, or not any more");
    }
  }
  return {};
}

// The given films, or a film made of the moving picture.
sail::Result<std::vector<std::string>> films(const Options& options, const bench::BenchWall& wall) {
  if (!options.media.empty()) return options.media;
  const std::string name = wall.folder() + "/film.vmov";
  constexpr int kUsualFps = 60;
  auto written = bench::write_film(name,
                                   {.codec = options.codec,
                                    .size = options.size,
                                    .fps = options.fps > 0 ? options.fps : kUsualFps},
                                   bench::MovingPicture(options.size));
  if (!written) return written.error();
  return std::vector<std::string>{name};
}

sail::Result<pid_t> play(bench::BenchWall& wall, const Options& options,
                         std::vector<std::string> arguments, const sail::Rect& place) {
  for (const std::string& more :
       {std::string("--loop"), std::string("--sound=off"), std::string("--verbose"),
        "--manager=" + wall.manager_address(),
        fmt::format("--place={},{},{}x{}", place.x, place.y, place.width, place.height)}) {
    arguments.push_back(more);
  }
  if (options.fps == 0) arguments.emplace_back("--fps=0");
  return wall.start_program("bplay", std::move(arguments));
}

// Plays the whole film, or one film for each tile, in a group.
sail::Result<std::vector<pid_t>> play(bench::BenchWall& wall, const Options& options) {
  std::vector<pid_t> players;
  if (options.players == 1) {
    auto arguments = films(options, wall);
    if (!arguments) return arguments.error();
    if (!options.media.empty()) arguments->push_back("--codec=" + options.codec);
    const sail::Rect whole{0, 0, options.size.width, options.size.height};
    const auto player = play(wall, options, *std::move(arguments), whole);
    if (!player) return player.error();
    return std::vector<pid_t>{*player};
  }
  const std::string film = options.media.empty() ? "" : options.media.front();
  const auto panels = bench::make_panels(wall, film, options.codec, options.fps);
  if (!panels) return panels.error();
  for (const bench::Panel& panel : *panels) {
    const auto player = play(wall, options, {panel.film, "--group=bench"}, panel.wall_rect);
    if (!player) return player.error();
    players.push_back(*player);
  }
  return players;
}

// Adds the read statistics from the player's log.
void add_reading(const std::string& log_file, double seconds, sail::Json& figures) {
  std::ifstream log(log_file);
  const std::regex said("([0-9]+) bytes were read ahead, ([0-9]+) stalls");
  double bytes = 0;
  double stalls = 0;
  std::smatch found;
  for (std::string line; std::getline(log, line);) {
    if (!std::regex_search(line, found, said)) continue;
    bytes += std::stod(found[1]);
    stalls += std::stod(found[2]);
  }
  figures["read_mb_per_s"] = bytes / 1e6 / seconds;
  figures["read_stalls"] = stalls;
}

// CPU, ms.
struct Costs {
  double players = 0;
  double receivers = 0;
  double manager = 0;
};
Costs costs_of(const bench::BenchWall& wall, const std::vector<pid_t>& players) {
  return {.players = bench::cpu_ms(players),
          .receivers = bench::cpu_ms(wall.receivers()),
          .manager = bench::cpu_ms(wall.manager())};
}

// A frame covers the whole wall: with several players the slowest determines their number.
sail::Json figures_of(const Watches& watches, const Costs& before, const Costs& after) {
  double fps = INFINITY;
  double slowest_fps = INFINITY;
  double shown = INFINITY;
  double dropped = 0;
  double skipped = 0;
  double mbit_per_s = 0;
  double latency_ms[2] = {};  // median and p99
  double skew_us[2] = {};
  for (const auto& [window, one] : watches) {
    fps = std::min(fps, one.grown("frames_shown") / one.seconds());
    slowest_fps = std::min(slowest_fps, one.slowest_fps());
    shown = std::min(shown, std::max(one.grown("frames_shown"), 1.0));
    dropped += one.grown("frames_dropped");
    skipped += one.grown("frames_skipped");
    mbit_per_s += one.grown("bytes_sent") * 8 / 1e6 / one.seconds();
    latency_ms[0] = std::max(latency_ms[0], one.now("latency_ms_p50"));
    latency_ms[1] = std::max(latency_ms[1], one.latency_ms());
    skew_us[0] = std::max(skew_us[0], one.now("skew_us_p50"));
    skew_us[1] = std::max(skew_us[1], one.skew_us());
  }
  return {{"fps_shown", fps},
          {"fps_shown_min_1s", slowest_fps},
          {"frames_dropped", dropped},
          {"frames_skipped", skipped},
          {"cpu_ms_per_frame_sender", (after.players - before.players) / shown},
          {"cpu_ms_per_frame_receivers", (after.receivers - before.receivers) / shown},
          {"cpu_ms_per_frame_manager", (after.manager - before.manager) / shown},
          {"mbit_per_s", mbit_per_s},
          {"latency_ms_p50", latency_ms[0]},
          {"latency_ms_p99", latency_ms[1]},
          {"skew_us_p50", skew_us[0]},
          {"skew_us_p99", skew_us[1]}};
}

sail::Result<sail::Json> measure(const Options& options) {
  auto started = bench::BenchWall::start({.size = options.size,
                                          .columns = options.columns,
                                          .rows = options.rows,
                                          .log_to_file = true});
  if (!started) return started.error();
  bench::BenchWall& wall = **started;
  const auto players = play(wall, options);
  if (!players) return players.error();
  const auto players_begin = Clock::now();
  Watches watches;
  const auto all = [&](const auto& condition) {
    return watches.size() == players->size() &&
           std::ranges::all_of(watches, [&](const auto& one) { return condition(one.second); });
  };
  auto watched = watch(wall, watches, [&] { return all(std::mem_fn(&WindowWatch::plays)); });
  if (!watched) return watched.error();
  const Costs before = costs_of(wall, *players);
  sail::Json traced;
  if (options.players > 1) {
    auto begun = bench::begin_group_skew(wall.client(), options.seconds);
    if (!begun) return begun.error();
    traced = *std::move(begun);
  }
  watched = watch(wall, watches, [&] {
    return all([&](const WindowWatch& one) { return one.seconds() >= options.seconds; });
  });
  if (!watched) return watched.error();
  sail::Json figures = figures_of(watches, before, costs_of(wall, *players));
  figures["rss_mb_sender"] = bench::rss_mb(*players);
  figures["rss_mb_receivers"] = bench::rss_mb(wall.receivers());
  if (options.players > 1) {
    const auto skew_us = bench::read_group_skew(wall.client(), traced, options.fps);
    if (!skew_us) return skew_us.error();
    figures["group_skew_us_p99"] = *skew_us;
  }
  for (const pid_t player : *players) wall.end_program(player);
  add_reading(wall.log_file(), seconds_since(players_begin), figures);
  return figures;
}

int run(const Options& options) {
  const auto figures = measure(options);
  if (!figures) {
    fmt::print(stderr, "bench: {}\n", figures.error().message);
    return 1;
  }
  fmt::print("{} on {}×{} tiles, {}×{}, {}, {} player{}\n",
             options.media.empty() ? "a film of the wall's size" : options.media.front(),
             options.columns, options.rows, options.size.width, options.size.height,
             options.fps == 0 ? "unpaced" : "paced", options.players,
             options.players == 1 ? "" : "s, a file each");
  bench::print_figures(*figures);
  if (!options.json_file.empty()) std::ofstream(options.json_file) << figures->dump(2) << "\n";
  return 0;
}

constexpr const char kNotes[] =
    "Without --media the film is made first: thirty frames in --codec, which are looped. With it "
    "the films are decoded and encoded as they are played, one after the other, over and over.\n"
    "CPU is counted per frame shown. frames_skipped were too late: the player did not convert most "
    "of "
    "them, but decoded them, so a film that is too heavy seems to cost more a frame than it does. "
    "With --fps 0 all frames are shown.\n"
    "fps_shown_min_1s is the slowest second, seams included, as the player tells its figures once "
    "a second. latency_ms_p99 and skew_us_p99 are the largest that it told. read_stalls: how often "
    "the next bytes were not there though as much as possible had been asked for before.\n"
    "With --players the film, the first of --media or the one that is made, is cut by `vitrail "
    "convert --wall` into a file for each tile, which as many players show in a group. Then "
    "group_skew_us_p99 is from the first tile's swap to the last one's, by the stamps that the "
    "receivers keep (`vitrail trace`) for up to 15 s, fps_shown that of the slowest player and "
    "frames_dropped the sum of all.";

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line("scripts/bench film",
                         "Measures a film from the disk on a wall of this machine. CPU is user + "
                         "system of the processes.");
  line.notes(kNotes);
  Options options;
  std::string size = "6400x2048";
  std::string tiles = "5x2";
  line.option("--size", size, "Of the wall").shows_default();
  line.option("--tiles", tiles, "Columns x rows").shows_default();
  line.option("--codec", options.codec, "Of the film; with --media, on its way").shows_default();
  line.option("--fps", options.fps,
              "0: as fast as the wall takes frames; else that of the film that is made")
      .between(0, 240)
      .shows_default();
  line.option("--media", options.media, "Films to play, instead of one that is made");
  line.option("--players", options.players, "One, or one for each tile").between(1, 256);
  line.option("--seconds", options.seconds).between(1.0, 86400.0).shows_default();
  line.option("--json", options.json_file, "Write the figures to this file, too");
  if (const auto answer = line.read(argc, argv)) return answer->say();
  if (!bench::read_pair(size, options.size.width, options.size.height) ||
      !bench::read_pair(tiles, options.columns, options.rows) ||
      options.size.width % options.columns != 0 || options.size.height % options.rows != 0) {
    fmt::print(stderr, "bench: --size and --tiles are WxH, and the tiles must divide the size\n");
    return 1;
  }
  const bool a_tile_each = options.players == options.columns * options.rows && options.fps > 0;
  if (options.players != 1 && !a_tile_each) {
    fmt::print(stderr, "bench: --players is 1, or as many as there are tiles, with --fps\n");
    return 1;
  }
  return run(options);
}
