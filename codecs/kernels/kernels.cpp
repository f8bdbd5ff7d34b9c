#include "codecs/simd/kernels.h"

#include "codecs/htj2k/sample_loops.h"
#include "codecs/htj2k/wavelet_loops.h"
#include "codecs/kernels/kernels_vector.h"

namespace codecs {
namespace {

struct Plain {
  static constexpr CpuLevel kLevel = CpuLevel::kReference;
};

constexpr KernelSet kReferenceKernels = {
    .dxt1_encode_fast = reference::dxt1_encode_fast,
    .dxt1_encode_good = reference::dxt1_encode_good,
    .dxt1_encode_nv12 = reference::dxt1_encode_nv12,
    .dxt1_encode_i420 = reference::dxt1_encode_i420,
    .dxt1_decode = reference::dxt1_decode,
    .dxt1_decode_streamed = reference::dxt1_decode,
    .dxt5_encode_fast = reference::dxt5_encode_fast,
    .dxt5_encode_good = reference::dxt5_encode_good,
    .dxt5_decode = reference::dxt5_decode,
    .dxt5_decode_streamed = reference::dxt5_decode,
    .ycocg_encode_fast = reference::ycocg_encode_fast,
    .ycocg_encode_good = reference::ycocg_encode_good,
    .ycocg_decode = reference::ycocg_decode,
    .ycocg_decode_streamed = reference::ycocg_decode,
    .convert_nv12 = reference::convert_nv12,
    .convert_i420 = reference::convert_i420,
    .convert_rgb = reference::convert_rgb,
    .convert_rgba = reference::convert_rgba,
    .convert_bgra = reference::convert_bgra,
    .scale_row = reference::scale_row,
    .blend_rows = reference::blend_rows,
    .reduce_row = reference::reduce_row,
    .map_colors = reference::map_colors,
    .prisms = &reference::kPrismKernels,
    .samples = &SampleLoops<Plain>::kKernels,
    .transform = &WaveletLoops<Plain>::kKernels,
    .ht = &reference::kHtKernels,
};

}  // namespace

const KernelSet& kernels_for(CpuLevel level) {
  switch (level) {
    case CpuLevel::kReference:
      return kReferenceKernels;
#ifdef __aarch64__
    case CpuLevel::kNeon:
      return kNeonKernels;
#else
    case CpuLevel::kSse41:
      return kSse41Kernels;
    case CpuLevel::kAvx2:
      return kAvx2Kernels;
    case CpuLevel::kAvx512:
      return kAvx512Kernels;
#endif
  }
  return kReferenceKernels;
}

}  // namespace codecs
