#include "codecs/ht_kernels.h"

namespace codecs::reference {

const HtKernels kHtKernels = {
    .level = CpuLevel::kReference, .encode16 = ht_encode, .decode16 = ht_decode};

}  // namespace codecs::reference
