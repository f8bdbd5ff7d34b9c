#include "codecs/kernels/kernels_vector.h"

#include "codecs/kernels/kernel_set_vector.h"
#include "codecs/kernels/vector_neon.h"

namespace codecs {

const KernelSet kNeonKernels = kKernelSet<Neon>;

}  // namespace codecs
