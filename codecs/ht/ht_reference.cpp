#include "codecs/ht/ht_kernels.h"

namespace codecs::reference {
namespace {

bool ht_decode_two(const HtCodedBlock (&coded)[2], const HtBlock<int16_t> (&blocks)[2]) {
  return ht_decode(coded[0], blocks[0]) && ht_decode(coded[1], blocks[1]);
}

}  // namespace

const HtKernels kHtKernels = {.level = CpuLevel::kReference,
                              .encode16 = ht_encode,
                              .decode16 = ht_decode,
                              .decode16_two = ht_decode_two};

}  // namespace codecs::reference
