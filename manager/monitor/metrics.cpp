// Writes metrics in the Prometheus text format.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "manager/desk/desk.h"
#include "manager/monitor/figures.h"
#include "manager/peers/peers.h"
#include "manager/peers/webhooks.h"
#include "sail/core/text/fields.h"

namespace manager {
namespace {

constexpr double kMsPerS = 1e3;
constexpr double kUsPerS = 1e6;
constexpr double kPercent = 100;

// Escapes the value of a label.
std::string escaped(std::string_view text) {
  std::string value;
  for (const char letter : text) {
    if (letter == '\\' || letter == '"') value += '\\';
    value += letter;
  }
  return value;
}

class Text {
 public:
  // Begins a metric; its samples follow.
  void metric(const char* name, const char* type, const char* help) {
    name_ = name;
    text_ += fmt::format("# HELP vitrail_{0} {1}\n# TYPE vitrail_{0} {2}\n", name, help, type);
  }
  void sample(double value) { text_ += fmt::format("vitrail_{} {}\n", name_, value); }
  void sample(const char* label, std::string_view of, double value) {
    text_ += fmt::format("vitrail_{}{{{}=\"{}\"}} {}\n", name_, label, escaped(of), value);
  }
  void sample(const char* label, std::string_view of, const char* other, std::string_view of_other,
              double value) {
    text_ += fmt::format("vitrail_{}{{{}=\"{}\",{}=\"{}\"}} {}\n", name_, label, escaped(of), other,
                         escaped(of_other), value);
  }
  std::string take() { return std::move(text_); }

