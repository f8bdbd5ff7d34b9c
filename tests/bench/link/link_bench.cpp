// scripts/bench link: one stream to a wall over TCP or UDP, optionally through an impaired network.
// Measures cost, loss, repair and pacing.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "sail/core/command_line/command_line.h"
#include "sail/core/text/json.h"
#include "sail/core/wire/data/packets.h"
#include "tests/bench/hostile/attacks.h"
#include "tests/bench/link/stream_run.h"
#include "tests/bench/pictures/moving_picture.h"
#include "tests/bench/pictures/process_usage.h"
#include "tests/bench/wall/bench_figures.h"
#include "tests/bench/wall/bench_wall.h"

namespace {

using Clock = std::chrono::steady_clock;

// Threads that carry only frames and control messages: SAIL's and the receivers' loop threads.
constexpr const char* kSailThread = "sail-loop";
constexpr const char* kReceiverThread = "receiver-loop";
constexpr double kWarmUpSeconds = 2;
constexpr double kSampleSeconds = 0.5;
// Without impairments the run uses no relay, because a relay has a cost too. Then a short separate
// run with a relay measures the pacing of packets.
constexpr double kTrafficSeconds = 3;
constexpr double kSettleSeconds = 0.5;
constexpr int kSecureTurns = 3;

struct Options {
  bench::StreamSetup stream{.codec = "dxt1:fast", .transport = "udp"};
  int columns = 1;
  int rows = 1;
  std::string impairment;
  std::string schedule;
  double flood_per_second = 0;
  double seconds = 30;
  bool secure = false;
  std::string json_file;
};

struct Counters {
  double at_s = 0;
  double sender_ms = 0;
  double receivers_ms = 0;
  double manager_ms = 0;
  double transport_ms = 0;
  sail_stream_stats stream{};
  uint64_t shown = 0;
  size_t latencies = 0;
};

class Measurement {
 public:
  Measurement(const bench::BenchWall& wall, bench::StreamRun& run)
      : wall_(wall), run_(run), begin_(Clock::now()), last_(look()) {}

  // After each frame: a point of the series now and then, from the stream's first second on.
  void sample_receivers() {
    if (std::chrono::duration<double>(Clock::now() - begin_).count() - last_.at_s <
        kSampleSeconds) {
      return;
    }
    const Counters now = look();
    add_point(now);
    last_ = now;
  }
  // Ends the warm-up and forgets its frames.
  Counters begin() {
    run_.forget();
    return last_ = look();
  }
  Counters look() {
    const bench::Fates& fates = run_.fates();
    return {.at_s = std::chrono::duration<double>(Clock::now() - begin_).count(),
            .sender_ms = bench::cpu_ms(getpid()),
            .receivers_ms = bench::cpu_ms(wall_.receivers()),
            .manager_ms = bench::cpu_ms(wall_.manager()),
            .transport_ms = bench::thread_cpu_ms(getpid(), kSailThread) +
                            bench::thread_cpu_ms(wall_.receivers(), kReceiverThread),
            .stream = run_.stats(),
            .shown = fates.shown,
            .latencies = fates.latency_ms.size()};
  }
  const sail::Json& series() const { return series_; }

 private:
  void add_point(const Counters& now) {
    const double seconds = now.at_s - last_.at_s;
    const auto& latencies = run_.fates().latency_ms;
    const std::vector<double> recent(latencies.begin() + static_cast<ptrdiff_t>(last_.latencies),
                                     latencies.end());
    const auto bytes = static_cast<double>(now.stream.bytes_sent - last_.stream.bytes_sent);
    series_["t_s"].push_back(now.at_s);
    series_["mbit_per_s"].push_back(bytes * 8 / 1e6 / seconds);
    series_["fps_shown"].push_back(static_cast<double>(now.shown - last_.shown) / seconds);
    series_["cpu_sender_pct"].push_back((now.sender_ms - last_.sender_ms) / seconds / 10);
    series_["cpu_receivers_pct"].push_back((now.receivers_ms - last_.receivers_ms) / seconds / 10);
    series_["cpu_manager_pct"].push_back((now.manager_ms - last_.manager_ms) / seconds / 10);
    series_["cpu_transport_pct"].push_back((now.transport_ms - last_.transport_ms) / seconds / 10);
    series_["latency_ms_p50"].push_back(bench::percentile(recent, 0.5));
    series_["latency_ms_p99"].push_back(bench::percentile(recent, 0.99));
  }

