// Strips of 4:2:0 for the kernels that encode it directly.
#pragma once

#include <algorithm>
#include <cstring>

#include "codecs/base/image.h"
#include "codecs/dxt/dxt.h"
#include "codecs/simd/kernels.h"

namespace codecs {

// A strip that refers directly to the frame; below the frame its last row is repeated.
inline YuvStrip yuv_strip_in_frame(const ImageView& frame, int x, int y, int blocks) {
  const bool interleaved = has_interleaved_chroma(frame.format);
  const int last = frame.height - 1;
  YuvStrip strip{};
  for (int row = 0; row < kTexelBlock; ++row) {
    strip.luma[row] = frame.planes[0] + frame.strides[0] * std::min(y + row, last) + x;
  }
  for (int i = 0; i < 2; ++i) {
    const int row = std::min(y + 2 * i, last) / 2;
    strip.cb[i] = frame.planes[1] + frame.strides[1] * row + (interleaved ? x : x / 2);
    if (!interleaved) strip.cr[i] = frame.planes[2] + frame.strides[2] * row + x / 2;
  }
  strip.blocks = blocks;
  return strip;
}

// A group of texel blocks that lies only partly in the frame; the last column is repeated.
class PaddedYuvStrip {
 public:
  YuvStrip fill(const ImageView& frame, int x, int y, int width) {
    YuvStrip strip = yuv_strip_in_frame(frame, x, y, kStripGroup);
    const size_t samples = static_cast<size_t>(width + 1) / 2;
    for (int i = 0; i < kTexelBlock; ++i) {
      pad<1>(strip.luma[i], luma_[i], static_cast<size_t>(width), kPixels);
    }
    for (int i = 0; i < 2; ++i) {
      if (has_interleaved_chroma(frame.format)) {
        pad<2>(strip.cb[i], chroma_[i], samples, kPixels / 2);
      } else {
        pad<1>(strip.cb[i], chroma_[i], samples, kPixels / 2);
        pad<1>(strip.cr[i], chroma_[i] + kPixels / 2, samples, kPixels / 2);
      }
    }
    return strip;
  }

 private:
  static constexpr size_t kPixels = size_t{kStripGroup} * kTexelBlock;

  template <size_t kBytes>
  static void pad(const uint8_t*& row, uint8_t* to, size_t count, size_t padded) {
    std::memcpy(to, row, count * kBytes);
    for (size_t i = count; i < padded; ++i) {
      std::memcpy(to + i * kBytes, to + (count - 1) * kBytes, kBytes);
    }
    row = to;
  }

  uint8_t luma_[kTexelBlock][kPixels];
  uint8_t chroma_[2][kPixels];
};

}  // namespace codecs