 private:
  const char* name_ = "";
  std::string text_;
};

void streams_text(Text& text, const sail::StreamStats& sums) {
  const auto counter = [&](const char* name, const char* help, uint64_t value) {
    text.metric(name, "counter", help);
    text.sample(static_cast<double>(value));
  };
  counter("frames_submitted_total", "Frames that applications submitted.", sums.frames_submitted);
  counter("frames_shown_total", "Frames shown on all tiles of their windows.", sums.frames_shown);
  counter("frames_skipped_total", "Frames that applications skipped: late, missing or damaged.",
          sums.frames_skipped);
  counter("sent_bytes_total", "Bytes of pixel blocks sent to receivers.", sums.bytes_sent);
  text.metric("frames_dropped_total", "counter", "Frames that were not shown, by cause.");
  const auto visit = [&](const char* cause, const auto&, const uint64_t& frames) {
    text.sample("cause", cause, static_cast<double>(frames));
  };
  fields(visit, sums.dropped);
}

void windows_text(Text& text, const Desk& desk) {
  double latency_p50_ms = 0;
  double latency_p99_ms = 0;
  double skew_p99_us = 0;
  std::map<Grade, int> grades;
  std::map<Cause, int> causes;
  for (const Window& window : desk.windows().bottom_to_top()) {
    ++grades[window.health.grade()];
    ++causes[window.health.diagnosis().cause];
    if (!window.stats) continue;
    latency_p50_ms = std::max(latency_p50_ms, window.stats->latency_ms_p50);
    latency_p99_ms = std::max(latency_p99_ms, window.stats->latency_ms_p99);
    skew_p99_us = std::max(skew_p99_us, window.stats->skew_us_p99);
  }
  text.metric("windows", "gauge", "Windows on the wall, by state.");
  for (const Grade grade : {Grade::kWell, Grade::kSlow, Grade::kBad}) {
    text.sample("state", grade_name(grade), grades[grade]);
  }
  text.metric("windows_by_cause", "gauge", "Windows on the wall, by cause of their state.");
  for (const Cause cause : all_causes()) text.sample("cause", cause_code(cause), causes[cause]);
  text.metric("slowest_latency_seconds", "gauge",
              "Time from submission to the last tile, of the slowest window.");
  text.sample("percentile", "50", latency_p50_ms / kMsPerS);
  text.sample("percentile", "99", latency_p99_ms / kMsPerS);
  text.metric("largest_skew_seconds", "gauge",
              "Time from the first tile's swap to the last tile's, of the worst window.");
  text.sample("percentile", "99", skew_p99_us / kUsPerS);
  const Director::Counters& layouts = desk.director().counters();
  text.metric("layouts_total", "counter", "Layouts shown.");
  text.sample(static_cast<double>(layouts.layouts));
  text.metric("layouts_timed_out_total", "counter",
              "Layouts shown before all applications had submitted a frame for them.");
  text.sample(static_cast<double>(layouts.layouts_timed_out));
}

// Writes a metric with one sample for each receiver that has the value.
template <typename Value>
void receivers_metric(Text& text, const ReceiverRoster& receivers, const char* name,
                      const char* type, const char* help, Value value) {
  text.metric(name, type, help);
  for (const ReceiverEntry& receiver : receivers.all()) {
    if (const std::optional<double> sample = value(receiver)) {
      text.sample("receiver", receiver.name, *sample);
    }
  }
}

void receivers_text(Text& text, const ReceiverRoster& receivers) {
  receivers_metric(text, receivers, "receiver_connected", "gauge",
                   "1 if the receiver is connected, else 0.",
                   [](const ReceiverEntry& receiver) -> std::optional<double> {
                     return receiver.connected() ? 1 : 0;
                   });
  receivers_metric(text, receivers, "receiver_starts_total", "counter",
                   "Starts of the receiver by this manager.",
                   [](const ReceiverEntry& receiver) -> std::optional<double> {
                     if (!receiver.run) return std::nullopt;
                     return receiver.run->starts;
                   });
  struct Figure {
    const char* name;
    const char* type;
    const char* help;
    double (*value)(const sail::ReceiverStats& stats);
  };
  using Stats = sail::ReceiverStats;
  constexpr Figure kFigures[] = {
      {"receiver_frames_shown_total", "counter", "Frames that the receiver showed.",
       [](const Stats& stats) { return static_cast<double>(stats.frames_shown); }},
      {"receiver_frames_dropped_total", "counter", "Frames that the receiver dropped.",
       [](const Stats& stats) { return static_cast<double>(stats.frames_dropped); }},
      {"receiver_received_bytes_total", "counter", "Bytes received at the data port.",
       [](const Stats& stats) { return static_cast<double>(stats.bytes_received); }},
      {"receiver_refused_sessions_total", "counter",
       "Data connections closed because of invalid data.",
       [](const Stats& stats) { return static_cast<double>(stats.sessions_refused); }},
      {"receiver_refused_packets_total", "counter",
       "Datagrams refused because they are invalid or belong to no open stream.",
       [](const Stats& stats) { return static_cast<double>(stats.packets_refused); }},
      {"receiver_concealed_blocks_total", "counter",
       "Pixel blocks concealed because they could not be decoded.",
       [](const Stats& stats) { return static_cast<double>(stats.blocks_concealed); }},
      {"receiver_lost_decoders_total", "counter",
       "Decoder processes of carried streams that ended or hung.",
       [](const Stats& stats) { return static_cast<double>(stats.decoders_lost); }},
      {"receiver_painting_ratio", "gauge", "Share of the last second spent painting.",
       [](const Stats& stats) { return stats.paint_pct / kPercent; }},
      {"receiver_decoding_ratio", "gauge", "Share of the last second spent decoding.",
       [](const Stats& stats) { return stats.decode_pct / kPercent; }},
      {"receiver_display_ok", "gauge",
       "0 if the receiver's display does not answer or shows tiles at a wrong place, else 1.",
       [](const Stats& stats) {
         return stats.display && !stats.display->trouble.empty() ? 0. : 1.;
       }},
      {"receiver_clock_error_seconds", "gauge", "Upper bound of the receiver's clock error.",
       [](const Stats& stats) { return stats.clock_error_us / kUsPerS; }},
  };
  for (const Figure& figure : kFigures) {
    receivers_metric(text, receivers, figure.name, figure.type, figure.help,
                     [&figure](const ReceiverEntry& receiver) -> std::optional<double> {
                       if (!receiver.connected() || !receiver.stats) return std::nullopt;
                       return figure.value(*receiver.stats);
                     });
  }
}

void refused_senders_text(Text& text, const ReceiverRoster& receivers) {
  text.metric("receiver_refused_packets_by_sender_total", "counter",
              "Refused datagrams, by sending host.");
  for (const ReceiverEntry& receiver : receivers.all()) {
    if (!receiver.connected() || !receiver.stats) continue;
    for (const sail::RefusedSender& sender : receiver.stats->packets_refused_from) {
      text.sample("receiver", receiver.name, "sender", sender.host,
                  static_cast<double>(sender.packets));
    }
  }
}

void peers_text(Text& text, const Peers& peers) {
  std::map<std::string_view, int> roles = {{"application", 0}, {"receiver", 0}, {"ui", 0}};
  for (const auto& [id, peer] : peers.service().peers()) {
    if (peer->role()) ++roles[sail::role_name(*peer->role())];
  }
  text.metric("peers", "gauge", "Connections of the control protocol, by role.");
  for (const auto& [role, count] : roles) text.sample("role", role, count);
  text.metric("refused_total", "counter", "Connections and requests refused, by cause.");
  const sail::RpcService::Refused& refused = peers.service().refused();
  text.sample("cause", "unproven", static_cast<double>(refused.unproven));
  text.sample("cause", "limited", static_cast<double>(refused.limited));
  text.sample("cause", "other", static_cast<double>(refused.other));
}

// Returns the numbers of /proc/self/stat by their field number in proc(5).
std::map<int, double> process_stat() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  // Field 2 is the program's name in parentheses and may contain any character.
  std::istringstream rest(line.substr(std::min(line.size(), line.rfind(')') + 4)));
  std::map<int, double> fields;
  double value = 0;
  for (int number = 4; rest >> value; ++number) fields[number] = value;
  return fields;
}

double boot_time_s() {
  std::ifstream file("/proc/stat");
  std::string word;
  double seconds = 0;
  while (file >> word) {
    if (word == "btime" && file >> seconds) break;
  }
  return seconds;
}

}  // namespace

