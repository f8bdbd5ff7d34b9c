// Which of a connection's packets came and which did not, by their numbers. Pure; a fixed size and
// constant work a packet, whatever numbers come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sail/wire/packets.h"

namespace receiver {

class PacketLoss {
 public:
  // A number counts as lost when so many later packets have come, or so much time has passed since
  // the first of them. When it comes after that, it is not lost any more but reordered.
  static constexpr uint64_t kLaterPackets = 64;
  static constexpr int64_t kReorderingNs = 20'000'000;
  // Numbers so far behind the highest are taken for ones that came before.
  static constexpr uint64_t kWindow = 16384;

  PacketLoss();

  // False: the packet came before, or is too old to tell; it is to be dropped. Steady time.
  bool add(uint64_t number, size_t bytes, int64_t now_ns);
  // Time passes.
  void on_time(int64_t now_ns);

  uint64_t highest() const { return highest_; }
  // The counters that numbers tell: packets, bytes, lost, reordered, duplicated and bursts. A burst
  // stays as it was found when one of its packets comes after all.
  const sail::LinkCounters& counters() const { return counters_; }

 private:
  bool came(uint64_t number) const;
  void set_came(uint64_t number, bool came);
  // Numbers up to this one that have not come are lost.
  void judge(uint64_t last);
  void count_lost(uint64_t packets);
  void count_came();
  void forget_between(uint64_t first, uint64_t last);

  std::vector<uint64_t> came_;  // bits of the last kWindow numbers, in a ring
  uint64_t highest_ = 0;
  uint64_t judged_ = 0;  // the last number that has been judged
  uint64_t burst_ = 0;   // numbers lost in a row, up to it
  uint64_t mark_ = 0;    // highest_ at mark_ns_
  int64_t mark_ns_ = 0;
  sail::LinkCounters counters_;
};

}  // namespace receiver
