// Selection of kernels by CPU level.
#include "codecs/simd/kernels.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace codecs {
namespace {

using AnyKernel = void (*)();

std::vector<AnyKernel> kernels_of(const KernelSet& set) {
  const auto any = [](auto kernel) { return reinterpret_cast<AnyKernel>(kernel); };
  return {any(set.dxt1_encode_fast),  any(set.dxt1_encode_good),
          any(set.dxt1_encode_nv12),  any(set.dxt1_encode_i420),
          any(set.dxt1_decode),       any(set.dxt5_encode_fast),
          any(set.dxt5_encode_good),  any(set.dxt5_decode),
          any(set.ycocg_encode_fast), any(set.ycocg_encode_good),
          any(set.ycocg_decode),      any(set.convert_nv12),
          any(set.convert_i420),      any(set.convert_rgb),
          any(set.convert_rgba),      any(set.convert_bgra),
          any(set.scale_row),         any(set.blend_rows),
          any(set.reduce_row),        any(set.map_colors),
          any(set.prisms->map_luma),  any(set.prisms->map_luma_pairs),
          any(set.prisms->map_chroma)};
}

TEST(Kernels, EveryLevelHasKernelsOfItsOwn) {
  std::set<AnyKernel> kernels;
  size_t count = 0;
  for (const CpuLevel level : kCpuLevels) {
    for (const AnyKernel kernel : kernels_of(kernels_for(level))) {
      EXPECT_NE(kernel, nullptr);
      kernels.insert(kernel);
      ++count;
    }
    EXPECT_EQ(kernels_for(level).samples->level, level);
  }
  EXPECT_EQ(kernels.size(), count);
}

}  // namespace
}  // namespace codecs
