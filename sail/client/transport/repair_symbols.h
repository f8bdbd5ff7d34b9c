// A link's repair symbols: how many it needs, and their bytes. Pure; no thread of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/fec/reed_solomon.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

// Chooses how many repair symbols a link needs, from the loss that its receiver reports.
//
// The repair symbols should recover nearly every FEC block at once, so that frames seldom wait for
// retransmissions. The number is the mean loss plus some standard deviations. Bursty loss deviates
// more, by the square root of the burst length. Congestion must not be answered with more bytes, so
// the number is capped at the number for a random loss of kMostLoss.
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

// Encodes the repair symbols of one FEC block. Keeps copies of the source symbols as they are sent,
// until the block is complete. Memory is allocated with the first block.
class ParityGroup {
 public:
  // Copies a source symbol to its position. Only the last may be shorter. May be set twice.
  void set(uint32_t place, std::span<const std::span<const uint8_t>> parts, size_t symbol_bytes);
  // Encodes repair symbols. Source symbols [0, sources) must be set; the last has tail_bytes.
  void encode(uint32_t sources, uint32_t parities, size_t symbol_bytes, size_t tail_bytes);
  // Valid after encode(), until the next encode().
  std::span<const uint8_t> parity(uint32_t index) const {
    return {parities_.data() + index * parity_bytes_, parity_bytes_};
  }
  uint32_t sources() const { return sources_; }
  size_t tail_bytes() const { return tail_bytes_; }

 private:
  codecs::ErasureEncoder encoder_;
  std::vector<uint8_t> copies_;
  std::vector<uint8_t> parities_;
  std::vector<const uint8_t*> source_places_;
  std::vector<uint8_t*> parity_places_;
  size_t parity_bytes_ = 0;
  uint32_t sources_ = 0;
  size_t tail_bytes_ = 0;
};

}  // namespace sail
