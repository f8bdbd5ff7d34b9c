// Everything that the templates below compile to uses sse4.1. Headers with inline functions of
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
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.1")
#endif

// clang-format off
#include "codecs/vector_sse41.h"
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

constexpr HtKernels kSse41HtKernels = {.level = Sse41::kLevel,
                                       .encode16 = ht_encode_vector<Sse41>,
                                       .decode16 = ht_decode_vector<Sse41>,
                                       .decode16_two = ht_decode_two_vector<Sse41>};

const KernelSet kSse41Kernels = {
    .dxt1_encode_fast = {Sse41::kLevel, dxt1_encode_fast<Sse41>},
    .dxt1_encode_good = {Sse41::kLevel, dxt1_encode_good<Sse41>},
    .dxt1_encode_nv12 = {Sse41::kLevel, dxt1_encode_nv12<Sse41>},
    .dxt1_encode_i420 = {Sse41::kLevel, dxt1_encode_i420<Sse41>},
    .dxt1_decode = {Sse41::kLevel, dxt1_decode<Sse41>},
    .dxt5_encode_fast = {Sse41::kLevel, dxt5_encode_fast<Sse41>},
    .dxt5_encode_good = {Sse41::kLevel, dxt5_encode_good<Sse41>},
    .dxt5_decode = {Sse41::kLevel, dxt5_decode<Sse41>},
    .ycocg_encode_fast = {Sse41::kLevel, ycocg_encode_fast<Sse41>},
    .ycocg_encode_good = {Sse41::kLevel, ycocg_encode_good<Sse41>},
    .ycocg_decode = {Sse41::kLevel, ycocg_decode<Sse41>},
    .convert_nv12 = {Sse41::kLevel, convert_nv12<Sse41>},
    .convert_i420 = {Sse41::kLevel, convert_i420<Sse41>},
    .convert_rgb = {Sse41::kLevel, convert_rgb<Sse41>},
    .convert_rgba = {Sse41::kLevel, convert_rgba<Sse41>},
    .convert_bgra = {Sse41::kLevel, convert_bgra<Sse41>},
    .scale_row = {Sse41::kLevel, scale_row<Sse41>},
    .blend_rows = {Sse41::kLevel, blend_rows<Sse41>},
    .reduce_row = {Sse41::kLevel, reduce_row<Sse41>},
    .samples = &SampleLoops<Sse41>::kKernels,
    .transform = &WaveletLoops<Sse41>::kKernels,
    .ht = &kSse41HtKernels,
};

}  // namespace codecs

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
