#include "codecs/wavelet_loops.h"

namespace codecs::reference {
namespace {

struct PlainWavelet {
  static constexpr CpuLevel kLevel = CpuLevel::kReference;
};

}  // namespace

const TransformKernels kTransformKernels = WaveletLoops<PlainWavelet>::kKernels;

}  // namespace codecs::reference
