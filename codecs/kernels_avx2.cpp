// Everything that the templates below compile to uses avx2. Headers with inline functions of
// general use come before the region, so that none of those is compiled for it.
#include <immintrin.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "codecs/dxt.h"
#include "codecs/dxt1_solid.h"
#include "codecs/ht_kernels.h"
#include "codecs/ht_readers.h"
#include "codecs/ht_segments.h"
#include "codecs/ht_writers.h"
#include "codecs/kernels_reference.h"
#include "codecs/kernels_vector.h"
#include "codecs/reduce.h"
#include "codecs/sample_kernels.h"
#include "codecs/wavelet_kernels.h"
#include "codecs/ycocg_solid.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif

// clang-format off
#include "codecs/vector_avx2.h"
#include "codecs/convert_vector.h"
#include "codecs/dxt1_decode_vector.h"
#include "codecs/dxt1_encode_vector.h"
#include "codecs/dxt1_yuv_encode_vector.h"
#include "codecs/ht_decode_vector.h"
#include "codecs/ht_encode_vector.h"
#include "codecs/reduce_vector.h"
#include "codecs/dxt5_decode_vector.h"
#include "codecs/dxt5_encode_vector.h"
#include "codecs/ycocg_decode_vector.h"
#include "codecs/ycocg_encode_vector.h"
#include "codecs/resample_vector.h"
#include "codecs/sample_loops.h"
#include "codecs/wavelet_loops.h"
// clang-format on

namespace codecs {

constexpr HtKernels kAvx2HtKernels = {.level = Avx2::kLevel,
                                      .encode16 = ht_encode_vector<Avx2>,
                                      .decode16 = ht_decode_vector<Avx2>,
                                      .decode16_two = ht_decode_two_vector<Avx2>};

const KernelSet kAvx2Kernels = {
    .dxt1_encode_fast = {Avx2::kLevel, dxt1_encode_fast<Avx2>},
    .dxt1_encode_good = {Avx2::kLevel, dxt1_encode_good<Avx2>},
    .dxt1_encode_nv12 = {Avx2::kLevel, dxt1_encode_nv12<Avx2>},
    .dxt1_encode_i420 = {Avx2::kLevel, dxt1_encode_i420<Avx2>},
    .dxt1_decode = {Avx2::kLevel, dxt1_decode<Avx2>},
    .dxt5_encode_fast = {Avx2::kLevel, dxt5_encode_fast<Avx2>},
    .dxt5_encode_good = {Avx2::kLevel, dxt5_encode_good<Avx2>},
    .dxt5_decode = {Avx2::kLevel, dxt5_decode<Avx2>},
    .ycocg_encode_fast = {Avx2::kLevel, ycocg_encode_fast<Avx2>},
    .ycocg_encode_good = {Avx2::kLevel, ycocg_encode_good<Avx2>},
    .ycocg_decode = {Avx2::kLevel, ycocg_decode<Avx2>},
    .convert_nv12 = {Avx2::kLevel, convert_nv12<Avx2>},
    .convert_i420 = {Avx2::kLevel, convert_i420<Avx2>},
    .convert_rgb = {Avx2::kLevel, convert_rgb<Avx2>},
    .convert_rgba = {Avx2::kLevel, convert_rgba<Avx2>},
    .convert_bgra = {Avx2::kLevel, convert_bgra<Avx2>},
    .scale_row = {Avx2::kLevel, scale_row<Avx2>},
    .blend_rows = {Avx2::kLevel, blend_rows<Avx2>},
    .reduce_row = {Avx2::kLevel, reduce_row<Avx2>},
    .samples = &SampleLoops<Avx2>::kKernels,
    .transform = &WaveletLoops<Avx2>::kKernels,
    .ht = &kAvx2HtKernels,
};

}  // namespace codecs

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
