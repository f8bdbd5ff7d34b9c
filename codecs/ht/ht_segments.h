// The parts of a cleanup segment (T.814, 7.1). Internal to codecs/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "codecs/ht/ht_block.h"

namespace codecs {

struct HtCleanup {
  std::span<const uint8_t> mag_sgn;
  std::span<const uint8_t> mel;  // the lower half of the last byte may belong to VLC
  std::span<const uint8_t> vlc;  // read backwards from its end
  int vlc_half = 0;              // VLC starts with the upper half of this byte
};

// Empty if the lengths in the segment, the passes or the planes are invalid.
inline std::optional<HtCleanup> read_ht_cleanup(const HtCodedBlock& coded) {
  constexpr size_t kMostSuffix = 4079;
  const std::span<const uint8_t> bytes = coded.cleanup;
  if (bytes.size() < 2 || bytes.size() > kHtMostCleanupBytes) return {};
  if (coded.passes < 1 || coded.passes > 3) return {};
  if (coded.zero_planes < 0 || coded.zero_planes >= coded.planes) return {};
  // Refinement needs a plane below.
  if (coded.passes > 1 && coded.zero_planes + 1 >= coded.planes) return {};
  const size_t last = bytes[bytes.size() - 1], half = bytes[bytes.size() - 2];
  const size_t suffix = last << 4 | (half & 15);
  if (suffix < 2 || suffix > bytes.size() || suffix > kMostSuffix) return {};
  const auto tail = bytes.last(suffix);
  return HtCleanup{.mag_sgn = bytes.first(bytes.size() - suffix),
                   .mel = tail.first(suffix - 1),
                   .vlc = tail.first(suffix - 2),
                   .vlc_half = static_cast<int>(half)};
}

}  // namespace codecs
