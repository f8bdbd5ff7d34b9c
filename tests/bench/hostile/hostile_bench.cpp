// scripts/bench hostile: effects of attacks on a playing film, and on a client that connects.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "sail/core/command_line/command_line.h"
#include "sail/core/text/json.h"
#include "sail/core/time/clock.h"
#include "tests/bench/hostile/attacks.h"
#include "tests/bench/link/stream_run.h"
#include "tests/bench/pictures/process_usage.h"
#include "tests/bench/wall/bench_wall.h"

namespace {

constexpr int kFps = 30;
constexpr int kWarmUpStats = 3;  // statistics reports of the film
constexpr int64_t kPollIntervalMs = 200;
constexpr int64_t kWaitTimeoutMs = 15'000;     // of the client that measures
constexpr int64_t kAdmissionTimeoutMs = 5000;  // counts as that long
constexpr auto kComeEvery = std::chrono::milliseconds(100);

// Goals for the wall.
constexpr int kGoalFps = 29;
constexpr double kGoalAdmittedMs = 500;
constexpr double kGoalKeptMb = 8;  // kept by allocators in any case

struct Options {
  sail::Size size{1920, 1080};
  std::string only;
  double seconds = 10;
  double settle_seconds = 10;
  int addresses = 1;
  std::string json_file;
};

struct Figures {
  double fps_shown_min = 1e9;
  uint64_t frames_lost = 0;
  double new_ui_admitted_ms_p95 = 0;
  double rss_growth_mb = 0;
  double rss_kept_mb = 0;
  uint64_t log_lines = 0;
  double attacker_cpu_pct = 0;         // percent of one core
  std::optional<std::string> silence;  // why a client got no more answers

  bool as_wanted() const {
    // Counted over about a second: whole frames of an inexact second.
    return !silence && std::lround(fps_shown_min) >= kGoalFps && frames_lost == 0 &&
           new_ui_admitted_ms_p95 <= kGoalAdmittedMs && rss_kept_mb <= kGoalKeptMb;
  }
};

sail::Json to_json(const Figures& figures) {
  if (figures.silence) return {{"silence", *figures.silence}};
  return {{"fps_shown_min", figures.fps_shown_min},
          {"frames_lost", figures.frames_lost},
          {"new_ui_admitted_ms_p95", figures.new_ui_admitted_ms_p95},
          {"rss_growth_mb", figures.rss_growth_mb},
          {"rss_kept_mb", figures.rss_kept_mb},
          {"log_lines", figures.log_lines},
          {"attacker_cpu_pct", figures.attacker_cpu_pct}};
}

double wall_rss_mb(const bench::BenchWall& wall) {
  return bench::rss_mb(wall.manager()) + bench::rss_mb(wall.receivers());
}

uint64_t lines_of(const std::string& file) {
  std::ifstream in(file);
  return static_cast<uint64_t>(
      std::count(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>(), '\n'));
}

// Connects new clients again and again, on a separate thread.
class Arrivals {
 public:
  explicit Arrivals(const sail::Address& manager)
      : thread_([this, manager] {
          while (!ended_) {
            const int64_t begin_ns = sail::steady_now_ns();
            const auto client =
                sail::RpcClient::connect(manager, {.timeout_ms = kAdmissionTimeoutMs});
            const auto took_ms = static_cast<double>(sail::steady_now_ns() - begin_ns) / 1e6;
            admitted_ms_.push_back(client ? took_ms : double{kAdmissionTimeoutMs});
            std::this_thread::sleep_for(kComeEvery);
          }
        }) {}
  ~Arrivals() {
    if (thread_.joinable()) admitted_ms();
  }
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // Ends the thread.
  const std::vector<double>& admitted_ms() {
    ended_ = true;
    thread_.join();
    return admitted_ms_;
  }

