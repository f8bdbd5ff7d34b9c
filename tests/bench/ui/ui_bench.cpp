// scripts/bench ui: a wall with many windows and many UI clients, some of which change it all the
// time. Measures the manager's cost, and the time until all clients know a change and the tiles
// show it.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "sail/core/command_line/command_line.h"
#include "sail/core/text/json.h"
#include "sail/core/time/clock.h"
#include "tests/bench/film/moved_film.h"
#include "tests/bench/link/stream_run.h"
#include "tests/bench/pictures/process_usage.h"
#include "tests/bench/ui/still_windows.h"
#include "tests/bench/ui/ui_crowd.h"
#include "tests/bench/wall/bench_figures.h"
#include "tests/bench/wall/bench_wall.h"
#include "ui/client/named_windows.h"

namespace {

constexpr sail::Size kWall{3840, 2160};
constexpr double kWarmUpSeconds = 1;
constexpr int kAgreeTries = 100;
constexpr auto kAgreePause = std::chrono::milliseconds(50);

struct Options {
  size_t windows = 1000;
  size_t clients = 100;
  double changes_per_second = 50;
  double seconds = 10;
  std::string json_file;
};

// Number of clients whose state equals the manager's after all updates have arrived.
size_t clients_that_agree(bench::BenchWall& wall, bench::UiCrowd& crowd, size_t clients) {
  size_t agreeing = 0;
  for (int i = 0; i < kAgreeTries && agreeing < clients; ++i) {
    const auto state = ui::call_for_all_windows(wall.client(), "list");
    if (!state) return 0;
    agreeing = crowd.clients_that_know(*state);
    if (agreeing < clients) std::this_thread::sleep_for(kAgreePause);
  }
  return agreeing;
}

sail::Result<sail::Json> measure(const Options& options) {
  auto wall = bench::BenchWall::start({.size = kWall, .columns = 2, .rows = 2});
  if (!wall) return wall.error();
  const std::string& manager = (*wall)->manager_address();
  auto stills = bench::StillWindows::open(manager, options.windows, kWall);
  if (!stills) return stills.error();
  auto film = bench::MovedFilm::open(manager, (*wall)->client());
  if (!film) return film.error();
  auto address = sail::parse_address(manager, {});
  if (!address) return address.error();
  auto crowd = bench::UiCrowd::join(*address, options.clients);
  if (!crowd) return crowd.error();

  (*crowd)->begin_changes((*stills)->numbers(), options.changes_per_second);
  if (auto played = (*film)->play_for(kWarmUpSeconds); !played) {
    return played.error();
  }
  const double rss_before = bench::rss_mb((*wall)->manager());
  const double cpu_before = bench::cpu_ms((*wall)->manager());
  const int64_t begin_ns = sail::steady_now_ns();
  if (auto played = (*film)->play_for(options.seconds); !played) {
    return played.error();
  }
  const double elapsed_s = static_cast<double>(sail::steady_now_ns() - begin_ns) / 1e9;
  const double cpu_ms = bench::cpu_ms((*wall)->manager()) - cpu_before;
  const double rss_after = bench::rss_mb((*wall)->manager());
  (*crowd)->end_changes();
  const size_t agreeing = clients_that_agree(**wall, **crowd, options.clients);
  const bench::UiCrowd::Figures figures = (*crowd)->figures();
  const auto& pixels = (*film)->command_to_pixel_ms();
  const auto changes = static_cast<double>(std::max<uint64_t>(figures.commands, 1));
  return sail::Json{
      {"windows", options.windows},
      {"clients", options.clients},
      {"changes_per_second", changes / (elapsed_s + kWarmUpSeconds)},
      {"command_to_state_ms_p50", bench::percentile(figures.command_to_state_ms, 0.5)},
      {"command_to_state_ms_p95", bench::percentile(figures.command_to_state_ms, 0.95)},
      {"command_to_pixel_ms_p50", bench::percentile(pixels, 0.5)},
      {"command_to_pixel_ms_p95", bench::percentile(pixels, 0.95)},
      {"manager_cpu_pct", cpu_ms / elapsed_s / 10},
      {"rss_mb_manager", rss_after},
      {"rss_mb_manager_before", rss_before},
      {"bytes_per_change", static_cast<double>(figures.bytes) / changes},
      {"commands", figures.commands},
      {"commands_refused", figures.refused},
      {"changes_unseen", figures.unseen},
      {"changes_missed", figures.missed},
      {"clients_lost", figures.lost},
      {"clients_that_agree", agreeing}};
}

int run(const Options& options) {
  const auto figures = measure(options);
  if (!figures) {
    fmt::print(stderr, "bench: {}\n", figures.error().message);
    return 1;
  }
  bench::print_figures(*figures);
  if (!options.json_file.empty()) std::ofstream(options.json_file) << figures->dump() << "\n";
  return (*figures)["clients_that_agree"] == options.clients ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line(
      "scripts/bench ui",
      "Measures a wall of 2×2 tiles with many windows (still pictures, and a film that is moved) "
      "and many UI clients, which all follow the state and change it in turn. Fails when a "
      "client's "
      "state differs from the manager's in the end.");
  Options options;
  line.option("--windows", options.windows).between(1, 2000).shows_default();
  line.option("--clients", options.clients).between(1, 900).shows_default();
  line.option("--changes", options.changes_per_second, "Changes a second, of all clients")
      .between(0.1, 10000.0)
      .shows_default();
  line.option("--seconds", options.seconds).between(0.1, 3600.0).shows_default();
  line.option("--json", options.json_file, "Write the figures to this file, too");
  if (const auto answer = line.read(argc, argv)) return answer->say();
  return run(options);
}
