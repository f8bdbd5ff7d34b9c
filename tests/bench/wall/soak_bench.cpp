// scripts/bench soak: a wall under constant change, with receivers that are killed or leave, packet
// loss, and applications that come and go. Checks what the wall shows, and finds leaks.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "sail/core/command_line/command_line.h"
#include "sail/core/text/json.h"
#include "sail/core/time/clock.h"
#include "tests/bench/pictures/process_usage.h"
#include "tests/bench/ui/still_windows.h"
#include "tests/bench/wall/bench_wall.h"
#include "tests/bench/wall/pixel_oracle.h"
#include "tests/support/reference_wall.h"
#include "ui/client/wall_picture.h"

namespace {

constexpr sail::Size kWall{1920, 1080};
constexpr int kColumns = 4;
constexpr int kRows = 2;
constexpr size_t kStills = 12;
constexpr size_t kLostReceivers = 4;  // of eight: the others run to the end
// An application's windows known to PixelOracle; the first half of them are streams.
constexpr size_t kMarked = 8;
// Impairment of the path to each receiver, for UDP.
const std::vector<std::string> kPath = {"--loss=0.5%"};
// Streams that run to the end.
constexpr const char* kStreams[][2] = {
    {"test:640x360@30", "--codec=dxt1"},      {"test:320x180@30", "--codec=raw+lz4"},
    {"test:320x180@30", "--codec=dxt5"},      {"test:320x180@15", "--codec=htj2k"},
    {"test:320x180@30", "--codec=dxt5ycocg"}, {"test:640x360@30", "--transport=udp"}};
constexpr double kLossEveryS = 10;  // of a receiver, on average
constexpr double kVisitorEveryS = 6;
constexpr double kVisitorStaysS = 15;
constexpr double kSamples = 100;
constexpr double kWarmUp = 0.2;  // share of the time; memory growth in it does not count
constexpr auto kTick = std::chrono::milliseconds(5);
constexpr double kPollIntervalS = 10;
constexpr int kPictureTries = 300;
constexpr int64_t kPictureEveryMs = 100;

using Random = std::mt19937_64;

struct Options {
  double minutes = 10;
  int changes = 5000;
  uint64_t seed = 1;
  std::string json_file;
};

struct Sample {
  double at_h = 0;
  double rss_mb = 0;
  double descriptors = 0;
};

// A process that runs to the end.
struct Process {
  std::string kind;
  pid_t pid = 0;
  std::vector<Sample> samples;

  void look(double now_s) {
    samples.push_back(
        {now_s / 3600, bench::rss_mb(pid), static_cast<double>(bench::descriptors(pid))});
  }
};

// Least-squares slope by hour, after the warm-up.
double slope_per_hour(const std::vector<Sample>& samples, double Sample::*value) {
  const auto first = static_cast<size_t>(static_cast<double>(samples.size()) * kWarmUp);
  double count = 0;
  double sum_t = 0;
  double sum = 0;
  double sum_tt = 0;
  double sum_t_value = 0;
  for (size_t i = first; i < samples.size(); ++i) {
    const double at_h = samples[i].at_h;
    count += 1;
    sum_t += at_h;
    sum += samples[i].*value;
    sum_tt += at_h * at_h;
    sum_t_value += at_h * samples[i].*value;
  }
  const double spread = count * sum_tt - sum_t * sum_t;
  return spread <= 0 ? 0 : (count * sum_t_value - sum_t * sum) / spread;
}

// A random time, on average this far from now.
double about(double now_s, double mean_s, Random& random) {
  return now_s + std::exponential_distribution<double>(1 / mean_s)(random);
}

// Random changes to windows that stay open.
class Changes {
 public:
  Changes(sail::RpcClient& client, std::vector<uint32_t> windows, uint64_t seed)
      : client_(client), windows_(std::move(windows)), random_(seed) {}

  // Returns an error if the manager does not answer any more.
  sail::Result<void> one() {
    const uint32_t window = windows_[random_() % windows_.size()];
    const auto [verb, params] = next(window);
    const auto answer = client_.call(verb, params, bench::kAnswerMs);
    ++made_;
    if (answer) return {};
    ++refused_;
    const bool gone = answer.error().code == sail::ErrorCode::kUnavailable ||
                      answer.error().code == sail::ErrorCode::kTimeout;
    if (gone) return answer.error();
    return {};
  }
  int made() const { return made_; }
  int refused() const { return refused_; }

