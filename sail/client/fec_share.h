// How much parity a link needs, from the loss that its receiver counts.
//
// Parity is to mend nearly every group at once, so that frames need not wait for packets to be sent
// again: the share that is lost on average, and some standard deviations more. Loss that comes in
// bursts deviates more by the square root of their length. Congestion is not to be answered with
// more bytes, so that nothing asks for more than random loss of kMostLoss.
//
// Pure. No thread of its own.
#pragma once

#include <cstdint>

#include "sail/wire/packets.h"

namespace sail {

class FecShare {
 public:
  static constexpr double kMostLoss = 0.15;

  // With each feedback; the counters grow. Counters that went back are a new beginning.
  void add(int64_t now_ns, const LinkCounters& counters);

  // Parity packets for a group of so many symbols: 0 while nothing was lost for ten seconds, at
  // most one a symbol and kMaxGroupParity.
  int parity_for(int sources) const;

  // The share of packets that is lost: of the last second or the last ten, whichever is greater.
  double loss() const;

 private:
  // What came and what was lost, of which the past counts less and less.
  struct Average {
    double packets = 0;
    double lost = 0;
    double bursts = 0;

    void fade(double seconds, double time_constant_s);
    double loss() const;
  };

  bool begun_ = false;
  int64_t last_ns_ = 0;
  int64_t last_loss_ns_ = 0;
  LinkCounters last_;
  Average fast_;
  Average slow_;
};

}  // namespace sail
