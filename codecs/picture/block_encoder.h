// Encodes pixel blocks of any codec, and gives bounds of their size.
//
// One thread at a time per object; allocates only for blocks larger than any before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"
#include "codecs/dxt/dxt.h"
#include "codecs/j2k/j2k.h"
#include "codecs/picture/reduced_picture.h"
#include "codecs/picture/second_stage.h"

namespace codecs {

// Upper bound of an encoded block. For JPEG 2000: lossless coding of 16-bit noise, plus headers.
// For a carried stream: four bytes per pixel, but at least 4 MiB and at most 64 MiB.
size_t max_block_bytes(CodecId codec, int width, int height);
// Whether a frame's blocks are 8-bit YUV 4:2:0, as packed kI420: raw blocks without a second stage,
// of frames whose matrix is one of Y, Cb and Cr.
constexpr bool is_planar(CodecId codec, Compression compression, ColorMatrix matrix) {
  return codec == CodecId::kRaw && compression == Compression::kNone &&
         matrix != ColorMatrix::kRgb && matrix != ColorMatrix::kXyz;
}

// Bounds of a block of a frame with this matrix; `least` is `most` for DXT and raw blocks without a
// second stage.
struct BlockBounds {
  size_t least;
  size_t most;
};
BlockBounds block_bounds(CodecId codec, Compression compression, ColorMatrix matrix, int width,
                         int height);

// Encoder settings besides the codec.
struct BlockQuality {
  DxtMode mode = DxtMode::kGood;  // DXT only
  J2kQuality j2k;                 // JPEG 2000 only
  bool planar = false;            // as is_planar(); only of unreduced frames in kI420 or kNv12
};

class BlockEncoder {
 public:
  // A second stage is allowed for DXT and raw blocks only.
  BlockEncoder(CodecId codec, Compression compression);

  // Encodes the rectangle at (x, y), multiples of 4 (JPEG 2000: of 2), in pixels of the frame
  // reduced `reduction` times. `out` has room for max_block_bytes(). Returns the lengths that
  // further reductions need; they differ only for JPEG 2000. All zeros if the encoder failed (JPEG
  // 2000 only).
  PrefixBytes encode(const ImageView& frame, int reduction, int x, int y, int width, int height,
                     const BlockQuality& quality, std::span<uint8_t> out);

  // Whether encode_row() is faster for adjacent blocks: DXT without a second stage.
  bool encodes_rows() const { return !j2k_ && !second_stage_ && codec_ != CodecId::kRaw; }
  // Encodes adjacent blocks of an unreduced frame, from x to `right`, each `width` wide; the last
  // one may be narrower. places[i] has room for max_block_bytes() of block i.
  void encode_row(const ImageView& frame, int x, int y, int width, int right, int height,
                  DxtMode mode, std::span<uint8_t* const> places) const {
    dxt_encode_row(codec_, frame, x, y, width, right, height, mode, places, cpu_);
  }

 private:
  void encode_pixels(const ImageView& frame, int reduction, int x, int y, int width, int height,
                     DxtMode mode, uint8_t* out);

  CodecId codec_;
  CpuLevel cpu_;
  std::unique_ptr<SecondStage> second_stage_;
  std::unique_ptr<J2kEncoder> j2k_;
  std::vector<uint8_t> plain_;  // input of the second stage
  ReducedPicture reduced_;
};

}  // namespace codecs
