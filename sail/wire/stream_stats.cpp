// "stream_stats": a stream's figures and those of its links.
#include <limits>
#include <utility>

#include "sail/wire/control_fields.h"
#include "sail/wire/control_messages.h"

namespace sail {
namespace {

using namespace control_fields;

Json drops_json(const DropCounts& dropped) {
  return {{"superseded", dropped.superseded},
          {"old_epoch", dropped.old_epoch},
          {"incomplete", dropped.incomplete},
          {"hidden", dropped.hidden},
          {"lost", dropped.lost},
          {"unsent", dropped.unsent}};
}

DropCounts read_drops(JsonFields& stats) {
  if (!stats.has("dropped")) return {};
  JsonFields fields(stats.object("dropped"), "stream_stats: dropped");
  DropCounts dropped;
  dropped.superseded = counter(fields, "superseded");
  dropped.old_epoch = counter(fields, "old_epoch");
  dropped.incomplete = counter(fields, "incomplete");
  dropped.hidden = counter(fields, "hidden");
  dropped.lost = counter(fields, "lost");
  dropped.unsent = counter(fields, "unsent");
  if (auto error = fields.finish_open()) stats.mistake(*std::move(error));
  return dropped;
}

void add_packets(const LinkStats& link, Json& json) {
  const LinkCounters& counters = link.counters;
  json.update({{"delay_ms", link.delay_ms},
               {"queue_ms", link.queue_ms},
               {"jitter_ms", link.jitter_ms},
               {"fec_pct", link.fec_pct},
               {"bytes_parity", link.bytes_parity},
               {"packets_sent", link.packets_sent},
               {"packets_arrived", counters.packets},
               {"bytes_arrived", counters.bytes},
               {"packets_lost", counters.lost},
               {"packets_reordered", counters.reordered},
               {"packets_duplicated", counters.duplicated},
               {"packets_late", counters.late},
               {"mended_fec", counters.mended_fec},
               {"mended_retransmit", counters.mended_retransmit},
               {"socket_full", counters.socket_full},
               {"frames_lost", counters.frames_lost},
               {"bursts", counters.bursts}});
}

Json link_json(const LinkStats& link) {
  Json json{{"receiver", link.receiver},     {"transport", transport_name(link.transport)},
            {"mbit_per_s", link.mbit_per_s}, {"limit_mbit_per_s", link.limit_mbit_per_s},
            {"rtt_ms", link.rtt_ms},         {"busy_pct", link.busy_pct},
            {"bytes_sent", link.bytes_sent}, {"packets_retransmitted", link.retransmitted},
            {"reduction", link.reduction}};
  if (link.transport == Transport::kUdp) add_packets(link, json);
  return json;
}

void read_bursts(JsonFields& fields, LinkCounters& counters) {
  const Json& bursts = fields.array("bursts", kBurstClasses);
  bool good = bursts.size() == kBurstClasses;
  for (size_t i = 0; good && i < kBurstClasses; ++i) {
    const auto count = whole_number(bursts[i], 0, std::numeric_limits<uint32_t>::max());
    good = count.has_value();
    counters.bursts[i] = static_cast<uint32_t>(count.value_or(0));
  }
  if (!good) {
    fields.mistake("bursts", fmt::format("must be {} whole numbers of 32 bits", kBurstClasses));
  }
}

void read_packets(JsonFields& fields, LinkStats& link) {
  link.delay_ms = measure(fields, "delay_ms");
  link.queue_ms = measure(fields, "queue_ms");
  link.jitter_ms = measure(fields, "jitter_ms");
  link.fec_pct = fields.number("fec_pct", 0, kMaxPercent);
  link.bytes_parity = counter(fields, "bytes_parity");
  link.packets_sent = counter(fields, "packets_sent");
  LinkCounters& counters = link.counters;
  counters.packets = counter(fields, "packets_arrived");
  counters.bytes = counter(fields, "bytes_arrived");
  counters.lost = counter(fields, "packets_lost");
  counters.reordered = counter(fields, "packets_reordered");
  counters.duplicated = counter(fields, "packets_duplicated");
  counters.late = counter(fields, "packets_late");
  counters.mended_fec = counter(fields, "mended_fec");
  counters.mended_retransmit = counter(fields, "mended_retransmit");
  counters.socket_full = counter(fields, "socket_full");
  counters.frames_lost = counter(fields, "frames_lost");
  read_bursts(fields, counters);
}

Result<LinkStats> read_link(const Json& value, const std::string& where) {
  JsonFields fields(value, where);
  LinkStats link;
  link.receiver = name(fields, "receiver", kMaxNameLength);
  link.transport = read_transport(fields, "transport");
  link.mbit_per_s = measure(fields, "mbit_per_s");
  link.limit_mbit_per_s = measure(fields, "limit_mbit_per_s");
  link.rtt_ms = measure(fields, "rtt_ms");
  link.busy_pct = optional_percent(fields, "busy_pct");
  link.bytes_sent = counter(fields, "bytes_sent");
  link.retransmitted = counter(fields, "packets_retransmitted");
  link.reduction = reduction(fields, "reduction");
  if (link.transport == Transport::kUdp) read_packets(fields, link);
  return checked(fields, std::move(link));
}

std::vector<LinkStats> read_links(JsonFields& fields) {
  if (!fields.has("links")) return {};
  auto links = list(fields, "links", kMaxTiles, "stream_stats", read_link);
  check_distinct(fields, "links", links, [](const LinkStats& link) { return link.receiver; });
  return links;
}

}  // namespace

Json to_json(const StreamStats& stats) {
  return {{"stream", stats.stream},
          {"frames_submitted", stats.frames_submitted},
          {"frames_sent", stats.frames_sent},
          {"frames_shown", stats.frames_shown},
          {"frames_dropped", stats.frames_dropped},
          {"frames_skipped", stats.frames_skipped},
          {"bytes_sent", stats.bytes_sent},
          {"fps_wanted", stats.fps_wanted},
          {"fps_submitted", stats.fps_submitted},
          {"fps_encoded", stats.fps_encoded},
          {"fps_shown", stats.fps_shown},
          {"source_ms", stats.source_ms},
          {"encode_ms", stats.encode_ms},
          {"mbit_per_s", stats.mbit_per_s},
          {"latency_ms_p50", stats.latency_ms_p50},
          {"latency_ms_p99", stats.latency_ms_p99},
          {"skew_us_p50", stats.skew_us_p50},
          {"skew_us_p99", stats.skew_us_p99},
          {"delay_ms", stats.delay_ms},
          {"dropped", drops_json(stats.dropped)},
          {"links", list_json(stats.links, link_json)}};
}

Result<StreamStats> stream_stats_from_json(const Json& params) {
  JsonFields fields(params, "stream_stats");
  StreamStats stats;
  stats.stream = stream_number(fields, "stream");
  stats.frames_submitted = counter(fields, "frames_submitted");
  stats.frames_sent = counter(fields, "frames_sent");
  stats.frames_shown = counter(fields, "frames_shown");
  stats.frames_dropped = counter(fields, "frames_dropped");
  stats.frames_skipped = optional_counter(fields, "frames_skipped");
  stats.bytes_sent = counter(fields, "bytes_sent");
  stats.fps_wanted = optional_measure(fields, "fps_wanted");
  stats.fps_submitted = optional_measure(fields, "fps_submitted");
  stats.fps_encoded = optional_measure(fields, "fps_encoded");
  stats.fps_shown = measure(fields, "fps_shown");
  stats.source_ms = optional_measure(fields, "source_ms");
  stats.encode_ms = optional_measure(fields, "encode_ms");
  stats.mbit_per_s = measure(fields, "mbit_per_s");
  stats.latency_ms_p50 = measure(fields, "latency_ms_p50");
  stats.latency_ms_p99 = measure(fields, "latency_ms_p99");
  stats.skew_us_p50 = measure(fields, "skew_us_p50");
  stats.skew_us_p99 = measure(fields, "skew_us_p99");
  stats.delay_ms = optional_measure(fields, "delay_ms");
  stats.dropped = read_drops(fields);
  stats.links = read_links(fields);
  return checked(fields, std::move(stats));
}

}  // namespace sail
