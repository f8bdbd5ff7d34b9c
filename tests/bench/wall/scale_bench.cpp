// scripts/bench scale: a wall of many receivers, streams, windows and clients on one machine.
// Measures the cost of each program, the time to move a window, and if the tiles match the layout.
// `scripts/bench papers --part scale` varies one size at a time and finds the law.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/base/environment.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/text/json.h"
#include "sail/core/time/clock.h"
#include "tests/bench/film/moved_film.h"
#include "tests/bench/link/stream_run.h"
#include "tests/bench/pictures/process_usage.h"
#include "tests/bench/ui/ui_crowd.h"
#include "tests/bench/wall/bench_figures.h"
#include "tests/bench/wall/bench_wall.h"
#include "tests/bench/wall/marked_picture.h"
#include "tests/bench/wall/pixel_oracle.h"
#include "ui/client/answers.h"
#include "ui/client/named_windows.h"

namespace {

// Small, so that painting hardly counts and the cost is that of the protocol.
constexpr sail::Size kTile{240, 136};
constexpr sail::Size kTilesOfReceiver{4, 2};
constexpr int kMostProcesses = 4;
constexpr double kWarmUpSeconds = 2;
constexpr int64_t kLookMs = 100;
constexpr double kWaitTimeoutS = 120;  // until all windows are there

struct Options {
  int receivers = 16;
  int streams = 20;
  int windows = 0;
  size_t clients = 10;
  double fps = 5;
  double changes_per_second = 10;
  double seconds = 5;
  int looks = 20;
  uint64_t seed = 1;
  std::string json_file;
};

double now_s() {
  return static_cast<double>(sail::steady_now_ns()) / 1e9;
}

// Square, or wider than high.
sail::Size in_columns_and_rows(int count) {
  int rows = 1;
  for (int i = 1; i * i <= count; ++i) {
    if (count % i == 0) rows = i;
  }
  return {count / rows, rows};
}

struct Costs {
  double at_s = 0;
  double manager_ms = 0;
  double senders_ms = 0;
  double receivers_ms = 0;
  double frames = 0;  // shown
  double dropped = 0;
};

class ScaleWall {
 public:
  // Returns when all windows are open.
  static sail::Result<std::unique_ptr<ScaleWall>> start(const Options& options);
  // Measures the costs without film and oracle, then these two.
  sail::Result<sail::Json> measure();

 private:
  explicit ScaleWall(const Options& options) : options_(options) {}
  sail::Result<std::vector<uint32_t>> wait_for_windows();
  // Waits without causing additional cost.
  sail::Result<void> rest(double seconds);
  sail::Result<Costs> costs();
  sail::Result<void> measure_costs(sail::Json& figures);
  sail::Result<void> measure_clients(sail::Json& figures);
  sail::Result<void> measure_moves(sail::Json& figures);
  sail::Result<void> measure_pixels(sail::Json& figures);

