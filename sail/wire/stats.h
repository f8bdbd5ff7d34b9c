// What applications and receivers measure and tell once a second, for people, programs and logs:
// of streams, of the ways to their receivers, of what receivers do, and of clocks. Counters count
// from the beginning, the other values describe the last second. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/system_clock.h"
#include "sail/wire/json_fields.h"
#include "sail/wire/link_trouble.h"
#include "sail/wire/packets.h"
#include "sail/wire/transport.h"

namespace sail {

// The way of a stream's frames to one receiver; its counters count from the connection's start.
struct LinkStats {
  std::string receiver{};
  Transport transport = Transport::kTcp;
  double mbit_per_s = 0;        // handed to the network, UDP and IP headers not counted
  double limit_mbit_per_s = 0;  // what the link is thought to carry; 0: no limit was met (UDP)
  double busy_pct = 0;          // of the last second in which bytes waited for the network (TCP)
  double rtt_ms = 0;
  double delay_ms = 0;                 // one way, mean (UDP)
  double queue_ms = 0;                 // what of it is above the least of ten seconds (UDP)
  double jitter_ms = 0;                // (UDP)
  double fec_pct = 0;                  // parity, of the frames' bytes (UDP)
  int reduction = 0;                   // halvings of the picture on account of the link
  uint64_t bytes_sent = 0;             // on the wire, parity and repetitions too
  uint64_t bytes_parity = 0;           // of them (UDP)
  uint64_t packets_sent = 0;           // (UDP)
  uint64_t packets_retransmitted = 0;  // (TCP: segments, by the system)
  double held_up_ms = 0;               // that the others waited for it, a frame, mean
  uint64_t left_behind = 0;            // times that they did not any more, by these routes
  // Why frames do not get through, for how long, and what the system or the receiver said.
  LinkTrouble trouble = LinkTrouble::kNone;
  double trouble_s = 0;
  std::string trouble_text{};
  // The stream's transport, where the link had to take another one since no packet got through.
  std::optional<Transport> instead_of{};
  LinkCounters counters{};  // the receiver's (UDP)

  bool operator==(const LinkStats&) const = default;
};
// Visits the members of several structs side by side: sail_link_stats has these members, too.
template <typename Visit, typename... Link>
void link_figures(Visit& visit, bool over_udp, Link&... link) {
  visit("mbit_per_s", kMeasure, link.mbit_per_s...);
  visit("limit_mbit_per_s", kMeasure, link.limit_mbit_per_s...);
  visit("busy_pct", optional(kPercent), link.busy_pct...);
  visit("rtt_ms", kMeasure, link.rtt_ms...);
  if (over_udp) {
    visit("delay_ms", kMeasure, link.delay_ms...);
    visit("queue_ms", kMeasure, link.queue_ms...);
    visit("jitter_ms", kMeasure, link.jitter_ms...);
    visit("fec_pct", kPercent, link.fec_pct...);
  }
  visit("reduction", optional(kReduction), link.reduction...);
  visit("bytes_sent", kCount, link.bytes_sent...);
  if (over_udp) {
    visit("bytes_parity", kCount, link.bytes_parity...);
    visit("packets_sent", kCount, link.packets_sent...);
  }
  visit("packets_retransmitted", kCount, link.packets_retransmitted...);
}
void fields(auto& visit, Of<LinkStats> auto& link) {
  visit("receiver", kName, link.receiver);
  visit("transport", kTransports, link.transport);
  const bool over_udp = link.transport == Transport::kUdp;
  link_figures(visit, over_udp, link);
  visit("held_up_ms", optional(kMeasure), link.held_up_ms);
  visit("left_behind", optional(kCount), link.left_behind);
  visit("trouble", sparse(kLinkTroubles), link.trouble);
  visit("trouble_s", sparse(kTroubleSeconds), link.trouble_s);
  visit("trouble_text", sparse(Text{kMaxTroubleText}), link.trouble_text);
  visit("instead_of", kTransports, link.instead_of);
  if (!over_udp) return;
  link_counters(visit, link.counters);
  visit("bursts", Numbers32(), link.counters.bursts);
}

// Frames dropped, by cause.
struct DropCounts {
  uint64_t superseded = 0;  // a later one was shown in its place
  uint64_t old_epoch = 0;   // routed for a layout that is no longer shown
  uint64_t incomplete = 0;  // it builds on a frame that was lost
  uint64_t hidden = 0;      // no tile shows the window
  uint64_t lost = 0;        // packets were lost and not mended in time
  uint64_t unsent = 0;      // receivers or links had not kept up: it was never sent everywhere

