// What became of a stream's frames: which receivers were sent which frame, what they reported, and
// the figures that follow. Pure; one thread.
//
// A frame's fate is told once: shown when every receiver of one routing map by which it was sent
// has reported it shown, else dropped as soon as no report is missing. Sending it again for a new
// map (which keeps its number) changes nothing about a fate that was told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sail/wire/data_messages.h"
#include "sail/wire/link_stats.h"

namespace sail {

// Times in wall ns.
struct FrameFate {
  uint64_t number = 0;
  bool shown = false;      // on every receiver of its routing map
  uint32_t receivers = 0;  // that were sent any of it
  int64_t submitted_ns = 0;
  int64_t first_swapped_ns = 0;  // of the receivers; 0 when not shown
  int64_t last_swapped_ns = 0;

  bool operator==(const FrameFate&) const = default;
};

class FrameLedger {
 public:
  struct Counters {     // since the start
    uint64_t sent = 0;  // frames, to at least one receiver
    uint64_t shown = 0;
    uint64_t dropped = 0;

    bool operator==(const Counters&) const = default;
  };
  // The frames shown since the last take_recent(); zeros when there were none.
  struct Recent {
    uint64_t shown = 0;
    double latency_ms_p50 = 0;  // submitted → last swap
    double latency_ms_p99 = 0;
    double skew_us_p50 = 0;  // first → last swap
    double skew_us_p99 = 0;
  };

  FrameLedger();

  // The application handed over the next frame. Numbers grow.
  void add(uint64_t frame, int64_t submitted_ns);
  // From now on frames go by the map of this epoch, to that many receivers: the newest one, too, if
  // it can.
  void route(uint64_t epoch, uint32_t receivers, bool newest_goes = true);
  // No map any more: whatever is not told is dropped, and nothing is sent until the next route().
  void abandon();

  // The frame is on its way to a receiver. A receiver's number stays the same when its connection
  // is made again.
  void sent(uint32_t receiver, uint64_t frame, uint64_t epoch);
  // The newest frame is the picture that all receivers of the map show already.
  void is_on_wall(uint64_t frame, int64_t now_ns);
  // The receiver reported a frame that it was sent.
  void reported(uint32_t receiver, const FrameReport& report);
  // The receiver is gone: what it has not reported it will not show.
  void lost(uint32_t receiver);

  // Fates told since clear_told().
  std::span<const FrameFate> told() const { return told_; }
  void clear_told() { told_.clear(); }

  const Counters& counters() const { return counters_; }
  // Those dropped, by cause; where receivers differ, by what made the others drop them.
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
    bool told = false;
    bool goes = true;        // may be sent by the map of now
    uint32_t causes = 0;     // of drops reported, a bit each
    uint32_t receivers = 0;  // most that were sent it by one map
    std::vector<Map> maps;   // by which it may still come to be shown; none once told
    std::vector<Sending> sendings;
  };
  struct Sample {
    double latency_ms = 0;
    double skew_us = 0;
  };

  Record& make_record(uint64_t frame, int64_t submitted_ns);
  Record* find(uint64_t frame);
  // Tells the fates that are known now, and forgets records that nobody needs.
  void settle();
  bool settle(Record& record);
  std::optional<FrameFate> shown_by(const Record& record, const Map& map) const;
  void tell(Record& record, const FrameFate& fate);
  uint64_t& drops_like(const Record& record);
  static void forget_hopeless_maps(Record& record);
  bool waits_for_sending(const Record& record) const;

  Map map_;
  bool routed_ = false;
  uint64_t newest_ = 0;
  uint64_t last_sent_ = 0;
  std::vector<Record> records_;  // oldest first
  std::vector<Record> spare_;    // with their memory
  std::vector<FrameFate> told_;
  std::vector<Sample> recent_;
  Counters counters_;
  DropCounts drops_;
};

}  // namespace sail