 private:
  struct Change {
    const char* verb;
    sail::Json params;
  };
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  Change next(uint32_t window) {
    switch (below(10)) {
      case 0:
        return {"raise", {{"window", window}}};
      case 1:
        return {"lower", {{"window", window}}};
      case 2:
      case 3:
        return {"resize",
                {{"window", window},
                 {"width", 16 + below(kWall.width)},
                 {"height", 16 + below(kWall.height)}}};
      case 4:
        return {"fit", {{"window", window}}};
      case 5:
        return {"arrange", sail::Json::object()};
      default:
        return {"move",
                {{"window", window},
                 {"x", below(kWall.width) - kWall.width / 4},
                 {"y", below(kWall.height) - kWall.height / 4}}};
    }
  }

  sail::RpcClient& client_;
  const std::vector<uint32_t> windows_;
  Random random_;
  int made_ = 0;
  int refused_ = 0;
};

// Applications and receivers that come and go; some close their session, some are killed.
class Visitors {
 public:
  Visitors(bench::BenchWall& wall, uint64_t seed) : wall_(wall), random_(seed) {
    next_visitor_s_ = about(0, kVisitorEveryS, random_) / 4;
    next_loss_s_ = about(0, kLossEveryS, random_) / 4;
  }

  sail::Result<void> turn(double now_s) {
    while (!here_.empty() && here_.begin()->first <= now_s) {
      if (auto left = leave(here_.begin()->second); !left) return left;
      here_.erase(here_.begin());
    }
    if (now_s >= next_loss_s_) {
      next_loss_s_ = about(now_s, kLossEveryS, random_);
      ++losses_;
      const size_t which = random_() % kLostReceivers;
      if (auto back = wall_.replace_receiver(which, any_signal()); !back) return back;
    }
    if (now_s < next_visitor_s_) return {};
    next_visitor_s_ = about(now_s, kVisitorEveryS, random_);
    const auto pid = wall_.start_program(
        "bplay", {"test:320x180@15", "--manager", wall_.manager_address(), "--quiet"});
    if (!pid) return pid.error();
    here_.emplace(about(now_s, kVisitorStaysS, random_), *pid);
    ++came_;
    return {};
  }
  sail::Result<void> all_leave() {
    for (const auto& [until_s, pid] : here_) {
      if (auto left = wall_.end_program(pid); !left) return left;
    }
    here_.clear();
    return {};
  }
  size_t here() const { return here_.size(); }
  int came() const { return came_; }
  int losses() const { return losses_; }

 private:
  int any_signal() { return random_() % 2 == 0 ? SIGTERM : SIGKILL; }
  sail::Result<void> leave(pid_t pid) { return wall_.end_program(pid, any_signal()); }