std::string metrics_text(const StreamTotals& streams, const Desk& desk, const Peers& peers,
                         const WallHealth& health) {
  Text text;
  text.metric("build_info", "gauge", "The manager's version.");
  text.sample("version", VITRAIL_VERSION, 1);
  text.metric("wall_state", "gauge", "1 for the current state of the wall, 0 for other states.");
  for (const Grade grade : {Grade::kWell, Grade::kSlow, Grade::kBad}) {
    text.sample("state", grade_name(grade), health.grade() == grade ? 1 : 0);
  }
  text.metric("term", "gauge", "The manager's term, which each takeover by a standby increases.");
  text.sample(static_cast<double>(peers.term()));
  text.metric("standby_connected", "gauge", "1 while a standby manager is connected, else 0.");
  text.sample(peers.standby().empty() ? 0 : 1);
  windows_text(text, desk);
  streams_text(text, streams.sums());
  peers_text(text, peers);
  receivers_text(text, peers.receivers());
  refused_senders_text(text, peers.receivers());
  return text.take();
}

std::string webhook_metrics_text(const Webhooks& webhooks) {
  struct Figure {
    const char* name;
    const char* type;
    const char* help;
    int64_t sail::WebhookState::*value;
  };
  using State = sail::WebhookState;
  constexpr Figure kFigures[] = {
      {"webhook_delivered_total", "counter", "Reports that the webhook's server has taken.",
       &State::delivered},
      {"webhook_failed_total", "counter", "Reports given up after all attempts.", &State::failed},
      {"webhook_dropped_total", "counter",
       "Reports dropped because too many waited or the webhook is disabled.", &State::dropped},
      {"webhook_waiting", "gauge", "Reports that wait.", &State::waiting},
  };
  Text text;
  if (webhooks.states().empty()) return "";
  for (const Figure& figure : kFigures) {
    text.metric(figure.name, figure.type, figure.help);
    for (const State& state : webhooks.states()) {
      text.sample("webhook", state.name, static_cast<double>(state.*figure.value));
    }
  }
  return text.take();
}

std::string process_metrics_text() {
  constexpr int kUserTicks = 14;
  constexpr int kSystemTicks = 15;
  constexpr int kStartTicks = 22;
  constexpr int kResidentPages = 24;
  auto stat = process_stat();
  const auto ticks_a_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  std::error_code error;
  const auto descriptors =
      std::distance(std::filesystem::directory_iterator("/proc/self/fd", error), {});
  const auto lines = [](const char* name, const char* type, const char* help, double value) {
    return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type, value);
  };
  return lines("process_cpu_seconds_total", "counter", "CPU time used.",
               (stat[kUserTicks] + stat[kSystemTicks]) / ticks_a_second) +
         lines("process_resident_memory_bytes", "gauge", "Memory in use.",
               stat[kResidentPages] * static_cast<double>(sysconf(_SC_PAGESIZE))) +
         lines("process_open_fds", "gauge", "Open file descriptors.",
               static_cast<double>(descriptors)) +
         lines("process_start_time_seconds", "gauge", "Start time since 1970.",
               boot_time_s() + stat[kStartTicks] / ticks_a_second);
}

}  // namespace manager
