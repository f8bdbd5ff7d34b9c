#include "codecs/kernels.h"

#include "codecs/kernels_reference.h"
#include "codecs/kernels_vector.h"

namespace codecs {
namespace {

constexpr KernelSet kReferenceKernels = {
    .dxt1_encode_fast = {CpuLevel::kReference, reference::dxt1_encode_fast},
    .dxt1_encode_good = {CpuLevel::kReference, reference::dxt1_encode_good},
    .dxt1_encode_nv12 = {CpuLevel::kReference, reference::dxt1_encode_nv12},
    .dxt1_encode_i420 = {CpuLevel::kReference, reference::dxt1_encode_i420},
    .dxt1_decode = {CpuLevel::kReference, reference::dxt1_decode},
    .dxt5_encode_fast = {CpuLevel::kReference, reference::dxt5_encode_fast},
    .dxt5_encode_good = {CpuLevel::kReference, reference::dxt5_encode_good},
    .dxt5_decode = {CpuLevel::kReference, reference::dxt5_decode},
    .ycocg_encode_fast = {CpuLevel::kReference, reference::ycocg_encode_fast},
    .ycocg_encode_good = {CpuLevel::kReference, reference::ycocg_encode_good},
    .ycocg_decode = {CpuLevel::kReference, reference::ycocg_decode},
    .convert_nv12 = {CpuLevel::kReference, reference::convert_nv12},
    .convert_i420 = {CpuLevel::kReference, reference::convert_i420},
    .convert_rgb = {CpuLevel::kReference, reference::convert_rgb},
    .convert_rgba = {CpuLevel::kReference, reference::convert_rgba},
    .convert_bgra = {CpuLevel::kReference, reference::convert_bgra},
    .scale_row = {CpuLevel::kReference, reference::scale_row},
    .blend_rows = {CpuLevel::kReference, reference::blend_rows},
    .reduce_row = {CpuLevel::kReference, reference::reduce_row},
    .samples = &reference::kSampleKernels,
    .transform = &reference::kTransformKernels,
    .ht = &reference::kHtKernels,
};

}  // namespace

const KernelSet& kernels_for(CpuLevel level) {
  switch (level) {
    case CpuLevel::kReference:
      return kReferenceKernels;
    case CpuLevel::kSse41:
      return kSse41Kernels;
    case CpuLevel::kAvx2:
      return kAvx2Kernels;
    case CpuLevel::kAvx512:
      return kAvx512Kernels;
  }
  return kReferenceKernels;
}

}  // namespace codecs
