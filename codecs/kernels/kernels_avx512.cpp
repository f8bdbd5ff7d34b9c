#include "codecs/kernels/kernels_vector.h"

#ifndef __clang__
// GCC 12 warns about undefined values inside its own AVX-512 intrinsics (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#ifdef __clang__
#pragma clang attribute push(                                                            \
    __attribute__((                                                                      \
        target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,bmi,bmi2,lzcnt,popcnt"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,bmi,bmi2,lzcnt,popcnt")
#endif

#include "codecs/kernels/kernel_set_vector.h"
#include "codecs/kernels/vector_avx512.h"

namespace codecs {

const KernelSet kAvx512Kernels = kKernelSet<Avx512>;

}  // namespace codecs

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
