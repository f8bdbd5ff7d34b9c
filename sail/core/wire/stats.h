// Statistics that applications and receivers report once a second, for people, programs and logs:
// streams, their links to receivers, receivers, clocks, and machines. Counters are cumulative; all
// other values describe the last second. Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/host_load.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/system_clock.h"
#include "sail/core/wall/transport.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

// Reasons why a stream's frames do not reach a receiver, as reported by senders. While a receiver
// has trouble, the others continue without it. The trouble ends when the stream is accepted
// (kRefusedPort, kNoAnswer, kOtherCertificate) or a frame is reported (others).
enum class LinkTrouble : uint8_t {
  kNone,
  kRefusedPort,       // the host or the network refuses connections to the data port
  kNoAnswer,          // the data port or the connection does not respond
  kOtherCertificate,  // the data port shows another certificate than the manager announced
  kClosed,            // the receiver closed the connection or violated the protocol
  kNoDatagrams,       // connected, but UDP packets are not answered
  kNotReady,   // connected, but the receiver reads no frames, or reports none as ready or shown
  kUndecoded,  // the receiver cannot decode the frames
};
constexpr Choice<LinkTrouble, 8> kLinkTroubles{{{LinkTrouble::kNone, "none"},
                                                {LinkTrouble::kRefusedPort, "refused"},
                                                {LinkTrouble::kNoAnswer, "no_answer"},
                                                {LinkTrouble::kOtherCertificate, "certificate"},
                                                {LinkTrouble::kClosed, "closed"},
                                                {LinkTrouble::kNoDatagrams, "no_datagrams"},
                                                {LinkTrouble::kNotReady, "not_ready"},
                                                {LinkTrouble::kUndecoded, "undecoded"}}};

constexpr size_t kMaxTroubleText = 120;  // bytes
constexpr Real kTroubleSeconds{0.001, 1e12};

// Message for people, to follow the receiver's name: the problem and its remedy. `why` is the error
// of the system or the receiver. Empty for kNone.
std::string link_trouble_text(LinkTrouble trouble, const std::string& why);
// Message for a link that fell back to TCP because no packet was answered.
constexpr const char* kTcpInsteadText =
    "does not answer UDP packets, so its frames go over TCP until the stream is reopened: allow "
    "UDP to its data port (`vitrail doctor` tests all ports), then restart the program";

// The link of a stream to one receiver. Counters start with the connection.
struct LinkStats {
  std::string receiver{};
  Transport transport = Transport::kTcp;
  double mbit_per_s = 0;        // sent to the network, without UDP and IP headers
  double limit_mbit_per_s = 0;  // estimated capacity of the link; 0: no limit found (UDP)
  double busy_pct = 0;  // share of the last second in which data waited for the network (TCP)
  double rtt_ms = 0;
  double delay_ms = 0;                 // one-way delay, mean (UDP)
  double queue_ms = 0;                 // queueing: delay above the minimum of ten seconds (UDP)
  double jitter_ms = 0;                // interarrival jitter (UDP)
  double fec_pct = 0;                  // FEC overhead, relative to the frames' bytes (UDP)
  int reduction = 0;                   // halvings of the picture because of congestion on the link
  uint64_t bytes_sent = 0;             // on the wire, including FEC and retransmissions
  uint64_t bytes_parity = 0;           // repair symbols among them (UDP)
  uint64_t packets_sent = 0;           // (UDP)
  uint64_t packets_retransmitted = 0;  // (TCP: segments, by the kernel)
  double held_up_ms = 0;     // mean time per frame that the other links waited for this one
  uint64_t left_behind = 0;  // times that the others stopped waiting, with these routes
  // Reason why frames do not get through, its duration, and the system's or receiver's error.
  LinkTrouble trouble = LinkTrouble::kNone;
  double trouble_s = 0;
  std::string trouble_text{};
  // The stream's configured transport, if the link fell back because no packet got through.
  std::optional<Transport> instead_of{};
  // Whether the receiver is on this host; empty: it is not connected. Only for the application.
  std::optional<bool> same_host{};
  bool shared_memory = false;    // the receiver reads the blocks in memory on its own host (TCP)
  std::string memory_trouble{};  // why a receiver on this host does not; empty: no trouble
  bool multicast = false;        // a multicast group brings the frames; the link only repeats (UDP)
  std::string multicast_trouble{};  // why not, although the stream has a group; empty: no trouble
  LinkCounters counters{};          // the receiver's counters (UDP)

  bool operator==(const LinkStats&) const = default;
};
// Visits the members of several structs side by side, because sail_link_stats has the same members.
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
  visit("shared_memory", sparse(Flag()), link.shared_memory);
  visit("memory_trouble", sparse(Text{kMaxTroubleText}), link.memory_trouble);
  if (!over_udp) return;
  visit("multicast", sparse(Flag()), link.multicast);
  visit("multicast_trouble", sparse(Text{kMaxTroubleText}), link.multicast_trouble);
  link_counters(visit, link.counters);
  visit("bursts", Numbers32(), link.counters.bursts);
}

