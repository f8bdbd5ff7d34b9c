// Which kernel runs at which level.
#include "codecs/kernels.h"

#include <gtest/gtest.h>

#include "codecs/kernels_reference.h"
#include "tests/unit/codecs/pictures.h"

namespace codecs {
namespace {

template <class Visit>
void for_each_kernel(const KernelSet& set, Visit visit) {
  visit("dxt1_encode_fast", set.dxt1_encode_fast.level, set.dxt1_encode_fast.run);
  visit("dxt1_encode_good", set.dxt1_encode_good.level, set.dxt1_encode_good.run);
  visit("dxt1_encode_nv12", set.dxt1_encode_nv12.level, set.dxt1_encode_nv12.run);
  visit("dxt1_encode_i420", set.dxt1_encode_i420.level, set.dxt1_encode_i420.run);
  visit("dxt1_decode", set.dxt1_decode.level, set.dxt1_decode.run);
  visit("dxt5_encode_fast", set.dxt5_encode_fast.level, set.dxt5_encode_fast.run);
  visit("dxt5_encode_good", set.dxt5_encode_good.level, set.dxt5_encode_good.run);
  visit("dxt5_decode", set.dxt5_decode.level, set.dxt5_decode.run);
  visit("ycocg_encode_fast", set.ycocg_encode_fast.level, set.ycocg_encode_fast.run);
  visit("ycocg_encode_good", set.ycocg_encode_good.level, set.ycocg_encode_good.run);
  visit("ycocg_decode", set.ycocg_decode.level, set.ycocg_decode.run);
  visit("convert_nv12", set.convert_nv12.level, set.convert_nv12.run);
  visit("convert_i420", set.convert_i420.level, set.convert_i420.run);
  visit("convert_rgb", set.convert_rgb.level, set.convert_rgb.run);
  visit("convert_rgba", set.convert_rgba.level, set.convert_rgba.run);
  visit("convert_bgra", set.convert_bgra.level, set.convert_bgra.run);
  visit("scale_row", set.scale_row.level, set.scale_row.run);
  visit("blend_rows", set.blend_rows.level, set.blend_rows.run);
  visit("reduce_row", set.reduce_row.level, set.reduce_row.run);
}

TEST(Kernels, NoLevelRunsInstructionsOfAHigherOne) {
  for (const CpuLevel level :
       {CpuLevel::kReference, CpuLevel::kSse41, CpuLevel::kAvx2, CpuLevel::kAvx512}) {
    for_each_kernel(kernels_for(level), [&](const char* name, CpuLevel written_for, auto run) {
      EXPECT_LE(written_for, level) << name;
      EXPECT_NE(run, nullptr) << name;
    });
  }
}

TEST(Kernels, EveryVectorLevelHasKernelsOfItsOwn) {
  for (const CpuLevel level : {CpuLevel::kSse41, CpuLevel::kAvx2, CpuLevel::kAvx512}) {
    for_each_kernel(kernels_for(level), [&](const char* name, CpuLevel written_for, auto) {
      EXPECT_EQ(written_for, level) << name;
    });
  }
}

TEST(Kernels, ReferenceIsTheReference) {
  const KernelSet& set = kernels_for(CpuLevel::kReference);
  EXPECT_EQ(set.dxt1_encode_fast.run, &reference::dxt1_encode_fast);
  EXPECT_EQ(set.dxt1_encode_good.run, &reference::dxt1_encode_good);
  EXPECT_EQ(set.dxt1_encode_nv12.run, &reference::dxt1_encode_nv12);
  EXPECT_EQ(set.dxt1_encode_i420.run, &reference::dxt1_encode_i420);
  EXPECT_EQ(set.dxt1_decode.run, &reference::dxt1_decode);
  EXPECT_EQ(set.dxt5_encode_fast.run, &reference::dxt5_encode_fast);
  EXPECT_EQ(set.dxt5_encode_good.run, &reference::dxt5_encode_good);
  EXPECT_EQ(set.dxt5_decode.run, &reference::dxt5_decode);
  EXPECT_EQ(set.ycocg_encode_fast.run, &reference::ycocg_encode_fast);
  EXPECT_EQ(set.ycocg_encode_good.run, &reference::ycocg_encode_good);
  EXPECT_EQ(set.ycocg_decode.run, &reference::ycocg_decode);
  EXPECT_EQ(set.convert_nv12.run, &reference::convert_nv12);
  EXPECT_EQ(set.convert_i420.run, &reference::convert_i420);
  EXPECT_EQ(set.scale_row.run, &reference::scale_row);
  EXPECT_EQ(set.blend_rows.run, &reference::blend_rows);
  EXPECT_EQ(set.reduce_row.run, &reference::reduce_row);
}

}  // namespace
}  // namespace codecs
