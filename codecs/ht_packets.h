// Packets of high throughput (ISO/IEC 15444-1, B.10, and 15444-15): where they end, and whether
// what they hold is what OpenJPH 0.9 takes for granted: an assertion of it ends the process where
// that does not hold. Internal to codecs/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/j2k_header.h"

namespace codecs {

// The packets of a codestream that has plain ones (J2kMainHeader::has_plain_packets).
class HtPackets {
 public:
  explicit HtPackets(const J2kMainHeader& header) : header_(header) {}

  // The bytes that the packets of a resolution have at the begin of `packets`. Nothing when they
  // are broken or have bands of more than kMaxBlocksOfBand code-blocks a side.
  std::optional<size_t> read(std::span<const uint8_t> packets, int resolution);

  // All packets that the picture, reduced, needs.
  bool are_sound(std::span<const uint8_t> codestream, int reduction);

  static constexpr int kMaxBlocksOfBand = 64;

 private:
  struct Block {
    size_t cleanup;
    size_t refinement;
  };
  class HeaderReader;

  std::optional<size_t> read_one(std::span<const uint8_t> packet, int resolution, int component);

  J2kMainHeader header_;
  std::vector<Block> blocks_;  // of one packet
};

}  // namespace codecs
