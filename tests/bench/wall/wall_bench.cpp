// scripts/bench wall: a manager, receivers with displays in memory and a SAIL source on loopback.
// Measures rate, latency, loss and cost.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <thread>

#include "sail/core/command_line/command_line.h"
#include "sail/core/text/json.h"
#include "tests/bench/film/picture_films.h"
#include "tests/bench/link/stream_run.h"
#include "tests/bench/pictures/moving_picture.h"
#include "tests/bench/pictures/process_usage.h"
#include "tests/bench/wall/bench_figures.h"
#include "tests/bench/wall/bench_wall.h"
#include "ui/client/wall_picture.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  sail::Size size{3840, 2160};
  int columns = 2;
  int rows = 2;
  std::string codec = "dxt1";
  std::string transport = "tcp";
  double fps = 30;
  double seconds = 10;
  bool still = false;
  bool yuv = false;
  bool server = false;
  int encode_threads = 0;
  std::string json_file;
};

struct Usage {
  double sender_ms;
  double receivers_ms;
  double manager_ms;
};

Usage usage(const bench::BenchWall& wall) {
  return {bench::cpu_ms(getpid()), bench::cpu_ms(wall.receivers()), bench::cpu_ms(wall.manager())};
}

double psnr_db(const ui::WallPicture& wall, const bench::MovingPicture& picture, sail::Size size,
               bool still) {
  if (wall.frames.empty() || !wall.missing.empty()) return 0;
  const uint64_t number = wall.frames.front().frame;
  for (const auto& tile : wall.frames) {
    if (tile.frame != number) return 0;
  }
  const uint8_t* source = picture.frame(still ? 1 : number);
  double sum = 0;
  for (int y = 0; y < size.height; ++y) {
    const uint8_t* shown = wall.pixels.data() + ptrdiff_t{y} * wall.size.width * 4;
    const uint8_t* sent = source + y * picture.stride();
    for (int x = 0; x < size.width * 4; ++x) {
      if (x % 4 == 3) continue;
      const double difference = double{static_cast<double>(shown[x])} - sent[x];
      sum += difference * difference;
    }
  }
  const double mean = sum / (3.0 * size.width * size.height);
  return 10 * std::log10(255.0 * 255.0 / std::max(mean, 1e-9));
}

void print_table(const Options& options, const sail::Json& figures) {
  fmt::print("{}×{} on {}×{} tiles, {} over {}, {}\n", options.size.width, options.size.height,
             options.columns, options.rows,
             fmt::format("{}{}{}", options.still ? "still, " : "", options.yuv ? "4:2:0, " : "",
                         options.codec),
             options.transport, options.fps > 0 ? fmt::format("{:g} fps", options.fps) : "unpaced");
  bench::print_figures(figures);
}

int fail(std::string_view text) {
  fmt::print(stderr, "bench: {}\n", text);
  return 1;
}

int report(const Options& options, const sail::Json& figures) {
  print_table(options, figures);
  if (!options.json_file.empty()) std::ofstream(options.json_file) << figures.dump(2) << "\n";
  return 0;
}

// The manager's statistics of the only window; null before the application's first report.
sail::Json window_stats(bench::BenchWall& wall) {
  const auto state = wall.client().call("list", sail::Json::object(), bench::kAnswerMs);
  if (!state || (*state)["windows"].empty()) return nullptr;
  return (*state)["windows"][0].value("stats", sail::Json());
}

// Waits for the next report; applications report once a second.
sail::Json next_stats(bench::BenchWall& wall, const sail::Json& before) {
  sail::Json stats;
  for (int i = 0; i < 500 && (stats.is_null() || stats == before); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stats = window_stats(wall);
  }
  return stats;
}

int run_server(const Options& options, bench::BenchWall& wall,
               const bench::MovingPicture& picture) {
  const auto server = bench::play_from_server(wall,
                                              {.codec = options.codec,
                                               .size = options.size,
                                               .fps = static_cast<int>(options.fps),
                                               .yuv = options.yuv},
                                              picture);
  if (!server) return fail(server.error().message);
  sail::Json before = next_stats(wall, next_stats(wall, nullptr));
  if (before.is_null()) return fail("the film server does not play");
  const double sender_ms = bench::cpu_ms(*server);
  const double receivers_ms = bench::cpu_ms(wall.receivers());
  const auto begin = Clock::now();
  sail::Json after = before;
  while (Clock::now() - begin < std::chrono::duration<double>(options.seconds)) {
    after = next_stats(wall, after);
  }
  const double elapsed_s = std::chrono::duration<double>(Clock::now() - begin).count();
  const auto grown = [&](const char* counter) {
    return after.value(counter, 0.0) - before.value(counter, 0.0);
  };
  const double shown = grown("frames_shown");
  return report(options, {{"fps_shown", shown / elapsed_s},
                          {"frames_dropped", grown("frames_dropped")},
                          {"cpu_ms_per_frame_sender", (bench::cpu_ms(*server) - sender_ms) / shown},
                          {"cpu_ms_per_frame_receivers",
                           (bench::cpu_ms(wall.receivers()) - receivers_ms) / shown},
                          {"mbit_per_s", grown("bytes_sent") * 8 / 1e6 / elapsed_s},
                          {"latency_ms_p50", after.value("latency_ms_p50", 0.0)},
                          {"latency_ms_p99", after.value("latency_ms_p99", 0.0)},
                          {"skew_us_p50", after.value("skew_us_p50", 0.0)},
                          {"skew_us_p99", after.value("skew_us_p99", 0.0)},
                          {"rss_mb_sender", bench::rss_mb(*server)},
                          {"rss_mb_receivers", bench::rss_mb(wall.receivers())}});
}

