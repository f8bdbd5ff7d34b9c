// scripts/bench sync: synchronisation of frames over all tiles, and the effect of failing managers
// and receivers on streams.
#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "sail/core/command_line/command_line.h"
#include "sail/core/text/json.h"
#include "sail/core/time/clock.h"
#include "tests/bench/link/disturbances.h"
#include "tests/bench/link/sync_streams.h"
#include "tests/bench/pictures/process_usage.h"
#include "tests/bench/wall/bench_wall.h"
#include "ui/client/wall_picture.h"

namespace {

constexpr double kLongestOutageS = 10;
constexpr double kLongestSettleS = 2;  // losses this soon after a return count as its effect
constexpr double kLongestIdleS = 5;
constexpr double kWarmUpS = 1;
constexpr double kWaitTimeoutS = 15;
constexpr int64_t kPollIntervalMs = 5;
constexpr const char* kManagerThread = "vitrail-manager";

struct Options {
  sail::Size size{1920, 1080};
  int columns = 2;
  int rows = 2;
  int streams = 1;
  bool group = false;
  double fps = 30;
  double refresh_hz = 0;
  double phases_ms = 0;
  double seconds = 60;
  double stop_manager_s = 0;  // 0: only as long as its restart takes
  uint64_t swaps = 0;
  bool strict = false;
  std::string json_file;

  sail::Size tile() const { return {size.width / columns, size.height / rows}; }
  double part(double longest_s) const { return std::min(longest_s, seconds / 3); }
  double outage_s() const { return part(kLongestOutageS); }
};

double ms_since(int64_t begin_ns) {
  return static_cast<double>(sail::steady_now_ns() - begin_ns) / 1e6;
}

sail::Result<void> look_on(bench::BenchWall& wall, double seconds) {
  if (auto lost = wall.client().wait(static_cast<int64_t>(seconds * 1000))) return *lost;
  return {};
}

class Bench {
 public:
  Bench(const Options& options, bench::BenchWall& wall, bench::SyncStreams& streams)
      : options_(options), wall_(wall), streams_(streams) {}

  sail::Result<sail::Json> run() {
    using Phase = sail::Result<void> (Bench::*)();
    const Phase phases[] = {
        &Bench::warm_up,         &Bench::steady,          &Bench::moves,    &Bench::manager_killed,
        &Bench::manager_stopped, &Bench::receiver_killed, &Bench::disturbed};
    for (const Phase phase : phases) {
      if (auto gone_through = (this->*phase)(); !gone_through) return gone_through.error();
    }
    figures_["swaps"] = swaps_;
    figures_["snapshots_compared"] = compared_;
    figures_["mixed_frames"] = mixed_;
    figures_["marks_compared"] = streams_.marks_found();
    if (streams_.marks_found() < compared_) {
      return sail::fail(sail::ErrorCode::kInternal, "the pictures of the tiles have no marks");
    }
    return figures_;
  }

 private:
  template <typename Work>
  sail::Result<bench::Played> play_while(const Work& work) {
    auto played = streams_.play_while(work);
    if (played) swaps_ += played->shown;
    return played;
  }

  // Plays until frames are on the wall, and notes the windows' start positions.
  sail::Result<void> warm_up() {
    const auto played = streams_.play_while([&] { return look_on(wall_, kWarmUpS); });
    if (!played) return played.error();
    return take_windows(streams_.count());
  }

  // Waits until this number of windows is open.
  sail::Result<void> take_windows(size_t count) {
    const int64_t begin_ns = sail::steady_now_ns();
    while (ms_since(begin_ns) < kWaitTimeoutS * 1000) {
      const auto state = wall_.client().call("list", sail::Json::object(), bench::kAnswerMs);
      if (!state) return state.error();
      windows_ = windows_of(*state);
      if (windows_.size() == count) return {};
      if (auto looked = look_on(wall_, kPollIntervalMs / 1e3); !looked) return looked;
    }
    return sail::fail(sail::ErrorCode::kInternal, "not all windows are on the wall");
  }

  double manager_ms() const { return bench::thread_cpu_ms(wall_.manager(), kManagerThread); }