  const bench::BenchWall& wall_;
  bench::StreamRun& run_;
  const Clock::time_point begin_;
  Counters last_;
  sail::Json series_ = {{"t_s", sail::Json::array()}};
};

// The manager's statistics of the stream; applications report once a second.
sail::Json told_stats(bench::BenchWall& wall) {
  const auto state = wall.client().call("stats", sail::Json::object());
  if (!state || (*state)["windows"].empty()) return sail::Json::object();
  return (*state)["windows"][0].value("stats", sail::Json::object());
}

double sum_of_links(const sail::Json& stats, const char* name) {
  double sum = 0;
  for (const sail::Json& link : stats.value("links", sail::Json::array())) {
    sum += link.value(name, 0.0);
  }
  return sum;
}

// Growth of the links' counters, and the overhead of all other packets.
sail::Json link_figures(const sail::Json& before, const sail::Json& after) {
  const auto grown = [&](const char* name) {
    return sum_of_links(after, name) - sum_of_links(before, name);
  };
  constexpr auto kPacket =
      static_cast<double>(sail::symbol_bytes_for(sail::kDefaultMtu) + sail::kFramePacketBytes);
  const double packets = grown("packets_sent");
  const double again = grown("packets_retransmitted");
  const double parity_bytes = grown("bytes_parity");
  const double frame_bytes = grown("bytes_sent") - parity_bytes - again * kPacket;
  const auto pct = [](double part, double whole) { return whole == 0 ? 0 : 100 * part / whole; };
  sail::Json figures = {{"packets_sent", packets}, {"packets_retransmitted", again}};
  if (packets == 0) return figures;
  figures.update({{"packets_lost", grown("packets_lost")},
                  {"packets_lost_pct", pct(grown("packets_lost"), packets)},
                  {"packets_mended_fec", grown("mended_fec")},
                  {"packets_mended_retransmit", grown("mended_retransmit")},
                  {"packets_reordered", grown("packets_reordered")},
                  {"packets_duplicated", grown("packets_duplicated")},
                  {"packets_late", grown("packets_late")},
                  {"socket_full", grown("socket_full")},
                  {"fec_overhead_pct", pct(parity_bytes, frame_bytes)},
                  {"overhead_pct", pct(parity_bytes + again * kPacket, frame_bytes)}});
  return figures;
}

std::string relay_schedule(const Options& options) {
  if (options.impairment.empty()) return options.schedule;
  const std::string first = "0s:" + options.impairment;
  return options.schedule.empty() ? first : first + ";" + options.schedule;
}

sail::Result<std::unique_ptr<bench::BenchWall>> start_wall(const Options& options, bool relays) {
  bench::BenchWall::Setup setup{
      .size = options.stream.size, .columns = options.columns, .rows = options.rows};
  if (relays) {
    setup.relays.emplace();
    if (const std::string schedule = relay_schedule(options); !schedule.empty()) {
      *setup.relays = {"--schedule", schedule};
    }
  }
  return bench::BenchWall::start(setup);
}

void add_traffic(const std::map<int64_t, uint64_t>& bytes_by_ms, double seconds,
                 sail::Json& figures) {
  // The warm-up's last frame and the first measured frame follow each other at once.
  const double steady_s = std::max(seconds - kSettleSeconds, seconds / 2);
  const auto steady = bench::last_busy(bytes_by_ms, static_cast<int64_t>(steady_s * 1000));
  const auto by_1ms = bench::bins(steady, 1);
  const auto by_10ms = bench::bins(steady, 10);
  figures["burst_peak_to_mean_1ms"] = bench::peak_to_mean(by_1ms);
  figures["burst_peak_to_mean_10ms"] = bench::peak_to_mean(by_10ms);
  figures["series"]["traffic_bytes_1ms"] = by_1ms;
  figures["series"]["traffic_bytes_10ms"] = by_10ms;
}

sail::Result<sail::Json> measure(const Options& options, const bench::MovingPicture& picture,
                                 bool relays, double seconds) {
  auto started = start_wall(options, relays);
  if (!started) return started.error();
  bench::BenchWall& wall = **started;
  auto opened = bench::StreamRun::open(options.stream, wall, picture);
  if (!opened) return opened.error();
  bench::StreamRun& run = **opened;
  std::optional<bench::Flood> flood;
  if (options.flood_per_second > 0) {
    flood.emplace(wall.data_ports().front(), options.flood_per_second);
  }
  Measurement measurement(wall, run);
  run.submit_for(kWarmUpSeconds, [&] { measurement.sample_receivers(); });

  const sail::Json told_before = told_stats(wall);
  const Counters before = measurement.begin();
  const uint64_t submitted = run.submit_for(seconds, [&] { measurement.sample_receivers(); });
  const Counters after = measurement.look();
  const double rss_sender = bench::rss_mb(getpid());
  const double rss_receivers = bench::rss_mb(wall.receivers());
  const bench::Fates fates = run.all_fates(submitted);
  const sail::Json told_after = told_stats(wall);

  const double elapsed_s = after.at_s - before.at_s;
  const auto frames = static_cast<double>(submitted);
  const auto sent = static_cast<double>(after.stream.frames_sent - before.stream.frames_sent);
  const auto bytes = static_cast<double>(after.stream.bytes_sent - before.stream.bytes_sent);
  const double cpu_ms =
      after.sender_ms - before.sender_ms + after.receivers_ms - before.receivers_ms;
  sail::Json figures = {
      {"fps_sent", sent / elapsed_s},
      {"fps_shown", static_cast<double>(fates.shown) / elapsed_s},
      {"frames_submitted", submitted},
      {"frames_dropped", submitted - fates.shown},
      {"cpu_ms_per_frame_sender", (after.sender_ms - before.sender_ms) / frames},
      {"cpu_ms_per_frame_receivers", (after.receivers_ms - before.receivers_ms) / frames},
      {"cpu_ms_per_frame_manager", (after.manager_ms - before.manager_ms) / frames},
      {"cpu_ms_per_frame_transport", (after.transport_ms - before.transport_ms) / frames},
      {"cpu_ms_per_frame_sent", sent == 0 ? 0 : cpu_ms / sent},
      {"cores_transport", (after.transport_ms - before.transport_ms) / elapsed_s / 1000},
      {"mbit_per_s", bytes * 8 / 1e6 / elapsed_s},
      {"bytes_per_frame", sent > 0 ? bytes / sent : 0},
      {"latency_ms_p50", bench::percentile(fates.latency_ms, 0.50)},
      {"latency_ms_p99", bench::percentile(fates.latency_ms, 0.99)},
      {"skew_us_p50", bench::percentile(fates.skew_us, 0.50)},
      {"skew_us_p99", bench::percentile(fates.skew_us, 0.99)},
      {"rss_mb_sender", rss_sender},
      {"rss_mb_receivers", rss_receivers}};
  if (flood)
    figures["flood_per_second"] = static_cast<double>(flood->sent()) / (elapsed_s + kWarmUpSeconds);
  figures.update(link_figures(told_before, told_after));
  figures["dropped"] = told_after.value("dropped", sail::Json::object());
  figures["series"] = measurement.series();
  opened->reset();
  if (relays) add_traffic(wall.end_relays(), seconds, figures);
  return figures;
}

// Cost of encryption: alternates runs without and with it, so that a noisy machine affects both
// equally. The other figures are from the last run with encryption.
sail::Result<sail::Json> measure_secure(const Options& options, const bench::MovingPicture& picture,
                                        bool relays) {
  sail::Json figures;
  double plain_ms = 0;
  double secure_ms = 0;
  for (int turn = 0; turn < kSecureTurns; ++turn) {
    setenv("VITRAIL_TLS", "never", 1);
    const auto plain = measure(options, picture, relays, options.seconds);
    if (!plain) return plain;
    plain_ms += (*plain)["cpu_ms_per_frame_sent"].get<double>() / kSecureTurns;
    setenv("VITRAIL_TLS", "always", 1);
    auto secure = measure(options, picture, relays, options.seconds);
    if (!secure) return secure;
    secure_ms += (*secure)["cpu_ms_per_frame_sent"].get<double>() / kSecureTurns;
    figures = *std::move(secure);
  }
  figures["cpu_ms_per_frame_sent_plain"] = plain_ms;
  figures["cpu_ms_per_frame_sent_secure"] = secure_ms;
  figures["cpu_ratio_secure"] = secure_ms / plain_ms;
  return figures;
}

void print_table(const Options& options, const sail::Json& figures) {
  const auto& stream = options.stream;
  fmt::print("{}×{} at {:g} fps on {}×{} tiles, {} over {}{}{}\n", stream.size.width,
             stream.size.height, stream.fps, options.columns, options.rows, stream.codec,
             stream.transport, options.impairment.empty() ? "" : ", " + options.impairment,
             options.schedule.empty() ? "" : ", " + options.schedule);
  bench::print_figures(figures);
}

int fail(std::string_view text) {
  fmt::print(stderr, "bench: {}\n", text);
  return 1;
}

int run(const Options& options) {
  const bench::MovingPicture picture(options.stream.size);
  const bool impaired = !options.impairment.empty() || !options.schedule.empty();
  auto figures = options.secure ? measure_secure(options, picture, impaired)
                                : measure(options, picture, impaired, options.seconds);
  if (!figures) return fail(figures.error().message);
  if (!impaired && !options.secure) {
    const double seconds = std::min(kTrafficSeconds, options.seconds);
    const auto traffic = measure(options, picture, true, seconds);
    if (!traffic) return fail(traffic.error().message);
    for (const char* name : {"burst_peak_to_mean_1ms", "burst_peak_to_mean_10ms"}) {
      (*figures)[name] = (*traffic)[name];
    }
    for (const char* name : {"traffic_bytes_1ms", "traffic_bytes_10ms"}) {
      (*figures)["series"][name] = (*traffic)["series"][name];
    }
  }
  print_table(options, *figures);
  if (!options.json_file.empty()) std::ofstream(options.json_file) << figures->dump() << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line(
      "scripts/bench link",
      "Measures one stream over TCP or UDP on this machine. Transport is the CPU time of the loop "
      "threads of SAIL and the receivers, the kernel's part included.");
  Options options;
  std::string size = "3840x2160";
  std::string tiles = "1x1";
  line.option("--transport", options.stream.transport).one_of({"tcp", "udp"}).shows_default();
  line.option("--impair", options.impairment,
              "The way to each receiver, by the names of `vitrail impair`'s options: "
              "loss=1%,burst=8,delay=50ms,jitter=5ms,reorder=0.5%,duplicate=0.1%,rate=800mbit,"
              "seed=7");
  line.option("--schedule", options.schedule,
              "Changes of it, as `vitrail impair --schedule` takes them; from about three seconds "
              "before it is measured");
  line.option("--flood", options.flood_per_second,
              "So many forged and random datagrams a second at the first receiver meanwhile")
      .between(0.0, 1e7)
      .shows_default();
  line.option("--delay-ms", options.stream.delay_ms, "Of the stream; 0: by the link")
      .between(0, 2000)
      .shows_default();
  line.option("--size", size, "Size of the stream and the wall").shows_default();
  line.option("--tiles", tiles, "Columns x rows, one receiver each").shows_default();
  line.option("--codec", options.stream.codec).shows_default();
  line.option("--fps", options.stream.fps).between(1.0, 1000.0).shows_default();
  line.option("--seconds", options.seconds).between(0.1, 3600.0).shows_default();
  line.flag("--secure", options.secure,
            "Encrypted as between machines, and in turns not: what both cost, and their ratio");
  line.option("--json", options.json_file, "Write figures and series to this file, too");
  if (const auto answer = line.read(argc, argv)) return answer->say();
  sail::Size& stream_size = options.stream.size;
  if (!bench::read_pair(size, stream_size.width, stream_size.height) ||
      !bench::read_pair(tiles, options.columns, options.rows) ||
      stream_size.width % options.columns != 0 || stream_size.height % options.rows != 0) {
    return fail("--size and --tiles are WxH, and the tiles must divide the size");
  }
  return run(options);
}