// Dropped frames by cause.
struct DropCounts {
  uint64_t superseded = 0;  // a later frame was shown instead
  uint64_t old_epoch = 0;   // routed for a layout that is no longer shown
  uint64_t incomplete = 0;  // its reference frame was lost
  uint64_t hidden = 0;      // no tile shows the window
  uint64_t frozen = 0;      // people have frozen the window
  uint64_t lost = 0;        // packets were lost and not repaired in time
  uint64_t unsent = 0;      // receivers or links were too slow: it was not sent to all

  bool operator==(const DropCounts&) const = default;
};
void fields(auto& visit, Of<DropCounts> auto& dropped) {
  visit("superseded", kCount, dropped.superseded);
  visit("old_epoch", kCount, dropped.old_epoch);
  visit("incomplete", kCount, dropped.incomplete);
  visit("hidden", kCount, dropped.hidden);
  visit("frozen", sparse(kCount), dropped.frozen);
  visit("lost", kCount, dropped.lost);
  visit("unsent", kCount, dropped.unsent);
}

// "stream_stats": notification by applications. Counters start with the stream.
struct StreamStats {
  static constexpr const char* kMethod = "stream_stats";

  uint32_t stream = 0;
  uint64_t frames_submitted = 0;
  uint64_t frames_sent = 0;
  uint64_t frames_shown = 0;    // on every receiver of its routing map
  uint64_t frames_dropped = 0;  // at the sender or at any receiver
  uint64_t frames_skipped = 0;  // discarded by the application because they were late
  uint64_t bytes_sent = 0;
  // Frame rates along the pipeline, from the application to the display.
  double fps_wanted = 0;  // 0: nothing moves, or unknown
  double fps_submitted = 0;
  double fps_encoded = 0;
  double fps_shown = 0;
  double source_ms = 0;  // application's time per frame: reading, decoding, drawing
  double encode_ms = 0;  // encoding time per frame
  double mbit_per_s = 0;
  double latency_ms_p50 = 0;  // submission → swap on the last tile
  double latency_ms_p99 = 0;
  double skew_us_p50 = 0;  // swap on the first tile → swap on the last tile
  double skew_us_p99 = 0;
  double delay_ms = 0;   // playout delay: minimum from submission to the swap; 0: none
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

// Report of a receiver that plays sound.
struct SoundStats {
  std::string trouble{};  // why no sound is heard; empty: no problem
  uint64_t skipped = 0;   // messages discarded: too late, too early or duplicate
  double off_ms = 0;      // largest deviation from the presentation time in the last second

  bool operator==(const SoundStats&) const = default;
};
void fields(auto& visit, Of<SoundStats> auto& sound) {
  visit("trouble", sparse(Text{kMaxCloseText}), sound.trouble);
  visit("skipped", kCount, sound.skipped);
  visit("off_ms", kMeasure, sound.off_ms);
}

enum class RefreshSource : uint8_t {
  kDisplayMode,  // from the display mode: the rate is known, the phase is not
  kMeasured,     // from the driver, or from swaps that waited for it
  kSimulated,    // an in-memory display with a configured rate
};
constexpr Choice<RefreshSource, 3> kRefreshSources{{{RefreshSource::kDisplayMode, "mode"},
                                                    {RefreshSource::kMeasured, "measured"},
                                                    {RefreshSource::kSimulated, "simulated"}}};

// Refresh of a tile's display.
struct RefreshStats {
  std::string tile{};
  RefreshSource source = RefreshSource::kDisplayMode;
  int64_t period_ns = 0;
  int64_t at_ns = 0;  // a recent refresh, wall time; 0 for kDisplayMode

  bool operator==(const RefreshStats&) const = default;
};
void fields(auto& visit, Of<RefreshStats> auto& refresh) {
  visit("tile", kName, refresh.tile);
  visit("source", kRefreshSources, refresh.source);
  visit("period_ns", kTimeNs, refresh.period_ns);
  visit("at_ns", kTimeNs, refresh.at_ns);
}

// The display of a receiver: its driver, renderer and windows.
struct DisplayStats {
  // The driver of the windows, such as "x11", "wayland" or "KMSDRM"; "memory": no windows.
  std::string driver{};
  std::string renderer{};     // OpenGL's renderer; empty: the CPU paints
  std::string trouble{};      // why the requested display shows nothing; empty: it shows the tiles
  std::string uncorrected{};  // why a tile lacks its correction; empty: none does
  // One entry for each tile with a window. The refresh is in ReceiverStats.
  struct Window {
    std::string tile{};
    std::string display{};  // name of the display that shows the window
    Rect rect{};            // the tile's place on the desktop

    bool operator==(const Window&) const = default;
  };
  std::vector<Window> windows{};

