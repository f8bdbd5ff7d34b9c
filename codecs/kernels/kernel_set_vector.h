// All kernels as templates over a vector type. Included in target regions, after kernels_vector.h.
#pragma once

#include "codecs/color/color_table_vector.h"
#include "codecs/color/convert_vector.h"
#include "codecs/color/scaling_vector.h"
#include "codecs/color/yuv_color_table_vector.h"
#include "codecs/dxt/color_vector.h"
#include "codecs/dxt/dxt1_decode_vector.h"
#include "codecs/dxt/dxt1_encode_vector.h"
#include "codecs/dxt/dxt1_yuv_encode_vector.h"
#include "codecs/dxt/dxt5_decode_vector.h"
#include "codecs/dxt/dxt5_encode_vector.h"
#include "codecs/dxt/ycocg_decode_vector.h"
#include "codecs/dxt/ycocg_encode_vector.h"
#include "codecs/ht/ht_decode_vector.h"
#include "codecs/ht/ht_encode_vector.h"
#include "codecs/htj2k/sample_loops.h"
#include "codecs/htj2k/wavelet_loops.h"
#include "codecs/htj2k/wavelet_vector.h"

namespace codecs {

template <class V>
constexpr HtKernels kHtKernelSet = {.level = V::kLevel,
                                    .encode16 = ht_encode_vector<V>,
                                    .decode16 = ht_decode_vector<V>,
                                    .decode16_two = ht_decode_two_vector<V>};

template <class V>
constexpr TransformKernels transform_kernels() {
  TransformKernels kernels = WaveletLoops<V>::kKernels;
  kernels.irreversible.inverse_across = InverseAcross<V>::run;
  kernels.irreversible.forward_across = ForwardAcross<V>::run;
  kernels.color.halves_to_bytes = HalvesToBytes<V>::bytes;
  kernels.color.halves_to_bgra = HalvesToBytes<V>::bgra;
  return kernels;
}
template <class V>
constexpr TransformKernels kTransformKernels = transform_kernels<V>();

template <class V>
constexpr KernelSet kKernelSet = {
    .dxt1_encode_fast = dxt1_encode_fast<V>,
    .dxt1_encode_good = dxt1_encode_good<V>,
    .dxt1_encode_nv12 = dxt1_encode_nv12<V>,
    .dxt1_encode_i420 = dxt1_encode_i420<V>,
    .dxt1_decode = dxt1_decode<V, false>,
    .dxt1_decode_streamed = dxt1_decode<V, true>,
    .dxt5_encode_fast = dxt5_encode_fast<V>,
    .dxt5_encode_good = dxt5_encode_good<V>,
    .dxt5_decode = dxt5_decode<V, false>,
    .dxt5_decode_streamed = dxt5_decode<V, true>,
    .ycocg_encode_fast = ycocg_encode_fast<V>,
    .ycocg_encode_good = ycocg_encode_good<V>,
    .ycocg_decode = ycocg_decode<V, false>,
    .ycocg_decode_streamed = ycocg_decode<V, true>,
    .convert_nv12 = convert_nv12<V>,
    .convert_i420 = convert_i420<V>,
    .convert_rgb = convert_rgb<V>,
    .convert_rgba = convert_rgba<V>,
    .convert_bgra = convert_bgra<V>,
    .scale_row = scale_row<V>,
    .blend_rows = blend_rows<V>,
    .reduce_row = reduce_row<V>,
    .map_colors = map_colors<V>,
    .prisms = &PrismVectors<V>::kKernels,
    .samples = &SampleLoops<V>::kKernels,
    .transform = &kTransformKernels<V>,
    .ht = &kHtKernelSet<V>,
};

}  // namespace codecs
