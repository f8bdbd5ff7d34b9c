// Detects lost, reordered and duplicate packets of a connection by their numbers. Pure; fixed
// memory and constant work per packet for any sequence of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sail/core/wire/data/packets.h"

namespace receiver {

class PacketLoss {
 public:
  // A packet counts as lost once this many later packets have arrived, or this much time has passed
  // since the first of them. If it still arrives, it counts as reordered instead.
  static constexpr uint64_t kLaterPackets = 64;
  static constexpr int64_t kReorderingNs = 20'000'000;
  // Packets this far behind the highest number count as duplicates.
  static constexpr uint64_t kWindow = 16384;

  PacketLoss();

  // Numbers before this one do not count: those packets were for others. Call before add().
  void begin_at(uint64_t first) { before_ = highest_ = judged_ = mark_ = first - 1; }
  // Records a packet (now_ns: steady). Returns false if it is a duplicate or too old: drop it.
  bool add(uint64_t number, size_t bytes, int64_t now_ns);
  // Must be called regularly, so that losses are detected by time.
  void on_time(int64_t now_ns);

  uint64_t highest() const { return highest_; }
  // Returns the counters of packets (received, lost, reordered, duplicated) and loss bursts. A
  // burst keeps its length even if one of its packets arrives later.
  const sail::LinkCounters& counters() const { return counters_; }

 private:
  bool has_arrived(uint64_t number) const;
  void set_arrived(uint64_t number, bool has_arrived);
  // Counts all numbers up to `last` that have not arrived as lost.
  void judge(uint64_t last);
  void count_lost(uint64_t packets);
  void count_arrivals();
  void forget_between(uint64_t first, uint64_t last);

  std::vector<uint64_t> arrived_;  // bitmap of the last kWindow numbers, a ring
  uint64_t before_ = 0;            // numbers up to this one do not count
  uint64_t highest_ = 0;
  uint64_t judged_ = 0;  // losses are counted up to this number
  uint64_t burst_ = 0;   // length of the run of lost packets that ends at judged_
  uint64_t mark_ = 0;    // highest_ at mark_ns_
  int64_t mark_ns_ = 0;
  sail::LinkCounters counters_;
};

}  // namespace receiver
