// Chooses how many repair symbols a link needs, from the loss that its receiver reports.
//
// The repair symbols should recover nearly every FEC block at once, so that frames seldom wait for
// retransmissions. The number is the mean loss plus some standard deviations. Bursty loss deviates
// more, by the square root of the burst length. More bytes must not answer congestion, so the
// number is capped at that for random loss of kMostLoss.
//
// Pure; no thread of its own.
#pragma once

#include <cstdint>

#include "sail/core/wire/data/packets.h"

namespace sail {

class FecShare {
 public:
  static constexpr double kMostLoss = 0.15;

  // Adds the counters of one feedback. Cumulative; a decrease restarts counting.
  void add(int64_t now_ns, const LinkCounters& counters);

  // Returns the number of repair symbols for a block of `sources` source symbols. 0 after ten
  // seconds without loss; at most `sources` and at most kMaxGroupParity.
  int parity_for(int sources) const;

  // Returns the packet loss ratio of the last second or of the last ten, whichever is greater.
  double loss() const;

 private:
  // Exponentially decaying sums.
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