  sail::Result<void> steady() {
    const double idle_s = options_.part(kLongestIdleS);
    const double idle_ms = manager_ms();
    if (auto idle = check_clocks(idle_s); !idle) return idle;
    const double begin_ms = manager_ms();
    const auto played = play_while([&] { return check_clocks(options_.seconds); });
    if (!played) return played.error();
    const double took_ms = manager_ms() - begin_ms;
    figures_["skew_us_p50"] = bench::percentile(played->skew_us, 0.50);
    figures_["skew_us_p99"] = bench::percentile(played->skew_us, 0.99);
    if (!played->cadence_error_us.empty()) {
      figures_["cadence_error_us_p99"] = bench::percentile(played->cadence_error_us, 0.99);
    }
    if (options_.group) {
      figures_["group_skew_us_p99"] = bench::percentile(played->group_skew_us, 0.99);
    }
    figures_["frames_lost_steady"] = played->lost();
    figures_["cpu_ms_per_frame_manager"] =
        took_ms / static_cast<double>(std::max(played->shown, uint64_t{1}));
    figures_["cpu_ms_per_s_manager"] = took_ms / options_.seconds;
    figures_["cpu_ms_per_s_manager_idle"] = (begin_ms - idle_ms) / idle_s;
    figures_["clock_error_us_p99"] = bench::percentile(clock_errors_us_, 0.99);
    return {};
  }

  // Plays for this time and checks the receivers' clock reports each second.
  sail::Result<void> check_clocks(double seconds) {
    for (const int64_t begin_ns = sail::steady_now_ns();;) {
      const double left_s = seconds - ms_since(begin_ns) / 1000;
      if (auto looked = look_on(wall_, std::clamp(left_s, 0.0, 1.0)); !looked) return looked;
      const auto state = wall_.client().call("list", sail::Json::object(), bench::kAnswerMs);
      if (!state) return state.error();
      for (const sail::Json& receiver : (*state)["receivers"]) {
        const sail::Json stats = receiver.value("stats", sail::Json::object());
        if (stats.contains("clock_error_us")) clock_errors_us_.push_back(stats["clock_error_us"]);
      }
      if (left_s <= 1) return {};
    }
  }

  // Moves windows all the time between tiles, and compares pictures of all tiles.
  sail::Result<void> moves() {
    uint64_t moves = 0;
    const auto played = play_while([&]() -> sail::Result<void> {
      const int64_t begin_ns = sail::steady_now_ns();
      while (ms_since(begin_ns) < options_.seconds * 1000 / 2) {
        if (auto placed = place(true); !placed) return placed;
        ++moves;
        if (auto shown = compare_tiles(); !shown) return shown.error();
      }
      if (auto placed = place(false); !placed) return placed;
      const auto settled_ms = as_before(sail::steady_now_ns());
      if (!settled_ms) return settled_ms.error();
      return {};
    });
    if (!played) return played.error();
    figures_["moves"] = moves;
    figures_["frames_moves"] = played->submitted - played->hidden();
    figures_["frames_lost_moves"] = played->lost();
    for (const auto& [cause, dropped] : played->dropped) {
      if (dropped > 0) figures_[fmt::format("frames_moves_{}", cause)] = dropped;
    }
    return {};
  }

  sail::Result<void> manager_killed() {
    return manager_away(
        "restart", "", options_.outage_s(), [&] { wall_.end_program(wall_.manager(), SIGKILL); },
        [&] { return wall_.start_manager_again(); });
  }
  sail::Result<void> manager_stopped() {
    const bool for_long = options_.stop_manager_s > 0;
    return manager_away(
        "stop", "_after_stop", for_long ? options_.stop_manager_s : options_.outage_s(),
        [&] { kill(wall_.manager(), SIGSTOP); },
        [&]() -> sail::Result<void> {
          kill(wall_.manager(), SIGCONT);
          return {};
        });
  }
  template <typename Leave, typename Return>
  sail::Result<void> manager_away(const char* how, const char* after, double away_s,
                                  const Leave& leave, const Return& come_back) {
    const auto played = play_while([&]() -> sail::Result<void> {
      leave();
      std::this_thread::sleep_for(std::chrono::duration<double>(away_s));
      const int64_t begin_ns = sail::steady_now_ns();
      if (auto back = come_back(); !back) return back;
      if (auto connected = wall_.connect(); !connected) return connected;
      const auto took_ms = as_before(begin_ns);
      if (!took_ms) return took_ms.error();
      figures_[fmt::format("manager_recover_ms{}", after)] = *took_ms;
      return look_on(wall_, options_.part(kLongestSettleS));
    });
    if (!played) return played.error();
    figures_[fmt::format("frames_lost_manager_{}", how)] = played->lost();
    return {};
  }

