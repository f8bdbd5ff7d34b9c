#include <algorithm>
#include <cstring>

#include "codecs/color/convert.h"
#include "codecs/dxt/dxt.h"
#include "codecs/dxt/squish_encode.h"
#include "codecs/dxt/yuv_strip.h"
#include "codecs/simd/kernels.h"

namespace codecs {
namespace {

constexpr int kStripPixels = kStripBlocks * kTexelBlock;
constexpr int kLineBytes = 64;  // cache line

bool has_four_bytes(PixelFormat format) {
  return format == PixelFormat::kRgba || format == PixelFormat::kBgra;
}

ChannelOrder order_of(PixelFormat format) {
  return format == PixelFormat::kRgba ? ChannelOrder::kRgba : ChannelOrder::kBgra;
}

// Four rows of pixels prepared for the encoder, small enough for the first-level cache.
class StripBuffer {
 public:
  // Fills a strip of `blocks` texel blocks with `width` × `height` pixels from the frame; the rest
  // repeats the last column and row.
  PixelStrip fill(const ImageView& frame, int x, int y, int width, int height, int blocks,
                  CpuLevel cpu) {
    const bool as_it_is = has_four_bytes(frame.format);
    if (as_it_is) {
      copy(frame, x, y, width, height);
    } else {
      const BgraTarget target{pixels_[0], static_cast<ptrdiff_t>(sizeof(pixels_[0]))};
      convert_to_bgra(frame, x, y, width, height, target, cpu);
    }
    PixelStrip strip{};
    for (int row = 0; row < kTexelBlock; ++row) {
      uint8_t* pixels = pixels_[std::min(row, height - 1)];
      for (int i = width; row < height && i < blocks * kTexelBlock; ++i) {
        std::memcpy(pixels + kBgraBytes * static_cast<size_t>(i),
                    pixels + kBgraBytes * static_cast<size_t>(width - 1), kBgraBytes);
      }
      strip.rows[row] = pixels;
      strip.ahead[row] = pixels;
    }
    strip.blocks = blocks;
    strip.order = as_it_is ? order_of(frame.format) : ChannelOrder::kBgra;
    return strip;
  }

 private:
  // Copies four-byte pixels: conversion would lose alpha.
  void copy(const ImageView& frame, int x, int y, int width, int height) {
    for (int row = 0; row < height; ++row) {
      std::memcpy(pixels_[row], frame.planes[0] + frame.strides[0] * (y + row) + kBgraBytes * x,
                  kBgraBytes * static_cast<size_t>(width));
    }
  }

  alignas(64) uint8_t pixels_[kTexelBlock][kStripPixels * kBgraBytes];
};

// A strip that refers directly to the frame; below the frame its last row is repeated.
PixelStrip strip_in_frame(const ImageView& frame, int x, int y, int blocks) {
  PixelStrip strip{};
  for (int row = 0; row < kTexelBlock; ++row) {
    strip.rows[row] =
        frame.planes[0] + frame.strides[0] * std::min(y + row, frame.height - 1) + kBgraBytes * x;
  }
  strip.blocks = blocks;
  strip.order = order_of(frame.format);
  return strip;
}

// Prefetch distance to the right: the next strip of a wide rectangle, or the rectangle after the
// next if rectangles are 128 pixels wide and encoded from left to right. Prefetching the rows below
// measured worse.
constexpr int kPrefetchPixels = 256;

// The kernels for a strip; `yuv`, if not null, encodes 4:2:0 directly.
struct StripKernels {
  EncodeStrip pixels;
  EncodeYuvStrip yuv;
};

// Encodes a row of rectangles, strip by strip.
class RowEncoder {
 public:
  RowEncoder(const ImageView& frame, int x, int y, int width, int height, StripKernels kernels,
             size_t block_bytes, CpuLevel cpu)
      : frame_(frame),
        x_(x),
        y_(y),
        width_(width),
        height_(height),
        kernels_(kernels),
        block_bytes_(block_bytes),
        cpu_(cpu) {}

