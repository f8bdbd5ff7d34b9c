#include "codecs/sample_loops.h"

namespace codecs::reference {
namespace {

struct Plain {
  static constexpr CpuLevel kLevel = CpuLevel::kReference;
};

}  // namespace

const SampleKernels kSampleKernels = SampleLoops<Plain>::kKernels;

}  // namespace codecs::reference