  sail::Result<void> receiver_killed() {
    const auto played = play_while([&]() -> sail::Result<void> {
      const auto before = compare_tiles();
      if (!before) return before.error();
      const int64_t begin_ns = sail::steady_now_ns();
      if (auto replaced = wall_.replace_receiver(0); !replaced) return replaced;
      for (std::vector<size_t> shown; shown != *before;) {
        if (ms_since(begin_ns) > kWaitTimeoutS * 1000) return is_stalled("a receiver's tiles");
        const auto tiles = compare_tiles();
        if (!tiles) return tiles.error();
        shown = *tiles;
      }
      figures_["receiver_rejoin_ms"] = ms_since(begin_ns);
      return look_on(wall_, options_.part(kLongestSettleS));
    });
    if (!played) return played.error();
    figures_["frames_lost_receiver_restart"] = played->lost();
    return {};
  }

  // All at once, until this number of frames was swapped: windows move while receivers and the
  // manager die and come back, and a sender stalls again and again.
  sail::Result<void> disturbed() {
    if (options_.swaps == 0) return {};
    auto disturbances = bench::Disturbances::begin(wall_);
    if (!disturbances) return disturbances.error();
    disturbances_ = *std::move(disturbances);
    if (auto taken = take_windows(streams_.count() + 1); !taken) return taken;
    const uint64_t swaps_before = streams_.swaps();
    const uint64_t compared_before = compared_;
    const uint64_t mixed_before = mixed_;
    const int64_t begin_ns = sail::steady_now_ns();
    const auto played = play_while([&]() -> sail::Result<void> {
      uint64_t swaps = 0;
      for (int64_t last_ns = sail::steady_now_ns(); swaps < options_.swaps;) {
        if (auto gone_on = disturbances_->go_on(); !gone_on) return gone_on;
        // Some calls may fail while the wall is being restored.
        place(true);
        compare_tiles();
        const uint64_t now = streams_.swaps() - swaps_before;
        if (std::exchange(swaps, now) != now) last_ns = sail::steady_now_ns();
        if (ms_since(last_ns) > kWaitTimeoutS * 1000) return is_stalled("any frame");
      }
      return {};
    });
    if (!played) return played.error();
    figures_["seconds_disturbed"] = ms_since(begin_ns) / 1000;
    figures_["swaps_disturbed"] = played->shown;
    figures_["frames_lost_disturbed"] = played->lost();
    figures_["snapshots_compared_disturbed"] = compared_ - compared_before;
    figures_["mixed_frames_disturbed"] = mixed_ - mixed_before;
    figures_["receivers_killed"] = disturbances_->receivers_killed();
    figures_["senders_stopped"] = disturbances_->senders_stopped();
    figures_["managers_killed"] = disturbances_->managers_killed();
    return {};
  }

  // Takes a snapshot of all tiles. Returns for each tile, by its name, the number of windows with a
  // frame.
  sail::Result<std::vector<size_t>> compare_tiles() {
    const auto tiles = ui::take_tile_pictures(wall_.client(), 1);
    if (!tiles) return tiles.error();
    ++compared_;
    if (const std::string how = streams_.how_mixed(tiles->snapshot); !how.empty()) {
      ++mixed_;
      streams_.note_mixed(*tiles, how,
                          disturbances_ ? disturbances_->last() : "before the disturbances");
    }
    std::map<std::string, size_t> windows_of_tile;
    for (const sail::TilePicture& tile : tiles->snapshot.pictures) {
      windows_of_tile[tile.tile] = tile.windows.size();
    }
    std::vector<size_t> counts;
    for (const auto& [name, count] : windows_of_tile) counts.push_back(count);
    return counts;
  }

