// Test pictures with known properties, and memory that detects stray accesses.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"

namespace codecs::test {

enum class Content { kFlat, kGradient, kTwoColours, kNoise, kPhotograph, kText };
constexpr Content kAllContents[] = {Content::kFlat,  Content::kGradient,   Content::kTwoColours,
                                    Content::kNoise, Content::kPhotograph, Content::kText};
const char* content_name(Content content);

constexpr PixelFormat kAllFormats[] = {PixelFormat::kRgba, PixelFormat::kBgra, PixelFormat::kRgb,
                                       PixelFormat::kNv12, PixelFormat::kI420, PixelFormat::kNv16,
                                       PixelFormat::kI422};

// CPU levels of this machine, the reference first.
std::vector<CpuLevel> available_levels();

// Exactly sized, so that AddressSanitizer detects the first byte accessed beyond it.
using Bytes = std::vector<uint8_t>;

// Packed R, G, B.
struct Picture {
  int width = 0;
  int height = 0;
  Bytes rgb;
  const uint8_t* at(int x, int y) const {
    return rgb.data() +
           (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) * 3;
  }
};
Picture make_picture(Content content, int width, int height, uint32_t seed = 1);

// The picture in another format, with separately allocated planes. The last row of each plane ends
// at the end of its allocation.
struct Frame {
  ImageView view;
  Bytes planes[3];
};
Frame make_frame(const Picture& picture, PixelFormat format, int stride_padding = 0);

// An output buffer with guard bytes around it and between rows.
class GuardedPixels {
 public:
  GuardedPixels(int width, int height, int stride_padding = 12);
  BgraTarget target();
  const uint8_t* at(int x, int y) const;
  // Only the pixels, row by row.
  Bytes pixels() const;
  // Returns true if all guard bytes are unchanged.
  bool guards_untouched() const;

 private:
  static constexpr uint8_t kGuard = 0xa5;
  static constexpr size_t kMargin = 64;
  int width_;
  int height_;
  size_t stride_;
  Bytes bytes_;
};

// Peak signal-to-noise ratio over red, green and blue; `bgra` is packed.
double psnr(const Picture& picture, const Bytes& bgra);

// Frames of the pixel formats that only JPEG 2000 accepts, with their exact colours.
constexpr PixelFormat kDeepFormats[] = {PixelFormat::kI444, PixelFormat::kI420Deep,
                                        PixelFormat::kI422Deep, PixelFormat::kI444Deep,
                                        PixelFormat::kRgbDeep};

struct DeepFrame {
  ImageView view;
  Bytes planes[3];
};
// Smooth with grain and a few extremes; unused bits are noise. kI444 has 8 bits whatever `bits` is.
DeepFrame make_deep_frame(PixelFormat format, int bits, int width, int height,
                          ColorMatrix matrix = ColorMatrix::kBt709,
                          ColorRange range = ColorRange::kLimited);

// Red, green, blue of a pixel as levels 0 … 255, not rounded.
std::array<double, 3> exact_levels(const ImageView& frame, int x, int y);

// Dither value, between 0 and 1, added before a level of more than 8 bits is truncated.
double dither_at(int x, int y);

// Returns true if the pixels are the frame's levels, dithered with origin (frame_x, frame_y), or
// rounded for 8 bits.
testing::AssertionResult shows(const GuardedPixels& pixels, const ImageView& frame, int frame_x,
                               int frame_y);

}  // namespace codecs::test