int run(const Options& options) {
  fmt::print(stderr, "Starting the wall and painting the content …\n");
  auto wall = bench::BenchWall::start(
      {.size = options.size, .columns = options.columns, .rows = options.rows});
  if (!wall) return fail(wall.error().message);
  const bench::MovingPicture picture(options.size);
  if (options.server) return run_server(options, **wall, picture);

  auto opened = bench::StreamRun::open({.size = options.size,
                                        .codec = options.codec,
                                        .transport = options.transport,
                                        .fps = options.fps,
                                        .still = options.still,
                                        .yuv = options.yuv,
                                        .encode_threads = options.encode_threads},
                                       **wall, picture);
  if (!opened) return fail(opened.error().message);
  bench::StreamRun& stream = **opened;
  stream.submit_for(1.0);

  stream.forget();
  const sail_stream_stats stats_before = stream.stats();
  const Usage before = usage(**wall);
  const auto begin = Clock::now();
  const uint64_t submitted = stream.submit_for(options.seconds);
  const Usage after = usage(**wall);
  const double elapsed_s = std::chrono::duration<double>(Clock::now() - begin).count();
  const sail_stream_stats stats_after = stream.stats();
  const double rss_sender = bench::rss_mb(getpid());
  const double rss_receivers = bench::rss_mb((*wall)->receivers());
  const bench::Fates& fates = stream.all_fates(submitted);
  const auto tiles = ui::take_tile_pictures((*wall)->client());
  if (!tiles) return fail(tiles.error().message);
  const ui::WallPicture shown = ui::wall_picture(*tiles);

  const double frames = static_cast<double>(submitted);
  const double sent = static_cast<double>(stats_after.frames_sent - stats_before.frames_sent);
  const double bytes = static_cast<double>(stats_after.bytes_sent - stats_before.bytes_sent);
  sail::Json figures = {
      {"fps_sent", sent / elapsed_s},
      {"fps_shown", static_cast<double>(fates.shown) / elapsed_s},
      {"frames_dropped", submitted - fates.shown},
      {"cpu_ms_per_frame_sender", (after.sender_ms - before.sender_ms) / frames},
      {"cpu_ms_per_frame_receivers", (after.receivers_ms - before.receivers_ms) / frames},
      {"cpu_ms_per_frame_manager", (after.manager_ms - before.manager_ms) / frames},
      {"mbit_per_s", bytes * 8 / 1e6 / elapsed_s},
      {"bytes_per_frame", sent > 0 ? bytes / sent : 0},
      {"latency_ms_p50", bench::percentile(fates.latency_ms, 0.50)},
      {"latency_ms_p99", bench::percentile(fates.latency_ms, 0.99)},
      {"skew_us_p50", bench::percentile(fates.skew_us, 0.50)},
      {"skew_us_p99", bench::percentile(fates.skew_us, 0.99)},
      {"rss_mb_sender", rss_sender},
      {"rss_mb_receivers", rss_receivers},
      {"psnr_db", psnr_db(shown, picture, options.size, options.still)}};
  return report(options, figures);
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line(
      "scripts/bench wall",
      "Measures a whole wall on this machine. CPU is user + system of the processes.");
  Options options;
  std::string size = "3840x2160";
  std::string tiles = "2x2";
  line.option("--size", size, "Size of the stream and the wall").shows_default();
  line.option("--tiles", tiles, "Columns x rows").shows_default();
  line.option("--codec", options.codec,
              "dxt1, dxt5, dxt5ycocg; +lz4, +zstd; :fast, :good, :high; raw; htj2k or j2k with "
              ":500mbit, :2bpp or :lossless")
      .shows_default();
  line.flag("--still", options.still, "The same picture in every frame, as of a slide");
  line.flag("--yuv", options.yuv, "Frames as YUV 4:2:0, as decoders deliver them, not BGRA");
  line.flag("--server", options.server,
            "From a film server's storage: encoded once before, not while it is measured");
  line.option("--encode-threads", options.encode_threads,
              "Threads that help the submitting one; 0: one a core, less one; -1: none")
      .between(-1, 64)
      .shows_default();
  line.option("--transport", options.transport).one_of({"tcp", "udp"}).shows_default();
  line.option("--fps", options.fps, "Frames a second; 0: as fast as the wall takes them")
      .between(0.0, 1000.0)
      .shows_default();
  line.option("--seconds", options.seconds).between(0.1, 3600.0).shows_default();
  line.option("--json", options.json_file, "Write the figures to this file, too");
  if (const auto answer = line.read(argc, argv)) return answer->say();
  if (!bench::read_pair(size, options.size.width, options.size.height) ||
      !bench::read_pair(tiles, options.columns, options.rows) ||
      options.size.width % options.columns != 0 || options.size.height % options.rows != 0) {
    return fail("--size and --tiles are WxH, and the tiles must divide the size");
  }
  return run(options);
}
