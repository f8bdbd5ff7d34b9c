#include "codecs/kernels/kernels_vector.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.1")
#endif

#include "codecs/kernels/kernel_set_vector.h"
#include "codecs/kernels/vector_sse41.h"

namespace codecs {

const KernelSet kSse41Kernels = kKernelSet<Sse41>;

}  // namespace codecs

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
