// Tracks the fate of a stream's frames: which receivers were sent each frame and what they
// reported. Derives statistics from this. Pure; one thread.
//
// Each frame's fate is reported once. A frame is shown when every receiver of one of its routing
// maps has reported it shown. Otherwise it is dropped as soon as no report is outstanding. Sending
// a frame again for a new map keeps its number and does not change a reported fate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/stats.h"

namespace sail {

// Times are wall clock in nanoseconds.
struct FrameFate {
  uint64_t number = 0;
  bool shown = false;      // on every receiver of its routing map
  uint32_t receivers = 0;  // receivers that were sent any part of the frame
  int64_t submitted_ns = 0;
  int64_t first_swapped_ns = 0;  // first swap of any receiver; 0 when not shown
  int64_t last_swapped_ns = 0;

  bool operator==(const FrameFate&) const = default;
};

class FrameLedger {
 public:
  struct Counters {     // since the start
    uint64_t sent = 0;  // frames sent to at least one receiver
    uint64_t shown = 0;
    uint64_t dropped = 0;

    bool operator==(const Counters&) const = default;
  };
  // Frames shown since the last take_recent(); all zero if there were none.
  struct Recent {
    uint64_t shown = 0;
    double latency_ms_p50 = 0;  // submitted → last swap
    double latency_ms_p99 = 0;
    double skew_us_p50 = 0;  // first → last swap
    double skew_us_p99 = 0;
  };

  FrameLedger();

  // Called when the application submits the next frame. Frame numbers increase.
  void add(uint64_t frame, int64_t submitted_ns);
  // Sets the routing map for later frames: its epoch and its number of receivers. newest_goes: the
  // newest frame may be sent according to this map, too.
  void route(uint64_t epoch, uint32_t receivers, bool newest_goes = true);
  // Removes the routing map. Undecided frames are dropped. Nothing is sent until the next route().
  void abandon();

  // Called when the frame is sent to a receiver. A receiver keeps its number after reconnecting.
  void sent(uint32_t receiver, uint64_t frame, uint64_t epoch);
  // Called when all receivers of the map already show the picture of the newest frame.
  void already_shown(uint64_t frame, int64_t now_ns);
  // Called when the receiver has reported a frame that it was sent.
  void reported(uint32_t receiver, const FrameReport& report);
  // Called when the receiver is gone. It will not show its unreported frames.
  void lost(uint32_t receiver);

  // Fates decided since clear_decided().
  std::span<const FrameFate> decided() const { return decided_; }
  void clear_decided() { decided_.clear(); }

  const Counters& counters() const { return counters_; }
  // Dropped frames by cause. If receivers report different causes, the original cause counts.
  const DropCounts& drops() const { return drops_; }
  Recent take_recent();

 private:
  struct Sending {
    uint32_t receiver = 0;
    uint64_t epoch = 0;
    bool reported = false;
    bool shown = false;
    int64_t swapped_ns = 0;
  };
  struct Map {
    uint64_t epoch = 0;
    uint32_t receivers = 0;
  };
  struct Record {
    uint64_t number = 0;
    int64_t submitted_ns = 0;
    bool decided = false;
    bool goes = true;        // may be sent by the current map
    uint32_t causes = 0;     // causes of reported drops, one bit each
    uint32_t receivers = 0;  // largest number of receivers within one map
    // Maps by which the frame may still be shown; empty once the fate is reported.
    std::vector<Map> maps;
    std::vector<Sending> sendings;
  };
  struct Sample {
    double latency_ms = 0;
    double skew_us = 0;
  };

  Record& make_record(uint64_t frame, int64_t submitted_ns);
  Record* find(uint64_t frame);
  // Reports the fates that are decided and removes records no longer needed.
  void resolve();
  bool resolve(Record& record);
  std::optional<FrameFate> shown_by(const Record& record, const Map& map) const;
  void decide(Record& record, const FrameFate& fate);
  uint64_t& drops_like(const Record& record);
  static void forget_impossible_maps(Record& record);
  bool waits_for_sending(const Record& record) const;

  Map map_;
  bool routed_ = false;
  uint64_t newest_ = 0;
  uint64_t last_sent_ = 0;
  std::vector<Record> records_;  // oldest first
  std::vector<Record> spare_;    // reused for their memory
  std::vector<FrameFate> decided_;
  std::vector<Sample> recent_;
  Counters counters_;
  DropCounts drops_;
};

}  // namespace sail