  // Each rectangle is `piece` wide; the last one may be narrower.
  void encode(int piece, std::span<uint8_t* const> places) const {
    const Places to{places, piece, width_, block_bytes_};
    for (int y = 0; y < height_; y += kTexelBlock) {
      for (int x = 0; x < width_;) {
        const int width = strip_width(x_ + x);
        if (uint8_t* const blocks = to.at(x, y); x % piece + width <= piece) {
          encode_strip(x_ + x, y_ + y, width, blocks);
        } else {
          uint8_t blocks_of_all[kStripBlocks * kDxt5BlockBytes];
          encode_strip(x_ + x, y_ + y, width, blocks_of_all);
          to.deal_out(x, y, width, blocks_of_all);
        }
        x += width;
      }
    }
  }

 private:
  // Destinations of the rectangles' texel blocks.
  struct Places {
    std::span<uint8_t* const> places;
    int piece;
    int width;  // total width
    size_t block_bytes;

    uint8_t* at(int x, int y) const {
      const int i = x / piece;
      const auto row = static_cast<size_t>(texel_blocks(std::min(piece, width - i * piece)));
      const auto block = row * static_cast<size_t>(y / kTexelBlock) +
                         static_cast<size_t>((x - i * piece) / kTexelBlock);
      return places[static_cast<size_t>(i)] + block_bytes * block;
    }
    void deal_out(int x, int y, int count, const uint8_t* blocks) const {
      for (const int end = x + count; x < end;) {
        const int here = std::min(end - x, piece - x % piece);
        const size_t bytes = block_bytes * static_cast<size_t>(texel_blocks(here));
        uint8_t* const to = at(x, y);
        std::memcpy(to, blocks, bytes);
        // Prefetches the next row of texel blocks: rectangles are often one page each, and hardware
        // prefetchers do not cross pages.
        for (size_t i = 0; i < bytes; i += kLineBytes)
          __builtin_prefetch(to + block_bytes * static_cast<size_t>(texel_blocks(piece)) + i, 1, 2);
        blocks += bytes;
        x += here;
      }
    }
  };

  // Whole groups of texel blocks, or the few pixels left at the end of a row.
  int strip_width(int x) const {
    constexpr int kGroupPixels = kStripGroup * kTexelBlock;
    const int width = std::min(x_ + width_ - x, kStripPixels);
    return width < kGroupPixels ? width : width - width % kGroupPixels;
  }

  void encode_strip(int x, int y, int width, uint8_t* blocks) const {
    if (kernels_.yuv != nullptr) return encode_yuv_strip(x, y, width, blocks);
    const int height = std::min(kTexelBlock, y_ + height_ - y);
    const int count = texel_blocks(width);
    const int x_ahead = std::min(x + kPrefetchPixels, frame_.width - width);
    StripBuffer buffer;
    if (width % (kStripGroup * kTexelBlock) != 0) {
      uint8_t padded[kStripGroup * 16];
      kernels_.pixels(buffer.fill(frame_, x, y, width, height, kStripGroup, cpu_), padded);
      std::memcpy(blocks, padded, block_bytes_ * static_cast<size_t>(count));
    } else if (has_four_bytes(frame_.format)) {
      PixelStrip strip = strip_in_frame(frame_, x, y, count);
      std::copy_n(strip_in_frame(frame_, x_ahead, y, count).rows, kTexelBlock, strip.ahead);
      kernels_.pixels(strip, blocks);
    } else {
      prefetch_source(x_ahead, y, width);
      kernels_.pixels(buffer.fill(frame_, x, y, width, height, count, cpu_), blocks);
    }
  }

