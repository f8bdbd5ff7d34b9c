#include "ui/console/stats_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "ui/client/answers.h"

namespace ui {
namespace {

using sail::Json;

constexpr std::array<std::string_view, 9> kBars = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr const char* kAboutBursts =
    "BURSTS: how often 1, 2, 3–4, 5–8, 9–16, 17–32, 33–64 and more packets were lost in a row";
constexpr const char* kAboutMemory =
    "FAIR: of memory shared by processes, only this process's part. HUGE: in huge pages.\n"
    "ALLOCATED: in use, by malloc; KEPT: freed, but not returned to the system. RESERVED: the\n"
    "most that streams may need";
constexpr const char* kAboutPhases =
    "PHASE: delay of a display's refresh after the first display with the same rate; only genlock\n"
    "removes the delay";

double number_of(const Json& object, const char* name) {
  const auto it = object.find(name);
  return it != object.end() && it->is_number() ? it->get<double>() : 0;
}

// --- columns ------------------------------------------------------------------------------------

// A table column. By default `text` formats a field of the figures; a column may instead format a
// field of their owner, a window or receiver.
struct Column {
  const char* heading;
  const char* field;
  std::string (*text)(const Json& owner, const Json& figures, const char* name) =
      [](const Json&, const Json& figures, const char* name) { return text_of(figures, name); };
};

std::string of_owner(const Json& owner, const Json&, const char* field) {
  return text_of(owner, field);
}

std::string state(const Json& window, const Json&, const char* field) {
  return text_of(member(window, "health"), field);
}

std::string connected(const Json& receiver, const Json&, const char* field) {
  return true_member(receiver, field) ? "connected" : "away";
}

std::string unless_zero(const Json&, const Json& figures, const char* field) {
  return number_of(figures, field) > 0 ? text_of(figures, field) : "–";
}

// Formats the transport in use. Adds the transport that the stream asked for, if it is another one,
// or the multicast group, or memory that the receiver reads in place of the network.
std::string via(const Json&, const Json& figures, const char* field) {
  const std::string wanted = text_member(figures, "instead_of");
  if (true_member(figures, "multicast")) return text_of(figures, field) + " (multicast)";
  if (true_member(figures, "shared_memory")) return text_of(figures, field) + " (memory)";
  return text_of(figures, field) + (wanted.empty() ? "" : fmt::format(" (no {})", wanted));
}

std::string wall_time(const Json&, const Json& figures, const char* field) {
  const std::string source = text_of(figures, field);
  return true_member(figures, "synchronised") ? source : source + ", not synchronised";
}

// Converts microseconds to ms. Unlike other columns the value may be as large as years.
std::string offset_ms(const Json&, const Json& figures, const char* field) {
  return fmt::format("{:+.3f}", number_of(figures, field) / 1e3);
}

std::string drift(const Json&, const Json& figures, const char* field) {
  return fmt::format("{:+.2f}", number_of(figures, field));
}

// Milliseconds with two decimals; network times may be as short as 0.01 ms.
std::string fine(const Json&, const Json& figures, const char* field) {
  const auto it = figures.find(field);
  return it != figures.end() && it->is_number() ? fmt::format("{:.2f}", it->get<double>()) : "–";
}

std::string megabytes(const Json&, const Json& figures, const char* field) {
  const auto it = figures.find(field);
  return it != figures.end() && it->is_number() ? fmt::format("{:.1f}", it->get<double>() / 1e6)
                                                : "–";
}

std::string lost_pct(const Json&, const Json& link, const char* field) {
  const double lost = number_of(link, field);
  const double all = lost + number_of(link, "packets_arrived");
  return all > 0 ? fmt::format("{:.3f}", 100 * lost / all) : "–";
}

std::string bursts(const Json&, const Json& link, const char* field) {
  return bars(member(link, field));
}

constexpr Column kStreams[] = {{"WINDOW", "window", of_owner},
                               {"VIA", "transport", of_owner},
                               {"STATE", "state", state},
                               {"FPS", "fps_shown"},
                               {"OF", "fps_wanted", unless_zero},
                               {"MBIT/S", "mbit_per_s"},
                               {"SHOWN", "frames_shown"},
                               {"SKIPPED", "frames_skipped"},
                               {"DROPPED", "frames_dropped"},
                               {"DELAY MS", "delay_ms"},
                               {"LATENCY MS P50", "latency_ms_p50"},
                               {"P99", "latency_ms_p99"},
                               {"SKEW US P50", "skew_us_p50"},
                               {"P99", "skew_us_p99"},
                               {"TITLE", "title", of_owner}};
// A level of 0 to 1 in decibels of the loudest that a sound card can play.
std::string decibels(const Json&, const Json& level, const char* field) {
  const double value = number_of(level, field);
  return value > 0 ? fmt::format("{:.0f}", 20 * std::log10(value)) : "–";
}

constexpr Column kLevels[] = {{"WINDOW", "window", of_owner},
                              {"SOUND: PEAK DB", "peak", decibels},
                              {"RMS DB", "rms", decibels},
                              {"TITLE", "title", of_owner}};
constexpr Column kDrops[] = {
    {"WINDOW", "window", of_owner}, {"DROPPED: UNSENT", "unsent"}, {"LOST", "lost"},
    {"INCOMPLETE", "incomplete"},   {"SUPERSEDED", "superseded"},  {"OLD LAYOUT", "old_epoch"},
    {"HIDDEN", "hidden"},           {"FROZEN", "frozen"}};
constexpr Column kLinks[] = {{"WINDOW", "window", of_owner},
                             {"RECEIVER", "receiver"},
                             {"VIA", "transport", via},
                             {"MBIT/S", "mbit_per_s"},
                             {"LIMIT", "limit_mbit_per_s", unless_zero},
                             {"BUSY %", "busy_pct"},
                             {"RTT MS", "rtt_ms", fine},
                             {"DELAY MS", "delay_ms", fine},
                             {"QUEUE MS", "queue_ms", fine},
                             {"JITTER MS", "jitter_ms", fine},
                             {"FEC %", "fec_pct"},
                             {"RESENT", "packets_retransmitted"},
                             {"HALVED", "reduction"}};
constexpr Column kPackets[] = {{"WINDOW", "window", of_owner},     {"RECEIVER", "receiver"},
                               {"PACKETS", "packets_sent"},        {"LOST", "packets_lost"},
                               {"%", "packets_lost", lost_pct},    {"MENDED: FEC", "mended_fec"},
                               {"RESENT", "mended_retransmit"},    {"LATE", "packets_late"},
                               {"REORDERED", "packets_reordered"}, {"SOCKET FULL", "socket_full"},
                               {"FRAMES LOST", "frames_lost"},     {"BURSTS", "bursts", bursts}};
constexpr Column kReceivers[] = {{"RECEIVER", "name", of_owner},
                                 {"STATE", "connected", connected},
                                 {"SHOWN", "frames_shown"},
                                 {"DROPPED", "frames_dropped"},
                                 {"MB RECEIVED", "bytes_received", megabytes},
                                 {"PAINT MS", "render_ms"},
                                 {"PAINT %", "paint_pct"},
                                 {"DECODE MS", "decode_ms"},
                                 {"DECODE %", "decode_pct"},
                                 {"CLOCK ± US", "clock_error_us"}};

constexpr Column kClocks[] = {{"NAME", "name"},
                              {"ROLE", "role"},
                              {"WALL TIME", "source", wall_time},
                              {"± US", "error_us"},
                              {"OFFSET MS", "offset_us", offset_ms},
                              {"DRIFT PPM", "drift_ppm", drift},
                              {"RTT US", "round_trip_us"},
                              {"AGE S", "age_s"}};

std::string three_digits(const Json&, const Json& figures, const char* field) {
  return fmt::format("{:.3f}", number_of(figures, field));
}

std::string phase_ms(const Json&, const Json& figures, const char* field) {
  return figures.contains(field) ? fmt::format("{:+.3f}", number_of(figures, field) / 1e3) : "–";
}

constexpr Column kProcesses[] = {{"ROLE", "role"},
                                 {"NAME", "name"},
                                 {"PID", "pid"},
                                 {"RESIDENT MB", "resident", megabytes},
                                 {"FAIR MB", "fair", megabytes},
                                 {"HUGE MB", "huge", megabytes},
                                 {"ALLOCATED MB", "allocated", megabytes},
                                 {"KEPT MB", "kept", megabytes},
                                 {"RESERVED MB", "reserved", megabytes},
                                 {"LIMIT MB", "limit", megabytes}};

constexpr Column kDisplays[] = {{"RECEIVER", "receiver"},
                                {"TILE", "tile"},
                                {"REFRESH HZ", "hz", three_digits},
                                {"KNOWN", "source"},
                                {"PHASE MS", "phase_us", phase_ms}};

// --- tables -------------------------------------------------------------------------------------

class Table {
 public:
  explicit Table(std::span<const Column> columns) : columns_(columns) {
    for (const Column& column : columns) rows_.front().emplace_back(column.heading);
  }

