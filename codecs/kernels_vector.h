// The vector kernels of each level; kernels_for() chooses among them.
#pragma once

#include "codecs/kernels.h"

namespace codecs {

extern const KernelSet kSse41Kernels;
extern const KernelSet kAvx2Kernels;
extern const KernelSet kAvx512Kernels;

}  // namespace codecs
