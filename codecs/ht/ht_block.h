// Block coder of high-throughput JPEG 2000 (ITU-T T.814 | ISO/IEC 15444-15): converts a
// code-block's quantised samples to bytes and back. Internal to codecs/.
//
// The encoder codes a code-block as one cleanup segment, which holds all its bit-planes. Other
// encoders may leave out the lowest planes and add a refinement segment: the SigProp and MagRef
// passes for one more plane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "codecs/ht/ht_tables.h"

namespace codecs {

// `Sample` is int16_t or int32_t. At most kHtMostSamples samples; sides of at most kHtMostSide.
template <class Sample>
struct HtBlock {
  Sample* samples;
  ptrdiff_t stride;  // in samples
  int width;
  int height;
};

// Upper bound of a cleanup segment.
constexpr size_t kHtMostCleanupBytes = size_t{kHtMostSamples} * 31 / 7 + 4096;

struct HtCodedBlock {
  std::span<const uint8_t> cleanup{};
  std::span<const uint8_t> refinement{};
  int passes = 1;       // 1: cleanup, 2: also SigProp, 3: also MagRef
  int planes = 0;       // of the sub-band (M_b), 1 … 30; 16-bit samples: 1 … kHtMostPlanes16
  int zero_planes = 0;  // as in the packet header; planes − 1 if all are coded
  bool stripe_causal = false;
};
constexpr int kHtMostPlanes16 = 14;
constexpr int kHtMostPlanes32 = 30;

namespace reference {

// Returns the bytes written; 0 if all samples are 0. `out` has room for kHtMostCleanupBytes. The
// samples' magnitudes are below 2^kHtMostPlanes16 or 2^kHtMostPlanes32.
size_t ht_encode(const HtBlock<const int16_t>& block, uint8_t* out);
size_t ht_encode(const HtBlock<const int32_t>& block, uint8_t* out);

// Decodes samples in units of half a quantiser step, at the middle of their interval: ±(2 ·
// magnitude + 1) if all planes are present, 0 for 0. Returns false if the bytes are invalid; the
// samples are then undefined.
bool ht_decode(const HtCodedBlock& coded, const HtBlock<int16_t>& block);
bool ht_decode(const HtCodedBlock& coded, const HtBlock<int32_t>& block);
// Applies the passes after the cleanup pass, whose samples are in `block`.
void ht_refine(const HtCodedBlock& coded, const HtBlock<int16_t>& block);

}  // namespace reference

// The parts of a cleanup segment (T.814, 7.1).
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
