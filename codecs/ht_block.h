// The block coder of high-throughput JPEG 2000 (ITU-T T.814 | ISO/IEC 15444-15): a code-block's
// quantised samples to bytes and back. Internal to codecs/.
//
// A code-block is coded as one cleanup segment, that is, all its bit-planes at once. What others
// wrote may leave out the lowest planes and add a segment of refinement: the passes SigProp and
// MagRef for one plane more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codecs/ht_tables.h"

namespace codecs {

// `Sample` is int16_t or int32_t. At most kHtMostSamples of them; a side is not longer than
// kHtMostSide.
template <class Sample>
struct HtBlock {
  Sample* samples;
  ptrdiff_t stride;  // in samples
  int width;
  int height;
};

// No cleanup segment is longer.
constexpr size_t kHtMostCleanupBytes = size_t{kHtMostSamples} * 31 / 7 + 4096;

struct HtCodedBlock {
  std::span<const uint8_t> cleanup{};
  std::span<const uint8_t> refinement{};
  int passes = 1;       // 1: cleanup, 2: SigProp too, 3: and MagRef
  int planes = 0;       // of the sub-band (M_b), 1 … 30; of 16-bit samples 1 … kHtMostPlanes16
  int zero_planes = 0;  // of those (in fact of all but one), as the packet header has it
  bool stripe_causal = false;
};
constexpr int kHtMostPlanes16 = 14;
constexpr int kHtMostPlanes32 = 30;

namespace reference {

// Bytes written; 0 when all samples are 0. `out` has room for kHtMostCleanupBytes. The samples'
// magnitudes are below 2^kHtMostPlanes16 or 2^kHtMostPlanes32.
size_t ht_encode(const HtBlock<const int16_t>& block, uint8_t* out);
size_t ht_encode(const HtBlock<const int32_t>& block, uint8_t* out);

// Samples in halves of the quantiser's step, in the middle of what they may be: ±(2 · magnitude +
// 1) where all planes are there, 0 for 0. False when the bytes are broken: the samples are
// undefined.
bool ht_decode(const HtCodedBlock& coded, const HtBlock<int16_t>& block);
bool ht_decode(const HtCodedBlock& coded, const HtBlock<int32_t>& block);
// The passes behind the cleanup pass, of which `block` has the samples.
void ht_refine(const HtCodedBlock& coded, const HtBlock<int16_t>& block);

}  // namespace reference

}  // namespace codecs
