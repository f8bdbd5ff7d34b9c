// Everything that the templates below compile to uses avx512f,avx512bw,avx512vl,avx512dq and what
// AVX2's region has. Headers with inline functions of general use come before the region, so that
// none of those is compiled for it.
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

#ifndef __clang__
// GCC 12 sees the undefined values inside its own AVX-512 intrinsics (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#ifdef __clang__
#pragma clang attribute push(                                                            \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2,lzcnt,popcnt"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2,lzcnt,popcnt")
#endif

// clang-format off
#include "codecs/vector_avx512.h"
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

constexpr HtKernels kAvx512HtKernels = {.level = Avx512::kLevel,
                                        .encode16 = ht_encode_vector<Avx512>,
                                        .decode16 = ht_decode_vector<Avx512>,
                                        .decode16_two = ht_decode_two_vector<Avx512>};

const KernelSet kAvx512Kernels = {
    .dxt1_encode_fast = {Avx512::kLevel, dxt1_encode_fast<Avx512>},
    .dxt1_encode_good = {Avx512::kLevel, dxt1_encode_good<Avx512>},
    .dxt1_encode_nv12 = {Avx512::kLevel, dxt1_encode_nv12<Avx512>},
    .dxt1_encode_i420 = {Avx512::kLevel, dxt1_encode_i420<Avx512>},
    .dxt1_decode = {Avx512::kLevel, dxt1_decode<Avx512>},
    .dxt5_encode_fast = {Avx512::kLevel, dxt5_encode_fast<Avx512>},
    .dxt5_encode_good = {Avx512::kLevel, dxt5_encode_good<Avx512>},
    .dxt5_decode = {Avx512::kLevel, dxt5_decode<Avx512>},
    .ycocg_encode_fast = {Avx512::kLevel, ycocg_encode_fast<Avx512>},
    .ycocg_encode_good = {Avx512::kLevel, ycocg_encode_good<Avx512>},
    .ycocg_decode = {Avx512::kLevel, ycocg_decode<Avx512>},
    .convert_nv12 = {Avx512::kLevel, convert_nv12<Avx512>},
    .convert_i420 = {Avx512::kLevel, convert_i420<Avx512>},
    .convert_rgb = {Avx512::kLevel, convert_rgb<Avx512>},
    .convert_rgba = {Avx512::kLevel, convert_rgba<Avx512>},
    .convert_bgra = {Avx512::kLevel, convert_bgra<Avx512>},
    .scale_row = {Avx512::kLevel, scale_row<Avx512>},
    .blend_rows = {Avx512::kLevel, blend_rows<Avx512>},
    .reduce_row = {Avx512::kLevel, reduce_row<Avx512>},
    .samples = &SampleLoops<Avx512>::kKernels,
    .transform = &WaveletLoops<Avx512>::kKernels,
    .ht = &kAvx512HtKernels,
};

}  // namespace codecs

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
