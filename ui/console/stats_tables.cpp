#include "ui/console/stats_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "ui/answers.h"
#include "ui/console/tables.h"

namespace ui {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::array<std::string_view, 9> kBars = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr const char* kAboutBursts =
    "BURSTS: how often 1, 2, 3–4, 5–8, 9–16, 17–32, 33–64 and more packets were lost in a row";

double number_of(const sail::Json& object, const char* name) {
  const auto it = object.find(name);
  return it != object.end() && it->is_number() ? it->get<double>() : 0;
}

// Milliseconds of a network, which may be a hundredth of one.
std::string fine_text(const sail::Json& object, const char* name) {
  const auto it = object.find(name);
  return it != object.end() && it->is_number() ? fmt::format("{:.2f}", it->get<double>()) : "–";
}

std::string lost_pct(const sail::Json& link) {
  const double lost = number_of(link, "packets_lost");
  const double all = lost + number_of(link, "packets_arrived");
  return all > 0 ? fmt::format("{:.3f}", 100 * lost / all) : "–";
}

std::vector<std::string> stream_row(const sail::Json& window) {
  const sail::Json stats = member(window, "stats");
  return {text_of(window, "window"),
          text_of(window, "transport"),
          text_of(member(window, "health"), "state"),
          text_of(stats, "fps_shown"),
          number_of(stats, "fps_wanted") > 0 ? text_of(stats, "fps_wanted") : "–",
          text_of(stats, "mbit_per_s"),
          text_of(stats, "frames_shown"),
          text_of(stats, "frames_skipped"),
          text_of(stats, "frames_dropped"),
          text_of(stats, "delay_ms"),
          text_of(stats, "latency_ms_p50"),
          text_of(stats, "latency_ms_p99"),
          text_of(stats, "skew_us_p50"),
          text_of(stats, "skew_us_p99"),
          text_of(window, "title")};
}

std::string troubles_of(const sail::Json& windows) {
  std::string text;
  for (const sail::Json& window : windows) {
    const std::string state = text_member(member(window, "health"), "state");
    if (state == "slow" || state == "bad") text += "\n" + why_text(window);
  }
  return text;
}

void add_drops(const sail::Json& window, Rows& rows) {
  const sail::Json stats = member(window, "stats");
  if (number_of(stats, "frames_dropped") == 0) return;
  const sail::Json dropped = member(stats, "dropped");
  rows.push_back({text_of(window, "window"), text_of(dropped, "unsent"), text_of(dropped, "lost"),
                  text_of(dropped, "incomplete"), text_of(dropped, "superseded"),
                  text_of(dropped, "old_epoch"), text_of(dropped, "hidden")});
}

std::vector<std::string> link_row(const sail::Json& window, const sail::Json& link) {
  const bool limited = number_of(link, "limit_mbit_per_s") > 0;
  return {text_of(window, "window"),
          text_of(link, "receiver"),
          text_of(link, "transport"),
          text_of(link, "mbit_per_s"),
          limited ? text_of(link, "limit_mbit_per_s") : "–",
          text_of(link, "busy_pct"),
          fine_text(link, "rtt_ms"),
          fine_text(link, "delay_ms"),
          fine_text(link, "queue_ms"),
          fine_text(link, "jitter_ms"),
          text_of(link, "fec_pct"),
          text_of(link, "packets_retransmitted"),
          text_of(link, "reduction")};
}

std::vector<std::string> packet_row(const sail::Json& window, const sail::Json& link) {
  return {text_of(window, "window"),
          text_of(link, "receiver"),
          text_of(link, "packets_sent"),
          text_of(link, "packets_lost"),
          lost_pct(link),
          text_of(link, "mended_fec"),
          text_of(link, "mended_retransmit"),
          text_of(link, "packets_late"),
          text_of(link, "packets_reordered"),
          text_of(link, "socket_full"),
          text_of(link, "frames_lost"),
          bars(member(link, "bursts"))};
}

std::vector<std::string> receiver_row(const sail::Json& receiver) {
  const sail::Json counters = member(receiver, "stats");
  const auto bytes = counters.find("bytes_received");
  return {text_of(receiver, "name"),
          true_member(receiver, "connected") ? "connected" : "away",
          text_of(counters, "frames_shown"),
          text_of(counters, "frames_dropped"),
          bytes != counters.end() && bytes->is_number()
              ? fmt::format("{:.1f}", bytes->get<double>() / 1e6)
              : "–",
          text_of(counters, "render_ms"),
          text_of(counters, "paint_pct"),
          text_of(counters, "decode_ms"),
          text_of(counters, "decode_pct"),
          text_of(counters, "clock_error_us")};
}

// Below what is there; nothing when it has but its heading.
void append(std::string& text, const Rows& rows) {
  if (rows.size() > 1) text += "\n\n" + table(rows);
}

}  // namespace