  // Moves all windows in one step: to a random place up to a tile away from their start, or back.
  sail::Result<void> place(bool elsewhere) {
    std::uniform_int_distribution<int> aside_x(-options_.tile().width, options_.tile().width);
    std::uniform_int_distribution<int> aside_y(-options_.tile().height, options_.tile().height);
    sail::Json places = sail::Json::array();
    for (const auto& [number, begins] : windows_) {
      sail::Json rect = begins;
      if (elsewhere) {
        rect[0] = rect[0].get<int>() + aside_x(random_);
        rect[1] = rect[1].get<int>() + aside_y(random_);
      }
      places.push_back({{"window", number}, {"rect", rect}});
    }
    const auto placed =
        wall_.client().call("place", {{"windows", std::move(places)}}, bench::kAnswerMs);
    if (!placed) return placed.error();
    return {};
  }

  using Windows = std::vector<std::pair<uint32_t, sail::Json>>;  // number, rect
  static Windows windows_of(const sail::Json& state) {
    Windows windows;
    for (const sail::Json& window : state["windows"]) {
      windows.emplace_back(window["window"].get<uint32_t>(), window["rect"]);
    }
    std::sort(windows.begin(), windows.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    return windows;
  }
  // Waits until all receivers are connected, the same windows are in their places, and the layout
  // is settled. Returns the time in ms.
  sail::Result<double> as_before(int64_t begin_ns) {
    while (ms_since(begin_ns) < kWaitTimeoutS * 1000) {
      const auto state = wall_.client().call("list", sail::Json::object(), bench::kAnswerMs);
      if (!state) return state.error();
      const sail::Json& receivers = (*state)["receivers"];
      const bool all_here = std::all_of(receivers.begin(), receivers.end(), [](const auto& one) {
        return one.value("connected", false);
      });
      if (all_here && state->value("settled", false) && windows_of(*state) == windows_) {
        return ms_since(begin_ns);
      }
      if (auto looked = look_on(wall_, kPollIntervalMs / 1e3); !looked) return looked.error();
    }
    return is_stalled("the layout").error();
  }
  static sail::Result<void> is_stalled(const char* what) {
    return sail::fail(sail::ErrorCode::kTimeout, fmt::format("{} did not come back", what));
  }

  const Options& options_;
  bench::BenchWall& wall_;
  bench::SyncStreams& streams_;
  std::unique_ptr<bench::Disturbances> disturbances_;  // set once they begin
  Windows windows_;                                    // at their start
  std::mt19937 random_{1};
  uint64_t swaps_ = 0;
  uint64_t compared_ = 0;
  uint64_t mixed_ = 0;
  std::vector<double> clock_errors_us_;
  sail::Json figures_ = sail::Json::object();
};

sail::Result<sail::Json> measure(const Options& options) {
  auto wall = bench::BenchWall::start({.size = options.size,
                                       .columns = options.columns,
                                       .rows = options.rows,
                                       .refresh_hz = options.refresh_hz,
                                       .phases_ms = options.phases_ms,
                                       .log_to_file = true});
  if (!wall) return wall.error();
  auto streams = bench::SyncStreams::open({.wall_size = options.size,
                                           .tile_size = options.tile(),
                                           .streams = options.streams,
                                           .group = options.group,
                                           .fps = options.fps,
                                           .refresh_hz = options.refresh_hz},
                                          **wall);
  if (!streams) return streams.error();
  return Bench(options, **wall, **streams).run();
}

int run(const Options& options) {
  const auto figures = measure(options);
  if (!figures) {
    fmt::print(stderr, "bench: {}\n", figures.error().message);
    return 1;
  }
  fmt::print("{} streams of {:g} fps on {}×{} tiles, {}×{}\n", options.streams, options.fps,
             options.columns, options.rows, options.size.width, options.size.height);
  for (const auto& [name, value] : figures->items()) {
    fmt::print("  {:<30} {:>10.3f}\n", name, value.get<double>());
  }
  if (!options.json_file.empty()) std::ofstream(options.json_file) << figures->dump(2) << "\n";
  const auto mixed = (*figures)["mixed_frames"].get<uint64_t>();
  if (!options.strict || mixed == 0) return 0;
  fmt::print(stderr, "bench: {} of {} snapshots are mixed\n", mixed,
             (*figures)["snapshots_compared"].get<uint64_t>());
  return 1;
}

constexpr const char kNotes[] =
    "One after the other: the streams play for --seconds; for half of that their windows move and "
    "pictures of all tiles are taken, each at one instant (mixed_frames of snapshots_compared have "
    "two tiles with different frames of a window, by their pixels, in which each frame is marked, "
    "or by "
    "the names that receivers give); the manager is killed and started again 10 s "
    "later, at most a third of --seconds; it is stopped for as long, or for --stop-manager; a "
    "receiver is killed and started again. With --swaps everything happens at once after that, "
    "until "
    "so many frames were shown on all tiles: windows move and pictures are taken all the time, and "
    "each second another receiver is killed and started again, a player is stopped, goes on, or "
    "the "
    "manager is killed and started again after 0.5 s.\n"
    "Frames are lost when they were not shown on all tiles, from before somebody is gone to 2 s "
    "after the return; those of windows that no tile shows are hidden, and not lost. "
    "receiver_rejoin_ms is known to within 0.2 s, by pictures of the tiles. "
    "clock_error_us_p99 is of the bounds that the receivers tell each second while the streams "
    "play "
    "for the first time. The manager's CPU includes what "
    "it does anyhow: cpu_ms_per_s_manager beside the same without frames, _idle.\n"
    "With --group all streams are one: group_skew_us_p99 is from the first tile of any of them to "
    "the last one of all, and frames of different instants in one picture are mixed, too.\n"
    "With --refresh the receivers show frames as displays of that rate do, and frames are seen, as "
    "they report them, when their last display begins its next picture. cadence_error_us_p99 is "
    "how far that is from the frame's place in the steadiest pattern (24 on 60: 2, 3, 2, 3), and "
    "skews are those of the displays (--phases). Without it and with --group it is how far swaps "
    "are from the instants asked for. Real displays are not measured.";

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line("scripts/bench sync",
                         "Measures how frames keep step on all tiles, also while manager and "
                         "receivers die, on a wall of this machine.");
  line.notes(kNotes);
  Options options;
  std::string size = "1920x1080";
  std::string receivers = "4";
  line.option("--receivers", receivers, "Of a tile each").one_of({"4", "16", "32"}).shows_default();
  line.option("--streams", options.streams, "Each over all tiles").between(1, 16).shows_default();
  line.flag("--group", options.group, "They show equal presentation times in one swap");
  line.option("--fps", options.fps, "Of each stream").between(1.0, 240.0).shows_default();
  line.option("--refresh", options.refresh_hz, "Of the displays in memory, Hz; 0: none")
      .between(0.0, 1000.0)
      .shows_default();
  line.option("--phases", options.phases_ms,
              "How much later than the first display the last one begins its pictures")
      .between(0.0, 1000.0)
      .shows_default();
  line.option("--size", size, "Of the wall").shows_default();
  line.option("--seconds", options.seconds).between(0.1, 86400.0).shows_default();
  line.option("--stop-manager", options.stop_manager_s, "Seconds that the manager stands still")
      .between(0.1, 86400.0);
  line.option("--swaps", options.swaps, "Frames that are to be shown while everything goes wrong")
      .between(uint64_t{1}, uint64_t{1'000'000'000});
  line.flag("--strict", options.strict, "Exit with 1 if a snapshot of the tiles is mixed");
  line.option("--json", options.json_file, "Write the figures to this file, too");
  if (const auto answer = line.read(argc, argv)) return answer->say();
  options.columns = receivers == "4" ? 2 : receivers == "16" ? 4 : 8;
  options.rows = receivers == "4" ? 2 : 4;
  if (std::sscanf(size.c_str(), "%dx%d", &options.size.width, &options.size.height) != 2 ||
      options.tile().width < 64 || options.tile().height < 64) {
    fmt::print(stderr, "bench: --size is WxH, with tiles of at least 64×64 pixels\n");
    return 1;
  }
  return run(options);
}