  void encode_yuv_strip(int x, int y, int width, uint8_t* blocks) const {
    const YuvMatrix matrix = yuv_matrix(frame_.matrix, frame_.range);
    const int count = texel_blocks(width);
    if (width % (kStripGroup * kTexelBlock) != 0) {
      PaddedYuvStrip strip;
      uint8_t padded[kStripGroup * kDxt1BlockBytes];
      kernels_.yuv(strip.fill(frame_, x, y, width), matrix, padded);
      std::memcpy(blocks, padded, block_bytes_ * static_cast<size_t>(count));
    } else {
      prefetch_source(std::min(x + kPrefetchPixels, frame_.width - width), y, width);
      kernels_.yuv(yuv_strip_in_frame(frame_, x, y, count), matrix, blocks);
    }
  }

  // Always inlined, like prefetch(): GCC drops calls of functions that only prefetch.
  [[gnu::always_inline]] void prefetch_source(int x, int y, int width) const {
    if (frame_.format == PixelFormat::kRgb) return prefetch(0, x * 3, y, width * 3, kTexelBlock);
    prefetch(0, x, y, width, kTexelBlock);
    const int step = chroma_rows_step(frame_.format);
    if (has_interleaved_chroma(frame_.format)) {
      prefetch(1, x, y / step, width, kTexelBlock / step);
    } else {
      prefetch(1, x / 2, y / step, width / 2, kTexelBlock / step);
      prefetch(2, x / 2, y / step, width / 2, kTexelBlock / step);
    }
  }

  [[gnu::always_inline]] void prefetch(int plane, int offset, int y, int bytes, int rows) const {
    const uint8_t* from = frame_.planes[plane] + frame_.strides[plane] * y + offset;
    const int step = plane == 0 ? 1 : chroma_rows_step(frame_.format);
    const int end = (frame_.height + step - 1) / step;
    for (int row = y; row < std::min(y + rows, end); ++row, from += frame_.strides[plane]) {
      for (int i = 0; i < bytes; i += kLineBytes) __builtin_prefetch(from + i);
    }
  }

  const ImageView& frame_;
  int x_;
  int y_;
  int width_;
  int height_;
  StripKernels kernels_;
  size_t block_bytes_;
  CpuLevel cpu_;
};

EncodeStrip kernel_of(CodecId codec, DxtMode mode, CpuLevel cpu) {
  if (mode == DxtMode::kHigh) return squish_encoder(codec);
  const KernelSet& kernels = kernels_for(cpu);
  const bool fast = mode == DxtMode::kFast;
  switch (codec) {
    case CodecId::kDxt1:
      return fast ? kernels.dxt1_encode_fast : kernels.dxt1_encode_good;
    case CodecId::kDxt5:
      return fast ? kernels.dxt5_encode_fast : kernels.dxt5_encode_good;
    case CodecId::kDxt5YCoCg:
      return fast ? kernels.ycocg_encode_fast : kernels.ycocg_encode_good;
    default:  // not DXT
      return nullptr;
  }
}

EncodeYuvStrip yuv_kernel_of(CodecId codec, DxtMode mode, PixelFormat format, CpuLevel cpu) {
  if (codec != CodecId::kDxt1 || mode != DxtMode::kFast) return nullptr;
  const KernelSet& kernels = kernels_for(cpu);
  if (format == PixelFormat::kNv12) return kernels.dxt1_encode_nv12;
  return format == PixelFormat::kI420 ? kernels.dxt1_encode_i420 : nullptr;
}

}  // namespace

void dxt_encode(CodecId codec, const ImageView& frame, int x, int y, int width, int height,
                DxtMode mode, uint8_t* blocks, CpuLevel cpu) {
  if (width <= 0) return;
  dxt_encode_row(codec, frame, x, y, width, x + width, height, mode, std::span(&blocks, 1), cpu);
}

void dxt_encode_row(CodecId codec, const ImageView& frame, int x, int y, int width, int right,
                    int height, DxtMode mode, std::span<uint8_t* const> places, CpuLevel cpu) {
  const StripKernels kernels = {kernel_of(codec, mode, cpu),
                                yuv_kernel_of(codec, mode, frame.format, cpu)};
  RowEncoder(frame, x, y, right - x, height, kernels, texel_block_bytes(codec), cpu)
      .encode(width, places);
}

}  // namespace codecs