  void add(const Json& owner, const Json& figures) {
    std::vector<std::string>& row = rows_.emplace_back();
    for (const Column& column : columns_) row.push_back(column.text(owner, figures, column.field));
  }
  bool empty() const { return rows_.size() == 1; }
  std::string text() const { return table(rows_); }

 private:
  std::span<const Column> columns_;
  std::vector<std::vector<std::string>> rows_{1};  // starts with the heading
};

std::string troubles_of(const Json& windows) {
  std::string text;
  for (const Json& window : windows) {
    const std::string state = text_member(member(window, "health"), "state");
    if (state == "slow" || state == "bad") text += "\n" + why_text(window);
  }
  return text;
}

}  // namespace

std::string bars(const Json& counts) {
  std::string text;
  for (const Json& count : counts) {
    if (!count.is_number()) return {};
    const double number = count.get<double>();
    // The bar's height is the number of digits: 1 is the lowest bar, 10^7 and more is full.
    const double height = number < 1 ? 0 : std::min(1 + std::floor(std::log10(number)), 8.0);
    text += kBars[static_cast<size_t>(height)];
  }
  return text;
}

std::string why_text(const Json& window) {
  const Json health = member(window, "health");
  const std::string codec_reason = text_member(health, "codec_reason");
  return fmt::format("window {} “{}”: {}{}", text_of(window, "window"), text_of(window, "title"),
                     text_of(health, "sentence"), codec_reason.empty() ? "" : "; " + codec_reason);
}

std::string health_text(const Json& health) {
  std::string text;
  for (const Json& problem : member(health, "problems")) {
    text += (text.empty() ? "" : "\n") + text_member(problem, "sentence");
  }
  return text.empty() ? text_member(health, "sentence") : text;
}

std::string stats_text(const Json& stats) {
  Table streams(kStreams);
  Table levels(kLevels);
  Table drops(kDrops);
  Table links(kLinks);
  Table packets(kPackets);
  for (const Json& window : member(stats, "windows")) {
    const Json figures = member(window, "stats");
    streams.add(window, figures);
    if (window.contains("level")) levels.add(window, member(window, "level"));
    if (number_of(figures, "frames_dropped") > 0) drops.add(window, member(figures, "dropped"));
    for (const Json& link : member(figures, "links")) {
      links.add(window, link);
      if (text_member(link, "transport") == "udp") packets.add(window, link);
    }
  }
  Table receivers(kReceivers);
  for (const Json& receiver : member(stats, "receivers")) {
    receivers.add(receiver, member(receiver, "stats"));
  }
  std::string text = streams.text();
  const std::string troubles = troubles_of(member(stats, "windows"));
  if (!troubles.empty()) text += "\n" + troubles;
  for (const Table* table : {&levels, &drops, &links, &packets}) {
    if (!table->empty()) text += "\n\n" + table->text();
  }
  if (!packets.empty()) text += fmt::format("\n{}", kAboutBursts);
  return text + "\n\n" + receivers.text();
}

std::string memory_text(const Json& memory) {
  Table processes(kProcesses);
  for (const Json& process : member(memory, "processes")) processes.add(process, process);
  return fmt::format("{}\n\n{}", processes.text(), kAboutMemory);
}

std::string clocks_text(const Json& clocks) {
  Table peers(kClocks);
  for (const Json& peer : member(clocks, "peers")) peers.add(peer, peer);
  Table displays(kDisplays);
  for (const Json& display : member(clocks, "displays")) displays.add(display, display);
  const bool by_system = text_member(clocks, "source") == "system";
  const bool unset = !true_member(clocks, "synchronised");
  return fmt::format(
      "wall time: {}{}, ± {} µs\n\n{}{}",
      by_system ? "the system clock of the manager's host" : "the manager's clock",
      unset ? ", not synchronised" : "", text_of(clocks, "error_us"), peers.text(),
      displays.empty() ? "" : fmt::format("\n\n{}\n{}", displays.text(), kAboutPhases));
}

}  // namespace ui
