#include <algorithm>
#include <cstring>

#include "codecs/convert.h"
#include "codecs/dxt1.h"
#include "codecs/kernels.h"

namespace codecs {
namespace {

constexpr int kStripPixels = kStripBlocks * kTexelBlock;
constexpr size_t kPixelBytes = 4;

bool has_four_bytes(PixelFormat format) {
  return format == PixelFormat::kRgba || format == PixelFormat::kBgra;
}

// Four rows of pixels made for the encoder, in the first-level cache.
class StripBuffer {
 public:
  // A strip of `blocks` texel blocks, of which `width` × `height` pixels come from the frame and
  // the rest repeat the last column and row.
  PixelStrip fill(const ImageView& frame, int x, int y, int width, int height, int blocks,
                  CpuLevel cpu) {
    const BgraTarget target{pixels_[0], static_cast<ptrdiff_t>(sizeof(pixels_[0]))};
    convert_to_bgra(frame, x, y, width, height, target, cpu);
    PixelStrip strip{};
    for (int row = 0; row < kTexelBlock; ++row) {
      uint8_t* pixels = pixels_[std::min(row, height - 1)];
      for (int i = width; row < height && i < blocks * kTexelBlock; ++i) {
        std::memcpy(pixels + kPixelBytes * static_cast<size_t>(i),
                    pixels + kPixelBytes * static_cast<size_t>(width - 1), kPixelBytes);
      }
      strip.rows[row] = pixels;
      strip.ahead[row] = pixels;
    }
    strip.blocks = blocks;
    strip.order = ChannelOrder::kBgra;
    return strip;
  }

 private:
  alignas(64) uint8_t pixels_[kTexelBlock][kStripPixels * kPixelBytes];
};

// A strip read straight from the frame; below the frame's end its last row is repeated.
PixelStrip strip_in_frame(const ImageView& frame, int x, int y, int blocks) {
  PixelStrip strip{};
  for (int row = 0; row < kTexelBlock; ++row) {
    strip.rows[row] = frame.planes[0] + frame.strides[0] * std::min(y + row, frame.height - 1) +
                      static_cast<ptrdiff_t>(kPixelBytes) * x;
    strip.ahead[row] = strip.rows[row] + 2 * kStripPixels * kPixelBytes;
  }
  strip.blocks = blocks;
  strip.order = frame.format == PixelFormat::kRgba ? ChannelOrder::kRgba : ChannelOrder::kBgra;
  return strip;
}

void encode_row(const ImageView& frame, int x, int y, int width, int height, EncodeStrip encode,
                uint8_t* blocks, CpuLevel cpu) {
  while (width > 0) {
    int strip_width = std::min(width, kStripPixels);
    const bool whole_groups = strip_width >= kStripGroup * kTexelBlock;
    if (whole_groups) strip_width -= strip_width % (kStripGroup * kTexelBlock);
    const int count = texel_blocks(strip_width);
    StripBuffer buffer;
    if (whole_groups) {
      encode(has_four_bytes(frame.format)
                 ? strip_in_frame(frame, x, y, count)
                 : buffer.fill(frame, x, y, strip_width, height, count, cpu),
             blocks);
    } else {
      uint8_t padded[kStripGroup * kDxt1BlockBytes];
      encode(buffer.fill(frame, x, y, strip_width, height, kStripGroup, cpu), padded);
      std::memcpy(blocks, padded, static_cast<size_t>(count) * kDxt1BlockBytes);
    }
    x += strip_width;
    width -= strip_width;
    blocks += static_cast<size_t>(count) * kDxt1BlockBytes;
  }
}

}  // namespace

void dxt1_encode(const ImageView& frame, int x, int y, int width, int height, Dxt1Mode mode,
                 uint8_t* blocks, CpuLevel cpu) {
  const KernelSet& kernels = kernels_for(cpu);
  const EncodeStrip encode =
      mode == Dxt1Mode::kFast ? kernels.dxt1_encode_fast.run : kernels.dxt1_encode_good.run;
  for (int row = 0; row < height; row += kTexelBlock) {
    encode_row(frame, x, y + row, width, std::min(kTexelBlock, height - row), encode, blocks, cpu);
    blocks += static_cast<size_t>(texel_blocks(width)) * kDxt1BlockBytes;
  }
}

}  // namespace codecs
