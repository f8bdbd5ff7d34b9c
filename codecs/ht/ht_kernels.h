// Kernels of the block coder: one set per CpuLevel, bit-exact with the reference. Internal to
// codecs/.
#pragma once

#include "codecs/base/cpu.h"
#include "codecs/ht/ht_block.h"

namespace codecs {

struct HtKernels {
  CpuLevel level;
  // Like reference::ht_encode and reference::ht_decode.
  size_t (*encode16)(const HtBlock<const int16_t>& block, uint8_t* out);
  bool (*decode16)(const HtCodedBlock& coded, const HtBlock<int16_t>& block);
  // Decodes two blocks; false if either is invalid.
  bool (*decode16_two)(const HtCodedBlock (&coded)[2], const HtBlock<int16_t> (&blocks)[2]);
};

inline size_t ht_encode(const HtKernels& kernels, const HtBlock<const int16_t>& block,
                        uint8_t* out) {
  return kernels.encode16(block, out);
}
inline size_t ht_encode(const HtKernels&, const HtBlock<const int32_t>& block, uint8_t* out) {
  return reference::ht_encode(block, out);
}
inline bool ht_decode(const HtKernels& kernels, const HtCodedBlock& coded,
                      const HtBlock<int16_t>& block) {
  return kernels.decode16(coded, block);
}
inline bool ht_decode(const HtKernels&, const HtCodedBlock& coded, const HtBlock<int32_t>& block) {
  return reference::ht_decode(coded, block);
}

inline bool ht_decode_two(const HtKernels& kernels, const HtCodedBlock (&coded)[2],
                          const HtBlock<int16_t> (&blocks)[2]) {
  return kernels.decode16_two(coded, blocks);
}
inline bool ht_decode_two(const HtKernels&, const HtCodedBlock (&coded)[2],
                          const HtBlock<int32_t> (&blocks)[2]) {
  return reference::ht_decode(coded[0], blocks[0]) && reference::ht_decode(coded[1], blocks[1]);
}

namespace reference {
extern const HtKernels kHtKernels;
}

}  // namespace codecs
