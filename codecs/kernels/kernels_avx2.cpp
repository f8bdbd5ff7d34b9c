#include "codecs/kernels/kernels_vector.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif

#include "codecs/kernels/kernel_set_vector.h"
#include "codecs/kernels/vector_avx2.h"

namespace codecs {

const KernelSet kAvx2Kernels = kKernelSet<Avx2>;

}  // namespace codecs

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