std::string bars(const sail::Json& counts) {
  std::string text;
  for (const sail::Json& count : counts) {
    if (!count.is_number()) return {};
    const double number = count.get<double>();
    // 1 is the lowest bar, from 10^7 on it is full.
    const double height = number < 1 ? 0 : std::min(1 + std::floor(std::log10(number)), 8.0);
    text += kBars[static_cast<size_t>(height)];
  }
  return text;
}

std::string why_text(const sail::Json& window) {
  return fmt::format("window {} “{}”: {}", text_of(window, "window"), text_of(window, "title"),
                     text_of(member(window, "health"), "sentence"));
}

std::string health_text(const sail::Json& health) {
  std::string text;
  for (const sail::Json& problem : member(health, "problems")) {
    text += (text.empty() ? "" : "\n") + text_member(problem, "sentence");
  }
  return text.empty() ? text_member(health, "sentence") : text;
}

std::string stats_text(const sail::Json& stats) {
  Rows streams = {{"WINDOW", "VIA", "STATE", "FPS", "OF", "MBIT/S", "SHOWN", "SKIPPED", "DROPPED",
                   "DELAY MS", "LATENCY MS P50", "P99", "SKEW US P50", "P99", "TITLE"}};
  Rows drops = {
      {"WINDOW", "DROPPED: UNSENT", "LOST", "INCOMPLETE", "SUPERSEDED", "OLD LAYOUT", "HIDDEN"}};
  Rows links = {{"WINDOW", "RECEIVER", "VIA", "MBIT/S", "LIMIT", "BUSY %", "RTT MS", "DELAY MS",
                 "QUEUE MS", "JITTER MS", "FEC %", "RESENT", "HALVED"}};
  Rows packets = {{"WINDOW", "RECEIVER", "PACKETS", "LOST", "%", "MENDED: FEC", "RESENT", "LATE",
                   "REORDERED", "SOCKET FULL", "FRAMES LOST", "BURSTS"}};
  for (const sail::Json& window : member(stats, "windows")) {
    streams.push_back(stream_row(window));
    add_drops(window, drops);
    for (const sail::Json& link : member(member(window, "stats"), "links")) {
      links.push_back(link_row(window, link));
      if (text_member(link, "transport") == "udp") packets.push_back(packet_row(window, link));
    }
  }
  Rows receivers = {{"RECEIVER", "STATE", "SHOWN", "DROPPED", "MB RECEIVED", "PAINT MS", "PAINT %",
                     "DECODE MS", "DECODE %", "CLOCK ± US"}};
  for (const sail::Json& receiver : member(stats, "receivers")) {
    receivers.push_back(receiver_row(receiver));
  }
  std::string text = table(streams);
  const std::string troubles = troubles_of(member(stats, "windows"));
  if (!troubles.empty()) text += "\n" + troubles;
  append(text, drops);
  append(text, links);
  append(text, packets);
  if (packets.size() > 1) text += fmt::format("\n{}", kAboutBursts);
  return text + "\n\n" + table(receivers);
}

}  // namespace ui
