// Frames of the pixel formats that only JPEG 2000 accepts, with their exact colours.
#pragma once

#include <gtest/gtest.h>

#include <array>

#include "codecs/base/image.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {

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
