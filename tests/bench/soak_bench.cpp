// scripts/bench soak: a wall that is changed all the time, whose receivers are killed and whose
// applications come and go: what it keeps of all that.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sail/base/clock.h"
#include "sail/command_line/command_line.h"
#include "sail/wire/json.h"
#include "tests/bench/bench_wall.h"
#include "tests/bench/process_usage.h"
#include "tests/bench/still_windows.h"
#include "ui/wall_picture.h"

namespace {

constexpr sail::Size kWall{1920, 1080};
constexpr size_t kStills = 12;
constexpr size_t kKilledReceivers = 2;  // of four: the others live through it all
constexpr double kKillEveryS = 20;
constexpr double kVisitorEveryS = 10;
constexpr double kVisitorStaysS = 15;
constexpr double kSamples = 100;
constexpr double kWarmUp = 0.2;  // of the time: of what memory grows then no slope is made
constexpr auto kTick = std::chrono::milliseconds(5);
constexpr int kPictureTries = 100;
constexpr int64_t kPictureEveryMs = 100;

struct Options {
  double minutes = 10;
  int changes = 5000;
  std::string json_file;
};

struct Sample {
  double at_s = 0;
  double rss_mb = 0;
  size_t descriptors = 0;
};

// A process that lives through it all.
struct Process {
  std::string name;
  pid_t pid = 0;
  std::vector<Sample> samples;

  void look(double now_s) {
    samples.push_back({now_s, bench::rss_mb(pid), bench::descriptors(pid)});
  }
};

// Least squares.
double slope_kb_per_minute(const std::vector<Sample>& samples, double from_s) {
  double count = 0;
  double sum_t = 0;
  double sum_mb = 0;
  double sum_tt = 0;
  double sum_tmb = 0;
  for (const Sample& sample : samples) {
    if (sample.at_s < from_s) continue;
    count += 1;
    sum_t += sample.at_s;
    sum_mb += sample.rss_mb;
    sum_tt += sample.at_s * sample.at_s;
    sum_tmb += sample.at_s * sample.rss_mb;
  }
  const double spread = count * sum_tt - sum_t * sum_t;
  if (spread <= 0) return 0;
  return (count * sum_tmb - sum_t * sum_mb) / spread * 60 * 1000;
}

// Changes of all kinds to windows that stay.
class Changes {
 public:
  Changes(sail::RpcClient& client, std::vector<uint32_t> windows)
      : client_(client), windows_(std::move(windows)) {}

  // An error: nobody answers any more.
  sail::Result<void> one() {
    const uint32_t window = windows_[random_() % windows_.size()];
    const auto [verb, params] = next(window);
    const auto answer = client_.call(verb, params);
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
  std::mt19937 random_{1};
  int made_ = 0;
  int refused_ = 0;
};

// Applications that come and go.
class Visitors {
 public:
  explicit Visitors(bench::BenchWall& wall) : wall_(wall) {}

  sail::Result<void> turn(double now_s) {
    while (!here_.empty() && now_s - here_.front().since_s > kVisitorStaysS) {
      wall_.end_program(here_.front().pid);
      here_.pop_front();
    }
    if (now_s < came_ * kVisitorEveryS) return {};
    const auto pid = wall_.start_program(
        "bplay", {"test:320x180@15", "--manager", wall_.manager_address(), "--quiet"});
    if (!pid) return pid.error();
    here_.push_back({*pid, now_s});
    ++came_;
    return {};
  }
  void all_leave() {
    for (const Visitor& visitor : here_) wall_.end_program(visitor.pid);
    here_.clear();
  }
  int came() const { return came_; }