  bool operator==(const DropCounts&) const = default;
};
void fields(auto& visit, Of<DropCounts> auto& dropped) {
  visit("superseded", kCount, dropped.superseded);
  visit("old_epoch", kCount, dropped.old_epoch);
  visit("incomplete", kCount, dropped.incomplete);
  visit("hidden", kCount, dropped.hidden);
  visit("lost", kCount, dropped.lost);
  visit("unsent", kCount, dropped.unsent);
}

// "stream_stats", notification by applications; counters since the stream's start.
struct StreamStats {
  static constexpr const char* kMethod = "stream_stats";

  uint32_t stream = 0;
  uint64_t frames_submitted = 0;
  uint64_t frames_sent = 0;
  uint64_t frames_shown = 0;    // on every receiver of its routing map
  uint64_t frames_dropped = 0;  // at the sender or at any receiver
  uint64_t frames_skipped = 0;  // let go by the application, too late to be handed over
  uint64_t bytes_sent = 0;
  // From what the application would show to what is shown.
  double fps_wanted = 0;  // 0: nothing moves, or nobody knows
  double fps_submitted = 0;
  double fps_encoded = 0;
  double fps_shown = 0;
  double source_ms = 0;  // that the application took for a frame: reading, decoding, drawing
  double encode_ms = 0;  // that SAIL took for a frame
  double mbit_per_s = 0;
  double latency_ms_p50 = 0;  // submit → swapped on the last tile
  double latency_ms_p99 = 0;
  double skew_us_p50 = 0;  // first → last tile's swap
  double skew_us_p99 = 0;
  double delay_ms = 0;   // from submission, before which no receiver has a frame ready; 0: none
  DropCounts dropped{};  // frames_dropped by cause
  std::vector<LinkStats> links{};
};
void fields(auto& visit, Of<StreamStats> auto& stats) {
  visit("stream", kStreamNumber, stats.stream);
  visit("frames_submitted", kCount, stats.frames_submitted);
  visit("frames_sent", kCount, stats.frames_sent);
  visit("frames_shown", kCount, stats.frames_shown);
  visit("frames_dropped", kCount, stats.frames_dropped);
  visit("frames_skipped", optional(kCount), stats.frames_skipped);
  visit("bytes_sent", kCount, stats.bytes_sent);
  visit("fps_wanted", optional(kMeasure), stats.fps_wanted);
  visit("fps_submitted", optional(kMeasure), stats.fps_submitted);
  visit("fps_encoded", optional(kMeasure), stats.fps_encoded);
  visit("fps_shown", kMeasure, stats.fps_shown);
  visit("source_ms", optional(kMeasure), stats.source_ms);
  visit("encode_ms", optional(kMeasure), stats.encode_ms);
  visit("mbit_per_s", kMeasure, stats.mbit_per_s);
  visit("latency_ms_p50", kMeasure, stats.latency_ms_p50);
  visit("latency_ms_p99", kMeasure, stats.latency_ms_p99);
  visit("skew_us_p50", kMeasure, stats.skew_us_p50);
  visit("skew_us_p99", kMeasure, stats.skew_us_p99);
  visit("delay_ms", optional(kMeasure), stats.delay_ms);
  visit("dropped", optional(Object()), stats.dropped);
  visit("links", optional(objects(kMaxTiles, &LinkStats::receiver)), stats.links);
}

// What a receiver that plays sound tells of it.
struct SoundStats {
  std::string trouble{};  // why nothing is heard; empty: it is
  uint64_t skipped = 0;   // messages whose samples came too late, too early or twice
  double off_ms = 0;      // the most that what was heard was off its time, of the last second

  bool operator==(const SoundStats&) const = default;
};
void fields(auto& visit, Of<SoundStats> auto& sound) {
  visit("trouble", sparse(Text{kMaxCloseText}), sound.trouble);
  visit("skipped", kCount, sound.skipped);
  visit("off_ms", kMeasure, sound.off_ms);
}

enum class RefreshSource : uint8_t {
  kTold,       // by the display's mode: a rate, nobody knows when
  kMeasured,   // by the driver, or swaps that waited for it
  kSimulated,  // a display in memory that was told to have one
};
constexpr Choice<RefreshSource, 3> kRefreshSources{{{RefreshSource::kTold, "told"},
                                                    {RefreshSource::kMeasured, "measured"},
                                                    {RefreshSource::kSimulated, "simulated"}}};

// When a tile's display begins its pictures.
struct RefreshStats {
  std::string tile{};
  RefreshSource source = RefreshSource::kTold;
  int64_t period_ns = 0;
  int64_t at_ns = 0;  // of one lately, wall time; of a refresh that is only told: 0

