// scripts/bench film: bplay with a film from this machine's disk, on a wall of receivers in memory;
// how fast, how late, how evenly, at what cost.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <regex>
#include <thread>

#include "sail/command_line/command_line.h"
#include "sail/wire/json.h"
#include "tests/bench/bench_wall.h"
#include "tests/bench/moving_picture.h"
#include "tests/bench/process_usage.h"
#include "tests/bench/server_film.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  sail::Size size{6400, 2048};
  int columns = 5;
  int rows = 2;
  std::string codec = "dxt1";
  int fps = 60;
  double seconds = 60;
  std::vector<std::string> media;
  std::string json_file;
};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// What the manager knows of the only window, and when it learned that.
struct Told {
  sail::Json stats;
  Clock::time_point at;
  double count(const char* what) const { return stats.is_null() ? 0 : stats.value(what, 0.0); }
};

// Applications tell it once a second: looks every 5 ms for the next time. Null when none comes.
Told next_told(bench::BenchWall& wall, const Told& before) {
  constexpr auto kPatience = std::chrono::seconds(15);
  Told told{nullptr, Clock::now()};
  for (const auto begin = told.at; told.at - begin < kPatience; told.at = Clock::now()) {
    if (wall.client().wait(5)) break;
    const auto state = wall.client().call("list", sail::Json::object());
    if (!state) break;
    const sail::Json& windows = (*state)["windows"];
    if (!windows.empty()) told.stats = windows[0].value("stats", sail::Json());
    if (!told.stats.is_null() && told.stats != before.stats) return told;
  }
  return {nullptr, told.at};
}

// The film's own files, or else one that is made of the moving picture.
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
                         std::vector<std::string> arguments) {
  for (const std::string& more :
       {std::string("--loop"), std::string("--sound=off"), std::string("--verbose"),
        "--manager=" + wall.manager_address(),
        fmt::format("--place=0,0,{}x{}", options.size.width, options.size.height)}) {
    arguments.push_back(more);
  }
  if (options.fps == 0) arguments.emplace_back("--fps=0");
  if (options.media.empty()) return wall.start_program("bplay", std::move(arguments));
  arguments.push_back("--codec=" + options.codec);
  return wall.start_program("bplay", std::move(arguments));
}

// What the player said that it had read.
void add_reading(const std::string& log_file, double seconds, sail::Json& figures) {
  std::ifstream log(log_file);
  const std::regex said("([0-9]+) bytes were read ahead, ([0-9]+) times not far enough");
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

sail::Result<sail::Json> measure(const Options& options) {
  auto started = bench::BenchWall::start({.size = options.size,
                                          .columns = options.columns,
                                          .rows = options.rows,
                                          .log_to_file = true});
  if (!started) return started.error();
  bench::BenchWall& wall = **started;
  auto media = films(options, wall);
  if (!media) return media.error();
  const auto player_begin = Clock::now();
  const auto player = play(wall, options, *std::move(media));
  if (!player) return player.error();
  const Told first = next_told(wall, next_told(wall, {}));
  if (first.stats.is_null()) {
    return sail::fail(sail::ErrorCode::kTimeout, "the film does not play");
  }
  const double sender_ms = bench::cpu_ms(*player);
  const double receivers_ms = bench::cpu_ms(wall.receivers());
  const double manager_ms = bench::cpu_ms(wall.manager());
  double slowest_fps = INFINITY;
  double latency_ms = 0;
  double skew_us = 0;
  Told last = first;
  while (seconds_since(first.at) < options.seconds) {
    const Told now = next_told(wall, last);
    if (now.stats.is_null()) {
      return sail::fail(sail::ErrorCode::kUnavailable, "the film has stopped");
    }
    const double passed_s = std::chrono::duration<double>(now.at - last.at).count();
    slowest_fps =
        std::min(slowest_fps, (now.count("frames_shown") - last.count("frames_shown")) / passed_s);
    latency_ms = std::max(latency_ms, now.count("latency_ms_p99"));
    skew_us = std::max(skew_us, now.count("skew_us_p99"));
    last = now;
  }
  const double elapsed_s = std::chrono::duration<double>(last.at - first.at).count();
  const auto grown = [&](const char* what) { return last.count(what) - first.count(what); };
  const double shown = std::max(grown("frames_shown"), 1.0);
  sail::Json figures = {
      {"fps_shown", grown("frames_shown") / elapsed_s},
      {"fps_shown_min_1s", slowest_fps},
      {"frames_dropped", grown("frames_dropped")},
      {"cpu_ms_per_frame_sender", (bench::cpu_ms(*player) - sender_ms) / shown},
      {"cpu_ms_per_frame_receivers", (bench::cpu_ms(wall.receivers()) - receivers_ms) / shown},
      {"cpu_ms_per_frame_manager", (bench::cpu_ms(wall.manager()) - manager_ms) / shown},
      {"mbit_per_s", grown("bytes_sent") * 8 / 1e6 / elapsed_s},
      {"latency_ms_p50", last.count("latency_ms_p50")},
      {"latency_ms_p99", latency_ms},
      {"skew_us_p50", last.count("skew_us_p50")},
      {"skew_us_p99", skew_us},
      {"rss_mb_sender", bench::rss_mb(*player)},
      {"rss_mb_receivers", bench::rss_mb(wall.receivers())}};
  wall.end_program(*player);
  add_reading(wall.log_file(), seconds_since(player_begin), figures);
  return figures;
}

int run(const Options& options) {
  const auto figures = measure(options);
  if (!figures) {
    fmt::print(stderr, "bench: {}\n", figures.error().message);
    return 1;
  }
  fmt::print("{} on {}×{} tiles, {}×{}, {}\n",
             options.media.empty() ? "a film of the wall's size" : options.media.front(),
             options.columns, options.rows, options.size.width, options.size.height,
             options.fps == 0 ? "unpaced" : "paced");
  for (const auto& [name, value] : figures->items()) {
    fmt::print("  {:<28} {:>10.2f}\n", name, value.get<double>());
  }
  if (!options.json_file.empty()) std::ofstream(options.json_file) << figures->dump(2) << "\n";
  return 0;
}

bool read_pair(const std::string& text, int& first, int& second) {
  int used = 0;
  return std::sscanf(text.c_str(), "%dx%d%n", &first, &second, &used) == 2 &&
         used == static_cast<int>(text.size()) && first > 0 && second > 0;
}

constexpr const char kNotes[] =
    "Without --media the film is made first: thirty frames in --codec, which are looped. With it "
    "the films are decoded and encoded as they are played, one after the other, over and over.\n"
    "fps_shown_min_1s is the slowest second, seams included, as the player tells its figures once "
    "a second. latency_ms_p99 and skew_us_p99 are the largest that it told. read_stalls: how often "
    "the next bytes were not there though as much as possible had been asked for before.";

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
  line.option("--seconds", options.seconds).between(1.0, 86400.0).shows_default();
  line.option("--json", options.json_file, "Write the figures to this file, too");
  if (const auto answer = line.read(argc, argv)) return answer->say();
  if (!read_pair(size, options.size.width, options.size.height) ||
      !read_pair(tiles, options.columns, options.rows) ||
      options.size.width % options.columns != 0 || options.size.height % options.rows != 0) {
    fmt::print(stderr, "bench: --size and --tiles are WxH, and the tiles must divide the size\n");
    return 1;
  }
  return run(options);
}