  bool operator==(const DisplayStats&) const = default;
};
void fields(auto& visit, Of<DisplayStats::Window> auto& window) {
  visit("tile", kName, window.tile);
  visit("display", Text{kMaxTitleLength}, window.display);
  visit("rect", kWindowRect, window.rect);
}
void fields(auto& visit, Of<DisplayStats> auto& display) {
  visit("driver", FilledText{kMaxNameLength}, display.driver);
  visit("renderer", sparse(Text{kMaxTitleLength}), display.renderer);
  visit("trouble", sparse(Text{kMaxCloseText}), display.trouble);
  visit("uncorrected", sparse(Text{kMaxCloseText}), display.uncorrected);
  visit("windows", sparse(objects(kMaxTiles, &DisplayStats::Window::tile)), display.windows);
}

// A host whose datagrams a receiver refused.
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

// "receiver_stats": notification by receivers. Counters start with the receiver.
struct ReceiverStats {
  static constexpr const char* kMethod = "receiver_stats";

  uint64_t frames_shown = 0;
  uint64_t frames_dropped = 0;
  uint64_t bytes_received = 0;
  uint64_t sessions_refused = 0;  // data connections closed because of invalid data
  uint64_t packets_refused = 0;   // datagrams of unknown streams, or invalid ones
  // packets_refused by host, at most kMaxRefusedSenders of them.
  std::vector<RefusedSender> packets_refused_from{};
  uint64_t blocks_concealed = 0;      // undecodable blocks, shown as in the previous frame
  uint64_t decoders_lost = 0;         // processes of carried streams that ended or hung
  uint64_t fades = 0;                 // layouts shown by a fade
  double render_ms = 0;               // mean of the last second
  double render_peak_ms = 0;          // slowest recent frame
  double paint_pct = 0;               // share of the second spent painting
  double decode_ms = 0;               // mean of the frames that need decoding
  double decode_pct = 0;              // share of the second, of the busiest decode thread
  double clock_error_us = 0;          // bound of the clock's error
  std::optional<SoundStats> sound{};  // only from receivers that play sound
  // One entry for each tile whose display has a known refresh.
  std::vector<RefreshStats> refresh{};
  std::optional<DisplayStats> display{};  // empty optional: the receiver does not report it
  // A newer version of the receiver's program is installed, and when it starts; empty: none.
  std::string update{};
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
  visit("decoders_lost", optional(kCount), stats.decoders_lost);
  visit("fades", sparse(kCount), stats.fades);
  visit("render_ms", kMeasure, stats.render_ms);
  visit("render_peak_ms", optional(kMeasure), stats.render_peak_ms);
  visit("paint_pct", optional(kPercent), stats.paint_pct);
  visit("decode_ms", optional(kMeasure), stats.decode_ms);
  visit("decode_pct", optional(kPercent), stats.decode_pct);
  visit("clock_error_us", kMeasure, stats.clock_error_us);
  visit("sound", Object(), stats.sound);
  visit("refresh", sparse(objects(kMaxTiles, &RefreshStats::tile)), stats.refresh);
  visit("display", Object(), stats.display);
  visit("update", sparse(Text{kMaxCloseText}), stats.update);
}

constexpr Choice<ClockSource, 2> kClockSources{
    {{ClockSource::kManager, "manager"}, {ClockSource::kSystem, "system"}}};

// "clock_stats": notification by applications and receivers about the accuracy of their wall time.
struct ClockStats {
  static constexpr const char* kMethod = "clock_stats";

  ClockSource source = ClockSource::kManager;
  bool synchronised = true;  // system clock: a daemon synchronises it
  // The manager's clock minus this machine's clock: the steady clock, or the system clock if that
  // is wall time.
  double offset_us = 0;
  double drift_ppm = 0;      // rate of change of the offset
  double error_us = 0;       // bound of the error of wall time
  double round_trip_us = 0;  // round trip of the last exchange
  double age_s = 0;          // time since the last exchange
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

constexpr size_t kMaxBusyPrograms = 8;

// Reads one program name of "busy".
Result<std::string> read_program_name(const Json& value, const std::string& where);

// "host_stats": notification that applications and receivers send once a second with the load of
// their machine.
struct HostStats {
  static constexpr const char* kMethod = "host_stats";

  std::string host{};  // host name
  HostLoad load{};

  bool operator==(const HostStats&) const = default;
};
void fields(auto& visit, Of<HostStats> auto& stats) {
  constexpr auto kPrograms = some_values<read_program_name>(kMaxBusyPrograms);
  visit("host", kName, stats.host);
  visit("cores", Whole{1, 65536}, stats.load.cores);
  visit("wanting", kMeasure, stats.load.wanting);
  visit("waits_pct", kPercent, stats.load.waits_pct);
  visit("own_pct", optional(kMeasure), stats.load.own_pct);
  visit("busy", sparse(kPrograms), stats.load.busy);
}

// Returns the message for this machine.
HostStats host_stats(const HostLoad& load);

}  // namespace sail