  bool operator==(const RefreshStats&) const = default;
};
void fields(auto& visit, Of<RefreshStats> auto& refresh) {
  visit("tile", kName, refresh.tile);
  visit("source", kRefreshSources, refresh.source);
  visit("period_ns", kTimeNs, refresh.period_ns);
  visit("at_ns", kTimeNs, refresh.at_ns);
}

// How many datagrams of a host a receiver refused.
constexpr size_t kMaxRefusedSenders = 8;
struct RefusedSender {
  std::string host{};
  uint64_t packets = 0;

  bool operator==(const RefusedSender&) const = default;
};
void fields(auto& visit, Of<RefusedSender> auto& sender) {
  visit("host", FilledText{64}, sender.host);
  visit("packets", kCount, sender.packets);
}

// "receiver_stats", notification by receivers; counters since its start.
struct ReceiverStats {
  static constexpr const char* kMethod = "receiver_stats";

  uint64_t frames_shown = 0;
  uint64_t frames_dropped = 0;
  uint64_t bytes_received = 0;
  uint64_t sessions_refused = 0;  // data connections ended for bad bytes
  uint64_t packets_refused = 0;   // datagrams of no stream, or that make no sense
  // Of these, by host; of more hosts than there is room for nothing is told.
  std::vector<RefusedSender> packets_refused_from{};
  uint64_t blocks_concealed = 0;      // unreadable: shown as they were in the frame before
  double render_ms = 0;               // mean
  double render_peak_ms = 0;          // the slowest lately
  double paint_pct = 0;               // of the second that was spent painting
  double decode_ms = 0;               // of a frame that needs it, mean
  double decode_pct = 0;              // of the second that was spent decoding
  double clock_error_us = 0;          // bound of the clock's error
  std::optional<SoundStats> sound{};  // of those that play any
  // Of each tile whose display has one that is known.
  std::vector<RefreshStats> refresh{};
};
void fields(auto& visit, Of<ReceiverStats> auto& stats) {
  visit("frames_shown", kCount, stats.frames_shown);
  visit("frames_dropped", kCount, stats.frames_dropped);
  visit("bytes_received", kCount, stats.bytes_received);
  visit("sessions_refused", kCount, stats.sessions_refused);
  visit("packets_refused", optional(kCount), stats.packets_refused);
  visit("packets_refused_from", sparse(objects(kMaxRefusedSenders, &RefusedSender::host)),
        stats.packets_refused_from);
  visit("blocks_concealed", optional(kCount), stats.blocks_concealed);
  visit("render_ms", kMeasure, stats.render_ms);
  visit("render_peak_ms", optional(kMeasure), stats.render_peak_ms);
  visit("paint_pct", optional(kPercent), stats.paint_pct);
  visit("decode_ms", optional(kMeasure), stats.decode_ms);
  visit("decode_pct", optional(kPercent), stats.decode_pct);
  visit("clock_error_us", kMeasure, stats.clock_error_us);
  visit("sound", Object(), stats.sound);
  visit("refresh", sparse(objects(kMaxTiles, &RefreshStats::tile)), stats.refresh);
}

constexpr Choice<ClockSource, 2> kClockSources{
    {{ClockSource::kManager, "manager"}, {ClockSource::kSystem, "system"}}};

// "clock_stats", notification by applications and receivers: how well they know wall time.
struct ClockStats {
  static constexpr const char* kMethod = "clock_stats";

  ClockSource source = ClockSource::kManager;
  bool synchronised = true;  // system: somebody sets it, and says so
  // The manager's clock − ours: the steady one, or the system's where that is wall time.
  double offset_us = 0;
  double drift_ppm = 0;      // how much that grows
  double error_us = 0;       // bound of wall time's error
  double round_trip_us = 0;  // of the last exchange
  double age_s = 0;          // since that
};
void fields(auto& visit, Of<ClockStats> auto& stats) {
  constexpr Real kOffsetUs{-1e16, 1e16};
  constexpr Real kDriftPpm{-1e6, 1e6};
  visit("source", kClockSources, stats.source);
  visit("synchronised", Flag(), stats.synchronised);
  visit("offset_us", kOffsetUs, stats.offset_us);
  visit("drift_ppm", kDriftPpm, stats.drift_ppm);
  visit("error_us", kMeasure, stats.error_us);
  visit("round_trip_us", kMeasure, stats.round_trip_us);
  visit("age_s", kMeasure, stats.age_s);
}

}  // namespace sail
