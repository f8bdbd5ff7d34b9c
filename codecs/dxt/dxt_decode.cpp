#include <algorithm>
#include <cstdint>
#include <cstring>

#include "codecs/base/streamed_copy.h"
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

struct Decoders {
  DecodeBlocks cached;
  DecodeBlocks streamed;
};

// Decodes into a buffer, then copies the part's pixels to the target.
void decode_edge(const RowPart& part, BgraTarget target, DecodeBlocks decode) {
  if (part.width == 0) return;
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

Decoders decoders_of(CodecId codec, CpuLevel cpu) {
  const KernelSet& kernels = kernels_for(cpu);
  switch (codec) {
    case CodecId::kDxt1:
      return {kernels.dxt1_decode, kernels.dxt1_decode_streamed};
    case CodecId::kDxt5:
      return {kernels.dxt5_decode, kernels.dxt5_decode_streamed};
    case CodecId::kDxt5YCoCg:
      return {kernels.ycocg_decode, kernels.ycocg_decode_streamed};
    default:  // not DXT
      return {};
  }
}

// Decodes with both kernels: whole cache lines of the target, whose rows begin at cache lines, are
// streamed.
void decode_row_streamed(RowPart part, BgraTarget target, const Decoders& decoders) {
  const int blocks = part.width / kTexelBlock / kLineBlocks * kLineBlocks;
  if (part.left % kTexelBlock == 0 && part.height == kTexelBlock && blocks > 0) {
    decoders.streamed(part.blocks + part.left / kTexelBlock * part.block_bytes, blocks,
                      target.pixels, target.stride);
    const int width = blocks * kTexelBlock;
    part.left += width;
    part.width -= width;
    target.pixels += kBgraBytes * width;
  }
  decode_row(part, target, decoders.cached);
}

// A crop of a picture that is `width` pixels wide.
struct Crop {
  CodecId codec;
  const uint8_t* blocks;
  int width;
  int x;
  int y;
  int crop_width;
  int crop_height;
};

// Calls decode(RowPart, BgraTarget) for each row of texel blocks.
template <class Decode>
void for_each_row(const Crop& crop, BgraTarget target, const Decode& decode) {
  const auto block_bytes = static_cast<ptrdiff_t>(texel_block_bytes(crop.codec));
  const ptrdiff_t row_bytes = block_bytes * texel_blocks(crop.width);
  const int end = crop.y + crop.crop_height;
  for (int y = crop.y; y < end;) {
    const int top = y % kTexelBlock;
    const int rows = std::min(kTexelBlock - top, end - y);
    decode(RowPart{crop.blocks + row_bytes * (y / kTexelBlock), block_bytes, crop.x,
                   crop.crop_width, top, rows},
           target);
    y += rows;
    target.pixels += target.stride * rows;
  }
}

bool begins_at_cache_lines(BgraTarget target) {
  constexpr uintptr_t kLineBytes = kLineBlocks * kBlockRowBytes;
  const auto stride = static_cast<uintptr_t>(target.stride);
  return (reinterpret_cast<uintptr_t>(target.pixels) | stride) % kLineBytes == 0;
}

}  // namespace

void dxt_decode(CodecId codec, const uint8_t* blocks, int width, int /*height*/, int x, int y,
                int crop_width, int crop_height, BgraTarget target, CpuLevel cpu) {
  const DecodeBlocks decode = decoders_of(codec, cpu).cached;
  for_each_row({codec, blocks, width, x, y, crop_width, crop_height}, target,
               [decode](const RowPart& part, BgraTarget to) { decode_row(part, to, decode); });
}

void dxt_decode_streamed(CodecId codec, const uint8_t* blocks, int width, int height, int x, int y,
                         int crop_width, int crop_height, BgraTarget target, CpuLevel cpu) {
  if (!begins_at_cache_lines(target)) {
    return dxt_decode(codec, blocks, width, height, x, y, crop_width, crop_height, target, cpu);
  }
  const Decoders decoders = decoders_of(codec, cpu);
  for_each_row(
      {codec, blocks, width, x, y, crop_width, crop_height}, target,
      [&](const RowPart& part, BgraTarget to) { decode_row_streamed(part, to, decoders); });
  finish_streaming();
}

}  // namespace codecs
