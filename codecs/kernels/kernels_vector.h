// The vector kernels of each level; kernels_for() selects among them.
//
// All code of kernel_set_vector.h is compiled with the instructions of the target region that
// includes it. Headers with inline functions for general use are included here, before the region,
// so that those functions are not compiled for it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "codecs/color/scaling.h"
#include "codecs/dxt/dxt.h"
#include "codecs/dxt/dxt1_solid.h"
#include "codecs/ht/ht_block.h"
#include "codecs/ht/ht_kernels.h"
#include "codecs/ht/ht_readers.h"
#include "codecs/ht/ht_writers.h"
#include "codecs/kernels/vector128.h"
#include "codecs/simd/kernels.h"
#include "codecs/simd/prism_kernels.h"
#include "codecs/simd/sample_kernels.h"
#include "codecs/simd/wavelet_kernels.h"

namespace codecs {

#ifdef __aarch64__
extern const KernelSet kNeonKernels;
#else
extern const KernelSet kSse41Kernels;
extern const KernelSet kAvx2Kernels;
extern const KernelSet kAvx512Kernels;
#endif

}  // namespace codecs
