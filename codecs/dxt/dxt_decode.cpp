#include <algorithm>
#include <cstring>

#include "codecs/dxt/dxt.h"
#include "codecs/simd/kernels.h"

namespace codecs {
namespace {

constexpr int kBlockRowBytes = kTexelBlock * kBgraBytes;
constexpr int kEdgeBlocks = 64;

// Part of a row of texel blocks: its pixels [left, left + width) × [top, top + height).
struct RowPart {
  const uint8_t* blocks;
  ptrdiff_t block_bytes;
  int left;
  int width;
  int top;
  int height;
};

// Decodes into a buffer, then copies the part's pixels to the target.
void decode_edge(const RowPart& part, BgraTarget target, DecodeBlocks decode) {
  alignas(64) uint8_t pixels[kTexelBlock][kEdgeBlocks * kBlockRowBytes];
  int left = part.left % kTexelBlock;
  int width = part.width;
  const uint8_t* blocks = part.blocks + part.left / kTexelBlock * part.block_bytes;
  while (width > 0) {
    const int count = std::min(texel_blocks(left + width), kEdgeBlocks);
    const int copied = std::min(width, count * kTexelBlock - left);
    decode(blocks, count, pixels[0], sizeof(pixels[0]));
    for (int row = 0; row < part.height; ++row) {
      std::memcpy(target.pixels + target.stride * row, pixels[part.top + row] + kBgraBytes * left,
                  static_cast<size_t>(copied) * kBgraBytes);
    }
    blocks += part.block_bytes * count;
    target.pixels += kBgraBytes * copied;
    width -= copied;
    left = 0;
  }
}

// Decodes whole texel blocks directly into the target, and blocks that the crop cuts by way of a
// buffer.
void decode_row(const RowPart& part, BgraTarget target, DecodeBlocks decode) {
  const int end = part.left + part.width;
  const int whole_begin = texel_blocks(part.left);
  const int whole_end = end / kTexelBlock;
  if (part.height < kTexelBlock || whole_end <= whole_begin) {
    return decode_edge(part, target, decode);
  }
  const auto at = [&](int x) {
    return BgraTarget{target.pixels + kBgraBytes * (x - part.left), target.stride};
  };
  const int inner_left = whole_begin * kTexelBlock;
  const int inner_end = whole_end * kTexelBlock;
  decode_edge({part.blocks, part.block_bytes, part.left, inner_left - part.left, 0, kTexelBlock},
              target, decode);
  decode(part.blocks + part.block_bytes * whole_begin, whole_end - whole_begin,
         at(inner_left).pixels, target.stride);
  decode_edge({part.blocks, part.block_bytes, inner_end, end - inner_end, 0, kTexelBlock},
              at(inner_end), decode);
}

DecodeBlocks kernel_of(CodecId codec, CpuLevel cpu) {
  const KernelSet& kernels = kernels_for(cpu);
  switch (codec) {
    case CodecId::kDxt1:
      return kernels.dxt1_decode;
    case CodecId::kDxt5:
      return kernels.dxt5_decode;
    case CodecId::kDxt5YCoCg:
      return kernels.ycocg_decode;
    default:  // not DXT
      return nullptr;
  }
}

}  // namespace

void dxt_decode(CodecId codec, const uint8_t* blocks, int width, int /*height*/, int x, int y,
                int crop_width, int crop_height, BgraTarget target, CpuLevel cpu) {
  const DecodeBlocks decode = kernel_of(codec, cpu);
  const auto block_bytes = static_cast<ptrdiff_t>(texel_block_bytes(codec));
  const ptrdiff_t row_bytes = block_bytes * texel_blocks(width);
  const int end = y + crop_height;
  while (y < end) {
    const int top = y % kTexelBlock;
    const int rows = std::min(kTexelBlock - top, end - y);
    decode_row({blocks + row_bytes * (y / kTexelBlock), block_bytes, x, crop_width, top, rows},
               target, decode);
    y += rows;
    target.pixels += target.stride * rows;
  }
}

}  // namespace codecs
