// The vector kernels of each level; kernels_for() selects among them.
//
// All code of kernel_set_vector.h is compiled with the instructions of the target region that
// includes it. Headers with inline functions for general use are included here, before the region,
// so that those functions are not compiled for it.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "codecs/dxt.h"
#include "codecs/dxt1_solid.h"
#include "codecs/ht_kernels.h"
#include "codecs/ht_readers.h"
#include "codecs/ht_segments.h"
#include "codecs/ht_writers.h"
#include "codecs/kernels_reference.h"
#include "codecs/reduce.h"
#include "codecs/sample_kernels.h"
#include "codecs/wavelet_kernels.h"
#include "codecs/ycocg_solid.h"

namespace codecs {

extern const KernelSet kSse41Kernels;
extern const KernelSet kAvx2Kernels;
extern const KernelSet kAvx512Kernels;

}  // namespace codecs