  bench::BenchWall& wall_;
  Random random_;
  double next_visitor_s_;
  double next_loss_s_;
  std::multimap<double, pid_t> here_;  // by the time of their leaving
  int came_ = 0;
  int losses_ = 0;
};

// Overlapping stills, some partly off the wall.
sail::Rect final_place(size_t still) {
  const int step = static_cast<int>(still);
  return {step * 150 - 100, step * 80 - 50, 401 + step, 300};
}

// Waits until all receivers are connected, this number of windows is open, and no layout change is
// in progress. Returns the window numbers.
sail::Result<std::vector<uint32_t>> settled(bench::BenchWall& wall, size_t windows) {
  for (int i = 0; i < kPictureTries; ++i) {
    const auto state = wall.client().call("list", sail::Json::object(), bench::kAnswerMs);
    if (!state) return state.error();
    const sail::Json& receivers = (*state)["receivers"];
    const bool all_here = std::all_of(receivers.begin(), receivers.end(), [](const auto& one) {
      return one.value("connected", false);
    });
    if (all_here && state->value("settled", false) && state->value("total", size_t{0}) == windows) {
      std::vector<uint32_t> numbers;
      for (const sail::Json& window : (*state)["windows"]) numbers.push_back(window["window"]);
      return numbers;
    }
    if (auto lost = wall.client().wait(kPictureEveryMs)) return *lost;
  }
  return sail::fail(sail::ErrorCode::kTimeout, "the wall does not settle");
}

sail::Result<ui::TilePictures> final_pictures(bench::BenchWall& wall,
                                              const std::vector<uint32_t>& windows) {
  sail::Json places = sail::Json::array();
  for (size_t i = 0; i < windows.size(); ++i) {
    places.push_back({{"window", windows[i]}, {"rect", sail::rect_json(final_place(i))}});
  }
  auto placed = wall.client().call("place", {{"windows", places}}, bench::kAnswerMs);
  for (size_t i = 0; placed && i < windows.size(); ++i) {
    placed = wall.client().call("raise", {{"window", windows[i]}}, bench::kAnswerMs);
  }
  if (!placed) return placed.error();
  if (auto rested = settled(wall, windows.size()); !rested) return rested.error();
  return ui::take_tile_pictures(wall.client());
}

// Compares the tiles with the reference compositor's picture of the stills.
bool right_pixels(const ui::TilePictures& tiles) {
  std::vector<reference::Window> windows;
  for (size_t i = 0; i < kStills; ++i) {
    const sail::Size size = bench::StillWindows::kPicture;
    windows.push_back(
        {final_place(i), {size.width, size.height, bench::StillWindows::pixels(i)}, false});
  }
  const ui::WallPicture shown = ui::wall_picture(tiles);
  const auto right =
      reference::wall_picture(tiles.wall, reference::show_on_wall(tiles.wall, windows));
  return shown.missing.empty() && shown.size == sail::Size{right.width, right.height} &&
         shown.pixels == right.pixels;
}

struct Outcome {
  std::vector<Process> processes;
  int changes = 0;
  int refused = 0;
  int losses = 0;
  int applications = 0;
  bench::PixelOracle::Seen seen;
  bool right_pixels = false;
};

sail::Result<Outcome> soak(const Options& options) {
  auto started = bench::BenchWall::start(
      {.size = kWall, .columns = kColumns, .rows = kRows, .relays = kPath, .log_to_file = true});
  if (!started) return started.error();
  bench::BenchWall& wall = **started;
  const auto stills = bench::StillWindows::open(wall.manager_address(), kStills, kWall, "raw");
  if (!stills) return stills.error();
  Outcome outcome;
  outcome.processes = {{"manager", wall.manager(), {}}};
  for (const auto& [source, option] : kStreams) {
    const auto sender = wall.start_program(
        "bplay", {source, option, "--manager", wall.manager_address(), "--quiet"});
    if (!sender) return sender.error();
    outcome.processes.push_back({"senders", *sender, {}});
  }
  const auto marked = wall.start_program(
      "marked_streams",
      {"--manager", wall.manager_address(), fmt::format("--windows={}", kMarked),
       fmt::format("--streams={}", kMarked / 2), fmt::format("--width={}", kWall.width),
       fmt::format("--height={}", kWall.height)});
  if (!marked) return marked.error();
  outcome.processes.push_back({"senders", *marked, {}});
  for (size_t i = kLostReceivers; i < wall.receivers().size(); ++i) {
    outcome.processes.push_back({"receivers", wall.receivers()[i], {}});
  }
  constexpr size_t kStaying = kStills + std::size(kStreams) + kMarked;
  const auto windows = settled(wall, kStaying);
  if (!windows) return windows.error();
  Changes changes(wall.client(), *windows, options.seed);
  Visitors visitors(wall, options.seed);
  bench::PixelOracle oracle(wall.client(), options.seed);
  Random random(options.seed);
  const double whole_s = options.minutes * 60;
  const int64_t begin_ns = sail::steady_now_ns();
  const auto now = [&] { return static_cast<double>(sail::steady_now_ns() - begin_ns) / 1e9; };
  double next_sample_s = 0;
  double next_look_s = about(0, kPollIntervalS, random) / 4;
  for (double now_s = 0; now_s < whole_s; now_s = now()) {
    while (changes.made() < options.changes * now_s / whole_s) {
      if (auto changed = changes.one(); !changed) return changed.error();
    }
    if (auto turned = visitors.turn(now_s); !turned) return turned.error();
    if (auto well = wall.nobody_has_ended(); !well) return well.error();
    if (now_s >= next_look_s) {
      next_look_s = about(now_s, kPollIntervalS, random);
      const auto all = settled(wall, kStaying + visitors.here());
      if (!all) return all.error();
      if (auto looked = oracle.verify(); !looked) return looked.error();
    }
    if (now_s >= next_sample_s) {
      for (Process& process : outcome.processes) process.look(now_s);
      next_sample_s += whole_s / kSamples;
    }
    if (auto lost = wall.client().wait(kTick.count())) return *lost;
  }
  outcome.changes = changes.made();
  outcome.refused = changes.refused();
  outcome.applications = visitors.came();
  outcome.losses = visitors.losses();
  outcome.seen = oracle.seen();
  if (auto left = visitors.all_leave(); !left) return left.error();
  for (const Process& process : outcome.processes) {
    if (process.kind != "senders") continue;
    if (auto left = wall.end_program(process.pid); !left) return left.error();
  }
  const auto shown = final_pictures(wall, (*stills)->numbers());
  if (!shown) return shown.error();
  outcome.right_pixels = right_pixels(*shown);
  return outcome;
}

// The largest slope among the processes of each kind.
sail::Json slopes(const std::vector<Process>& processes, double Sample::*value) {
  sail::Json by_kind = sail::Json::object();
  for (const Process& process : processes) {
    const double slope = slope_per_hour(process.samples, value);
    by_kind[process.kind] = std::max(by_kind.value(process.kind, slope), slope);
  }
  return by_kind;
}

void print(const Outcome& outcome) {
  fmt::print(
      "{} changes ({} refused), {} receivers killed or left, {} applications came and went\n",
      outcome.changes, outcome.refused, outcome.losses, outcome.applications);
  fmt::print(
      "{} looks at {} pixels: {} wrong; {} looks saw two layouts, {} two frames of a stream, {} "
      "not "
      "all tiles\n",
      outcome.seen.looks, outcome.seen.pixels, outcome.seen.wrong, outcome.seen.torn,
      outcome.seen.mixed, outcome.seen.incomplete);
  fmt::print("{:<12} {:>16} {:>16} {:>14} {:>14}\n", "", "rss_mb", "slope_mb_per_h", "descriptors",
             "slope_per_h");
  for (const Process& process : outcome.processes) {
    const Sample& first = process.samples.front();
    const Sample& last = process.samples.back();
    fmt::print("{:<12} {:>7.1f} → {:>6.1f} {:>16.2f} {:>5} → {:>6} {:>14.2f}\n", process.kind,
               first.rss_mb, last.rss_mb, slope_per_hour(process.samples, &Sample::rss_mb),
               first.descriptors, last.descriptors,
               slope_per_hour(process.samples, &Sample::descriptors));
  }
  fmt::print("The wall shows {} in the end.\n",
             outcome.right_pixels ? "the right pixels" : "WRONG PIXELS");
}

int run(const Options& options) {
  fmt::print("seed {}\n", options.seed);
  std::fflush(stdout);
  const auto outcome = soak(options);
  if (!outcome) {
    fmt::print(stderr, "bench: {}\n", outcome.error().message);
    return 1;
  }
  print(*outcome);
  if (!options.json_file.empty()) {
    const sail::Json reported = {
        {"soak_minutes", options.minutes},
        {"soak_seed", options.seed},
        {"soak_changes", outcome->changes},
        {"soak_receivers_lost", outcome->losses},
        {"soak_applications", outcome->applications},
        {"soak_looks", outcome->seen.looks},
        {"soak_looks_torn", outcome->seen.torn},
        {"soak_looks_mixed", outcome->seen.mixed},
        {"soak_looks_incomplete", outcome->seen.incomplete},
        {"soak_pixels", outcome->seen.pixels},
        {"soak_pixels_wrong", outcome->seen.wrong},
        {"soak_right_pixels", outcome->right_pixels},
        {"rss_slope_mb_per_hour", slopes(outcome->processes, &Sample::rss_mb)},
        {"fd_slope", slopes(outcome->processes, &Sample::descriptors)}};
    std::ofstream(options.json_file) << reported.dump(2) << "\n";
  }
  return outcome->right_pixels && outcome->seen.wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line(
      "scripts/bench soak",
      "Changes a wall of 4×2 tiles with ten streams all the time, while four of its receivers are "
      "killed or leave and come back, applications come and go, and packets are lost, all at "
      "random; looks at its pixels at random instants. Tells how memory and descriptors of those "
      "that live through it grow (the slopes without the first fifth of the time), and fails when "
      "one of them ends, a pixel is not what the layout says, or the wall does not show the right "
      "pixels in the end.");
  Options options;
  line.option("--minutes", options.minutes).between(0.01, 10000.0).shows_default();
  line.option("--changes", options.changes, "Spread over that time")
      .between(1, 10'000'000)
      .shows_default();
  line.option("--seed", options.seed, "Of all that is random").shows_default();
  line.option("--json", options.json_file, "Write the figures to this file, too");
  if (const auto answer = line.read(argc, argv)) return answer->say();
  return run(options);
}