  const Options options_;
  sail::Size size_;
  std::unique_ptr<bench::BenchWall> wall_;
  pid_t streams_ = 0;
  std::vector<uint32_t> windows_;
  std::unique_ptr<bench::UiCrowd> crowd_;
  double open_s_ = 0;  // time until all windows were open
};

sail::Result<std::unique_ptr<ScaleWall>> ScaleWall::start(const Options& options) {
  std::unique_ptr<ScaleWall> scale(new ScaleWall(options));
  const sail::Size nodes = in_columns_and_rows(options.receivers);
  const int columns = nodes.width * kTilesOfReceiver.width;
  const int rows = nodes.height * kTilesOfReceiver.height;
  scale->size_ = {columns * kTile.width, rows * kTile.height};
  auto wall =
      bench::BenchWall::start({.size = scale->size_,
                               .columns = columns,
                               .rows = rows,
                               .tiles_of_receiver = kTilesOfReceiver,
                               .node_processes = std::min(kMostProcesses, options.receivers)});
  if (!wall) return wall.error();
  scale->wall_ = *std::move(wall);
  const double begin_s = now_s();
  const auto streams = scale->wall_->start_program(
      "marked_streams",
      {"--manager", scale->wall_->manager_address(), fmt::format("--streams={}", options.streams),
       fmt::format("--windows={}", options.windows), fmt::format("--fps={}", options.fps),
       fmt::format("--width={}", scale->size_.width),
       fmt::format("--height={}", scale->size_.height)});
  if (!streams) return streams.error();
  scale->streams_ = *streams;
  auto windows = scale->wait_for_windows();
  if (!windows) return windows.error();
  scale->windows_ = *std::move(windows);
  scale->open_s_ = now_s() - begin_s;
  return scale;
}

sail::Result<std::vector<uint32_t>> ScaleWall::wait_for_windows() {
  for (const double begin_s = now_s(); now_s() - begin_s < kWaitTimeoutS;) {
    const auto state = wall_->client().call("list", {{"skip", options_.windows}}, bench::kAnswerMs);
    if (!state) return state.error();
    if (auto well = wall_->nobody_has_ended(); !well) return well.error();
    if (ui::number_member(*state, "total") == options_.windows &&
        ui::true_member(*state, "settled")) {
      const auto all = ui::call_for_all_windows(wall_->client(), "list");
      if (!all) return all.error();
      std::vector<uint32_t> numbers;
      for (const sail::Json& window : ui::member(*all, "windows")) {
        numbers.push_back(window.at("window"));
      }
      return numbers;
    }
    if (auto lost = wall_->client().wait(kLookMs)) return *lost;
  }
  return sail::fail(sail::ErrorCode::kTimeout, "not all windows have come");
}

sail::Result<void> ScaleWall::rest(double seconds) {
  if (auto lost = wall_->client().wait(static_cast<int64_t>(seconds * 1000))) return *lost;
  return wall_->nobody_has_ended();
}

sail::Result<Costs> ScaleWall::costs() {
  const auto state = ui::call_for_all_windows(wall_->client(), "list");
  if (!state) return state.error();
  Costs costs{.at_s = now_s(),
              .manager_ms = bench::cpu_ms(wall_->manager()),
              .senders_ms = bench::cpu_ms(streams_),
              .receivers_ms = bench::cpu_ms(wall_->receivers())};
  for (const sail::Json& window : ui::member(*state, "windows")) {
    const sail::Json stats = ui::member(window, "stats");
    costs.frames += static_cast<double>(ui::number_member(stats, "frames_shown"));
    costs.dropped += static_cast<double>(ui::number_member(stats, "frames_dropped"));
  }
  return costs;
}

sail::Result<sail::Json> ScaleWall::measure() {
  sail::Json figures = {
      {"receivers", options_.receivers},
      {"tiles", options_.receivers * kTilesOfReceiver.width * kTilesOfReceiver.height},
      {"streams", options_.streams},
      {"windows", options_.windows},
      {"clients", options_.clients},
      {"windows_open_s", open_s_}};
  for (const auto part : {&ScaleWall::measure_costs, &ScaleWall::measure_clients,
                          &ScaleWall::measure_moves, &ScaleWall::measure_pixels}) {
    if (auto measured = (this->*part)(figures); !measured) return measured.error();
  }
  return figures;
}

// Measures while the clients follow everything and change it.
sail::Result<void> ScaleWall::measure_costs(sail::Json& figures) {
  const auto address = sail::parse_address(wall_->manager_address(), {});
  if (!address) return address.error();
  const double begin_s = now_s();
  auto crowd = bench::UiCrowd::join(*address, options_.clients);
  if (!crowd) return crowd.error();
  crowd_ = *std::move(crowd);
  figures["clients_join_s"] = now_s() - begin_s;
  crowd_->begin_changes(windows_, options_.changes_per_second);
  if (auto rested = rest(kWarmUpSeconds); !rested) return rested;
  const auto before = costs();
  if (!before) return before.error();
  if (auto rested = rest(options_.seconds); !rested) return rested;
  const auto after = costs();
  if (!after) return after.error();
  const double elapsed_ms = (after->at_s - before->at_s) * 1000;
  const double frames = std::max(after->frames - before->frames, 1.0);
  const double manager_ms = after->manager_ms - before->manager_ms;
  const double senders_ms = after->senders_ms - before->senders_ms;
  const double receivers_ms = after->receivers_ms - before->receivers_ms;
  figures.update({{"frames_per_second", frames * 1000 / elapsed_ms},
                  {"frames_dropped", after->dropped - before->dropped},
                  {"cpu_pct_manager", 100 * manager_ms / elapsed_ms},
                  {"cpu_pct_sender", 100 * senders_ms / elapsed_ms},
                  {"cpu_pct_receiver", 100 * receivers_ms / elapsed_ms / options_.receivers},
                  {"cpu_ms_per_frame_manager", manager_ms / frames},
                  {"cpu_ms_per_frame_sender", senders_ms / frames},
                  {"cpu_ms_per_frame_receivers", receivers_ms / frames},
                  {"rss_mb_manager", bench::rss_mb(wall_->manager())},
                  {"rss_mb_sender", bench::rss_mb(streams_)},
                  {"rss_mb_receiver", bench::rss_mb(wall_->receivers()) / options_.receivers}});
  return {};
}

sail::Result<void> ScaleWall::measure_clients(sail::Json& figures) {
  crowd_->end_changes();
  size_t agreeing = 0;
  for (const double begin_s = now_s(); agreeing < options_.clients && now_s() - begin_s < 30;) {
    const auto state = ui::call_for_all_windows(wall_->client(), "list");
    if (!state) return state.error();
    agreeing = crowd_->clients_that_know(*state);
    if (auto rested = rest(kLookMs / 1000.0); !rested) return rested;
  }
  const bench::UiCrowd::Figures reported = crowd_->figures();
  figures.update(
      {{"command_to_state_ms_p50", bench::percentile(reported.command_to_state_ms, 0.5)},
       {"command_to_state_ms_p95", bench::percentile(reported.command_to_state_ms, 0.95)},
       {"changes_unseen", reported.unseen},
       {"clients_lost", reported.lost},
       {"clients_that_agree", agreeing}});
  return {};
}

sail::Result<void> ScaleWall::measure_moves(sail::Json& figures) {
  const auto film = bench::MovedFilm::open(wall_->manager_address(), wall_->client());
  if (!film) return film.error();
  if (auto played = (*film)->play_for(options_.seconds); !played) return played;
  const auto& ms = (*film)->command_to_pixel_ms();
  figures.update({{"moves", ms.size()},
                  {"move_ms_p50", bench::percentile(ms, 0.5)},
                  {"move_ms_p95", bench::percentile(ms, 0.95)}});
  return {};
}

sail::Result<void> ScaleWall::measure_pixels(sail::Json& figures) {
  // The film's window closes.
  if (auto windows = wait_for_windows(); !windows) return windows.error();
  bench::PixelOracle oracle(wall_->client(), options_.seed);
  for (int i = 0; i < options_.looks; ++i) {
    if (auto looked = oracle.verify(); !looked) return looked;
  }
  const bench::PixelOracle::Seen& seen = oracle.seen();
  figures.update({{"looks", seen.looks},
                  {"looks_mixed", seen.mixed},
                  {"looks_torn", seen.torn},
                  {"looks_incomplete", seen.incomplete},
                  {"pixels", seen.pixels},
                  {"pixels_wrong", seen.wrong}});
  const auto stats = wall_->client().call("stats", {{"skip", options_.windows}}, bench::kAnswerMs);
  if (!stats) return stats.error();
  const sail::Json manager = ui::member(*stats, "manager");
  figures.update({{"layouts", ui::number_member(manager, "layouts")},
                  {"layouts_timed_out", ui::number_member(manager, "layouts_timed_out")}});
  return wall_->nobody_has_ended();
}

int run(const Options& options) {
  const auto figures = ScaleWall::start(options).and_then(
      [](const std::unique_ptr<ScaleWall>& wall) { return wall->measure(); });
  if (!figures) {
    fmt::print(stderr, "bench: {}\n", figures.error().message);
    return 1;
  }
  bench::print_figures(*figures);
  if (!options.json_file.empty()) std::ofstream(options.json_file) << figures->dump() << "\n";
  const bool well =
      (*figures)["pixels_wrong"] == 0 && (*figures)["clients_that_agree"] == options.clients;
  if (!well) fmt::print(stderr, "bench: tiles or clients have not what the manager has\n");
  return well ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line(
      "scripts/bench scale",
      "Measures a wall of many receivers with 4×2 small tiles each, in a few processes: windows "
      "all over it, some of them streams, and clients that all follow the state and change it in "
      "turn. Then a film is moved, and then random pixels are looked at while windows move. Fails "
      "when a tile shows what no layout says or a client's state is not the manager's.");
  Options options;
  line.option("--receivers", options.receivers).between(1, 128).shows_default();
  line.option("--streams", options.streams).between(1, 500).shows_default();
  line.option("--windows", options.windows, "Streams and still pictures together")
      .between(0, static_cast<int>(bench::kMostMarked))
      .shows_default();
  line.option("--clients", options.clients).between(1, 1000).shows_default();
  line.option("--fps", options.fps, "Of each stream").between(0.1, 100.0).shows_default();
  line.option("--changes", options.changes_per_second, "Changes a second, of all clients")
      .between(0.1, 10000.0)
      .shows_default();
  line.option("--seconds", options.seconds, "For the costs, and then for the film")
      .between(0.1, 3600.0)
      .shows_default();
  line.option("--looks", options.looks, "At random pixels").between(0, 100'000).shows_default();
  line.option("--seed", options.seed, "Of what is random").shows_default();
  line.option("--json", options.json_file, "Write the figures to this file, too");
  if (const auto answer = line.read(argc, argv)) return answer->say();
  options.windows = std::max(options.windows, options.streams);
  sail::raise_descriptor_limit();
  return run(options);
}