 private:
  struct Visitor {
    pid_t pid;
    double since_s;
  };
  bench::BenchWall& wall_;
  std::deque<Visitor> here_;
  int came_ = 0;
};

// The stills one over the other, some partly off the wall; what the tiles show of them.
sail::Result<ui::WallPicture> final_picture(bench::BenchWall& wall,
                                            const std::vector<uint32_t>& windows) {
  sail::Json places = sail::Json::array();
  for (size_t i = 0; i < windows.size(); ++i) {
    const int step = static_cast<int>(i);
    places.push_back(
        {{"window", windows[i]}, {"rect", {step * 150 - 100, step * 80 - 50, 401 + step, 300}}});
  }
  auto placed = wall.client().call("place", {{"windows", places}});
  for (size_t i = 0; placed && i < windows.size(); ++i) {
    placed = wall.client().call("raise", {{"window", windows[i]}});
  }
  if (!placed) return placed.error();
  for (int i = 0; i < kPictureTries; ++i) {
    const auto state = wall.client().call("list", sail::Json::object());
    if (!state) return state.error();
    if (state->value("settled", false) && state->value("total", size_t{0}) == windows.size()) break;
    if (auto lost = wall.client().wait(kPictureEveryMs)) return *lost;
  }
  const auto tiles = ui::take_tile_pictures(wall.client());
  if (!tiles) return tiles.error();
  return ui::wall_picture(*tiles);
}

sail::Result<ui::WallPicture> fresh_picture() {
  auto wall = bench::BenchWall::start({.size = kWall, .log_to_file = true});
  if (!wall) return wall.error();
  const auto stills = bench::StillWindows::open((*wall)->manager_address(), kStills, kWall);
  if (!stills) return stills.error();
  return final_picture(**wall, (*stills)->numbers());
}

struct Outcome {
  std::vector<Process> processes;
  int changes = 0;
  int refused = 0;
  int kills = 0;
  int applications = 0;
  bool same_picture = false;
};

sail::Result<Outcome> soak(const Options& options) {
  auto started = bench::BenchWall::start({.size = kWall, .log_to_file = true});
  if (!started) return started.error();
  bench::BenchWall& wall = **started;
  const auto stills = bench::StillWindows::open(wall.manager_address(), kStills, kWall);
  if (!stills) return stills.error();
  const auto film = wall.start_program(
      "bplay", {"test:640x360@30", "--manager", wall.manager_address(), "--quiet"});
  if (!film) return film.error();

  Outcome outcome;
  outcome.processes = {{"manager", wall.manager(), {}}, {"film", *film, {}}};
  for (size_t i = kKilledReceivers; i < wall.receivers().size(); ++i) {
    outcome.processes.push_back({fmt::format("receiver {}", i + 1), wall.receivers()[i], {}});
  }
  Changes changes(wall.client(), (*stills)->numbers());
  Visitors visitors(wall);
  const double whole_s = options.minutes * 60;
  const int64_t begin_ns = sail::steady_now_ns();
  const auto now = [&] { return static_cast<double>(sail::steady_now_ns() - begin_ns) / 1e9; };
  double next_sample_s = 0;
  double next_kill_s = std::min(kKillEveryS, whole_s / 2);
  for (double now_s = 0; now_s < whole_s; now_s = now()) {
    while (changes.made() < options.changes * now_s / whole_s) {
      if (auto changed = changes.one(); !changed) return changed.error();
    }
    if (auto turned = visitors.turn(now_s); !turned) return turned.error();
    if (now_s >= next_kill_s) {
      const size_t which = static_cast<size_t>(outcome.kills++) % kKilledReceivers;
      if (auto back = wall.replace_receiver(which); !back) {
        return back.error();
      }
      next_kill_s += kKillEveryS;
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
  visitors.all_leave();
  wall.end_program(*film);
  const auto shown = final_picture(wall, (*stills)->numbers());
  if (!shown) return shown.error();
  const auto fresh = fresh_picture();
  if (!fresh) return fresh.error();
  outcome.same_picture = shown->missing.empty() && fresh->missing.empty() &&
                         shown->size == fresh->size && shown->pixels == fresh->pixels;
  return outcome;
}

int run(const Options& options) {
  const auto outcome = soak(options);
  if (!outcome) {
    fmt::print(stderr, "bench: {}\n", outcome.error().message);
    return 1;
  }
  fmt::print("{} changes ({} refused), {} receivers killed, {} applications came and went\n",
             outcome->changes, outcome->refused, outcome->kills, outcome->applications);
  fmt::print("{:<12} {:>16} {:>14} {:>19}\n", "", "rss_mb", "slope_kb_per_min", "descriptors");
  sail::Json processes = sail::Json::object();
  const double from_s = options.minutes * 60 * kWarmUp;
  for (const Process& process : outcome->processes) {
    const Sample& first = process.samples.front();
    const Sample& last = process.samples.back();
    const double slope = slope_kb_per_minute(process.samples, from_s);
    fmt::print("{:<12} {:>7.1f} → {:>6.1f} {:>14.1f} {:>10} → {:>6}\n", process.name, first.rss_mb,
               last.rss_mb, slope, first.descriptors, last.descriptors);
    processes[process.name] = {{"rss_mb", {first.rss_mb, last.rss_mb}},
                               {"slope_kb_per_min", slope},
                               {"descriptors", {first.descriptors, last.descriptors}}};
  }
  fmt::print("The wall shows {} that a new one does in the end.\n",
             outcome->same_picture ? "exactly the pixels" : "OTHER PIXELS than those");
  if (!options.json_file.empty()) {
    std::ofstream(options.json_file) << sail::Json{{"changes", outcome->changes},
                                                   {"refused", outcome->refused},
                                                   {"kills", outcome->kills},
                                                   {"applications", outcome->applications},
                                                   {"same_picture", outcome->same_picture},
                                                   {"processes", processes}}
                                            .dump(2)
                                     << "\n";
  }
  return outcome->same_picture ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line(
      "scripts/bench soak",
      "Changes a wall of 2×2 tiles all the time, while two of its receivers are killed in turn, "
      "every 20 s, and applications come and go. Tells how memory and descriptors of those that "
      "live through it grow (the slope without the first fifth of the time), and fails when the "
      "wall does not show in the end what a new one shows.");
  Options options;
  line.option("--minutes", options.minutes).between(0.01, 10000.0).shows_default();
  line.option("--changes", options.changes, "Spread over that time")
      .between(1, 10'000'000)
      .shows_default();
  line.option("--json", options.json_file, "Write the figures to this file, too");
  if (const auto answer = line.read(argc, argv)) return answer->say();
  return run(options);
}