 private:
  std::atomic<bool> ended_{false};
  std::vector<double> admitted_ms_;
  std::thread thread_;
};

// The film's last reported statistics; null before the first report.
sail::Result<sail::Json> film_stats(bench::BenchWall& wall) {
  const auto answer = wall.client().call("stats", sail::Json::object(), kWaitTimeoutMs);
  if (!answer) return answer.error();
  const sail::Json& windows = (*answer)["windows"];
  return windows.empty() ? sail::Json() : windows[0].value("stats", sail::Json());
}

sail::Result<sail::Json> warm_up(bench::BenchWall& wall) {
  sail::Json last;
  int reported = 0;
  for (const int64_t begin_ns = sail::steady_now_ns(); reported < kWarmUpStats;) {
    if (sail::steady_now_ns() - begin_ns > kWaitTimeoutMs * 1'000'000) {
      return sail::fail(sail::ErrorCode::kTimeout, "the film does not play");
    }
    auto stats = film_stats(wall);
    if (!stats) return stats;
    if (!stats->is_null() && *stats != last) ++reported;
    last = std::move(*stats);
    if (auto lost = wall.client().wait(kPollIntervalMs)) return *lost;
  }
  return last;
}

// Observes for this time: the lowest frame rate of a second, and the peak memory.
sail::Result<void> look_on(bench::BenchWall& wall, double seconds, const sail::Json& before,
                           double rss_before_mb, Figures& figures) {
  const int64_t begin_ns = sail::steady_now_ns();
  sail::Json last = before;
  const auto look = [&]() -> sail::Result<void> {
    if (auto lost = wall.client().wait(kPollIntervalMs)) return *lost;
    const auto stats = film_stats(wall);
    if (!stats) return stats.error();
    if (!stats->is_null() && *stats != last) {
      figures.fps_shown_min = std::min(figures.fps_shown_min, stats->value("fps_shown", 0.0));
      last = *stats;
    }
    figures.rss_growth_mb = std::max(figures.rss_growth_mb, wall_rss_mb(wall) - rss_before_mb);
    return {};
  };
  while (static_cast<double>(sail::steady_now_ns() - begin_ns) / 1e9 < seconds) {
    if (auto looked = look(); !looked) return looked;
  }
  // Waits for the report of the last second.
  for (const sail::Json reported = last; last == reported;) {
    if (auto looked = look(); !looked) return looked;
  }
  figures.frames_lost =
      last.value("frames_dropped", uint64_t{0}) - before.value("frames_dropped", uint64_t{0});
  return {};
}

// attack: null for a run without an attack, for comparison.
sail::Result<Figures> measure(const Options& options, const bench::NamedAttack* attack) {
  auto started =
      bench::BenchWall::start({.size = options.size, .columns = 2, .rows = 2, .log_to_file = true});
  if (!started) return started.error();
  bench::BenchWall& wall = **started;
  const auto film = wall.start_program(
      "bplay", {fmt::format("test:{}x{}@{}", options.size.width, options.size.height, kFps),
                "--manager", wall.manager_address(), "--quiet", "--place",
                fmt::format("0,0,{}x{}", options.size.width, options.size.height)});
  if (!film) return film.error();
  const auto before = warm_up(wall);
  if (!before) return before.error();
  const auto manager = sail::parse_address(wall.manager_address(), {});
  if (!manager) return manager.error();

  Figures figures;
  const double rss_before_mb = wall_rss_mb(wall);
  const uint64_t lines_before = lines_of(wall.log_file());
  const int64_t begin_ns = sail::steady_now_ns();
  std::optional<pid_t> attacker;
  if (attack != nullptr) {
    const auto pid = wall.start_program(
        "attacker", {attack->name, fmt::format("--manager-port={}", manager->port),
                     fmt::format("--data-ports={}", fmt::join(wall.data_ports(), ",")),
                     fmt::format("--seconds={}", options.seconds),
                     fmt::format("--addresses={}", options.addresses)});
    if (!pid) return pid.error();
    attacker = *pid;
  }
  Arrivals arrivals(*manager);
  if (auto looked = look_on(wall, options.seconds, *before, rss_before_mb, figures); !looked) {
    figures.silence = looked.error().message;
    return figures;
  }
  figures.new_ui_admitted_ms_p95 = bench::percentile(arrivals.admitted_ms(), 0.95);
  if (attacker) {
    const double elapsed_s = static_cast<double>(sail::steady_now_ns() - begin_ns) / 1e9;
    figures.attacker_cpu_pct = bench::cpu_ms(*attacker) / elapsed_s / 10;
    wall.end_program(*attacker);
  }
  if (auto lost = wall.client().wait(static_cast<int64_t>(options.settle_seconds * 1000))) {
    return *lost;
  }
  figures.log_lines = lines_of(wall.log_file()) - lines_before;
  figures.rss_kept_mb = wall_rss_mb(wall) - rss_before_mb;
  return figures;
}

constexpr const char kLine[] = "{:<11} {:>13} {:>11} {:>22} {:>13} {:>11} {:>9} {:>16}  {}\n";

void print_row(const char* name, const Figures& figures) {
  if (figures.silence) {
    fmt::print("{:<11} {}\n", name, *figures.silence);
  } else {
    fmt::print(kLine, name, fmt::format("{:.1f}", figures.fps_shown_min), figures.frames_lost,
               fmt::format("{:.0f}", figures.new_ui_admitted_ms_p95),
               fmt::format("{:.1f}", figures.rss_growth_mb),
               fmt::format("{:.1f}", figures.rss_kept_mb), figures.log_lines,
               fmt::format("{:.0f}", figures.attacker_cpu_pct),
               figures.as_wanted() ? "" : "not as wanted");
  }
  std::fflush(stdout);
}

int run(const Options& options) {
  struct Row {
    const char* name;
    const bench::NamedAttack* attack;
  };
  std::vector<Row> rows = {{"nobody", nullptr}};
  for (const bench::NamedAttack& attack : bench::attacks()) rows.push_back({attack.name, &attack});
  if (!options.only.empty()) {
    std::erase_if(rows, [&](const Row& row) { return row.name != options.only; });
  }
  fmt::print(kLine, "", "fps_shown_min", "frames_lost", "new_ui_admitted_ms_p95", "rss_growth_mb",
             "rss_kept_mb", "log_lines", "attacker_cpu_pct", "");
  sail::Json all = sail::Json::object();
  for (const Row& row : rows) {
    const auto figures = measure(options, row.attack);
    if (!figures) {
      fmt::print(stderr, "bench: {}: {}\n", row.name, figures.error().message);
      return 1;
    }
    print_row(row.name, *figures);
    all[row.name] = to_json(*figures);
  }
  if (!options.json_file.empty()) std::ofstream(options.json_file) << all.dump(2) << "\n";
  return 0;
}

std::string footer() {
  std::string text = "What works against it, in turn:\n";
  for (const bench::NamedAttack& attack : bench::attacks()) {
    text += fmt::format("  {:<11} {}\n", attack.name, attack.what);
  }
  return text + fmt::format(
                    "\nWanted: at least {} frames in each second, none lost, a new client within "
                    "{:g} ms,\nand memory (of manager and receivers) given back but for {:g} MB.",
                    kGoalFps, kGoalAdmittedMs, kGoalKeptMb);
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line(
      "scripts/bench hostile",
      "Plays a film of 30 fps on a wall of 2×2 tiles while, one after the other, this and that "
      "works against the wall, each time on a new one.");
  line.notes(footer());
  Options options;
  std::string size = "1920x1080";
  line.option("--size", size, "Of film and wall").shows_default();
  line.option("--seconds", options.seconds, "That each works against it")
      .between(0.1, 3600.0)
      .shows_default();
  line.option("--settle", options.settle_seconds, "Seconds until memory is looked at again")
      .between(0.0, 3600.0)
      .shows_default();
  line.option("--only", options.only, "This one alone; nobody: none, to compare with")
      .check([](const std::string& name) -> std::string {
        if (name == "nobody" || bench::attack_named(name) != nullptr) return {};
        return "there is no attack '" + name + "'";
      });
  line.option("--addresses", options.addresses, "That connections against it come from")
      .between(1, 200)
      .shows_default();
  line.option("--json", options.json_file, "Write the figures to this file, too");
  if (const auto answer = line.read(argc, argv)) return answer->say();
  if (std::sscanf(size.c_str(), "%dx%d", &options.size.width, &options.size.height) != 2) {
    fmt::print(stderr, "bench: --size is WxH\n");
    return 1;
  }
  return run(options);
}
