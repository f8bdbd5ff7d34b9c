// Frames of the formats that only JPEG 2000 takes, and what they show, in double precision.
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
// Smooth, with grain and a few extremes; the bits that do not count are noise. kI444 is of 8 bits
// whatever `bits` says.
DeepFrame make_deep_frame(PixelFormat format, int bits, int width, int height,
                          ColorMatrix matrix = ColorMatrix::kBt709,
                          ColorRange range = ColorRange::kLimited);

// Red, green, blue of a pixel as levels of 0 … 255, not yet rounded.
std::array<double, 3> exact_levels(const ImageView& frame, int x, int y);

// Between 0 and 1: what is added to a level of more than 8 bits before it is cut off.
double dither_at(int x, int y);

// Whether the pixels are the frame's levels, dithered as from (frame_x, frame_y) on or, of 8 bits,
// rounded.
testing::AssertionResult shows(const GuardedPixels& pixels, const ImageView& frame, int frame_x,
                               int frame_y);

}  // namespace codecs::test
