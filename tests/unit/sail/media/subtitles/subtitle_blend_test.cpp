#include "sail/media/subtitles/subtitle_blend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "codecs/color/cinema_color.h"
#include "codecs/color/convert.h"
#include "sail/media/source/picture_encoder.h"

namespace sail {
namespace {

constexpr Size kSize{7, 5};  // odd, so chroma has half pixels
constexpr ptrdiff_t kStride = 64;
constexpr size_t kPlane = kStride * 8;

struct Frame {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(3 * kPlane, 0);
  SubtitleCanvas canvas;

  explicit Frame(sail_pixel_format format, sail_color_range range = SAIL_LIMITED, int bits = 8) {
    canvas = {.size = kSize,
              .format = format,
              .bits = bits,
              .matrix = SAIL_BT709,
              .range = range,
              .planes = {bytes.data(), bytes.data() + kPlane, bytes.data() + 2 * kPlane},
              .strides = {kStride, kStride, kStride}};
  }
  // B, G, R.
  std::array<int, 3> color_at(int x, int y) {
    Picture picture;
    picture.size = kSize;
    picture.pixels.format = canvas.format;
    picture.pixels.matrix = canvas.matrix;
    picture.pixels.range = canvas.range;
    for (size_t i = 0; i < 3; ++i) {
      picture.pixels.planes[i] = canvas.planes[i];
      picture.pixels.strides[i] = kStride;
    }
    uint8_t bgra[4] = {};
    codecs::convert_to_bgra(view_of(picture), x, y, 1, 1, {bgra, 4}, codecs::CpuLevel::kReference);
    return {bgra[0], bgra[1], bgra[2]};
  }
};

std::vector<SubtitlePatch> orange(Rect rect) {
  std::vector<uint8_t> bgra;
  for (int i = 0; i < rect.width * rect.height; ++i) bgra.insert(bgra.end(), {20, 120, 240, 255});
  return {{rect, bgra}};
}

class BlendInto : public testing::TestWithParam<std::pair<sail_pixel_format, sail_color_range>> {};

TEST_P(BlendInto, OpaqueColoursAreExactAndTheRestIsUntouched) {
  Frame frame(GetParam().first, GetParam().second);
  for (size_t i = 0; i < frame.bytes.size(); ++i)
    frame.bytes[i] = static_cast<uint8_t>(100 + i % 7);
  const std::vector<uint8_t> before = frame.bytes;
  SubtitleBlender blender;
  blender.blend(frame.canvas);
  EXPECT_EQ(frame.bytes, before) << "nothing was set";

  blender.set(orange({2, 2, 5, 3}));  // to the last column and row
  blender.blend(frame.canvas);
  for (const auto& [x, y] : {std::pair(2, 2), std::pair(6, 2), std::pair(6, 4)}) {
    const auto color = frame.color_at(x, y);
    EXPECT_NEAR(color[0], 20, 3);
    EXPECT_NEAR(color[1], 120, 3);
    EXPECT_NEAR(color[2], 240, 3);
  }
  for (size_t row = 0; row < 2; ++row) {
    EXPECT_TRUE(std::equal(frame.bytes.begin() + row * kStride,
                           frame.bytes.begin() + (row + 1) * kStride,
                           before.begin() + row * kStride));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, BlendInto,
    testing::Values(std::pair(SAIL_RGBA, SAIL_FULL), std::pair(SAIL_BGRA, SAIL_FULL),
                    std::pair(SAIL_RGB, SAIL_FULL), std::pair(SAIL_NV12, SAIL_LIMITED),
                    std::pair(SAIL_I420, SAIL_FULL), std::pair(SAIL_NV16, SAIL_LIMITED),
                    std::pair(SAIL_I422, SAIL_LIMITED)));

TEST(SubtitleBlend, HalfTransparentWhiteInDeepSamples) {
  Frame frame(SAIL_I420_DEEP, SAIL_LIMITED, 10);
  auto* luma = reinterpret_cast<uint16_t*>(frame.canvas.planes[0]);
  auto* blue = reinterpret_cast<uint16_t*>(frame.canvas.planes[1]);
  std::fill_n(luma, 7, uint16_t{64});  // black
  std::fill_n(blue, 4, uint16_t{512});
  SubtitleBlender blender;
  blender.set({{{1, 0, 1, 1}, {51, 51, 51, 51}}});  // white at a fifth
  blender.blend(frame.canvas);
  EXPECT_EQ(luma[0], 64);
  EXPECT_EQ(luma[1], 64 + 876 / 5);
  EXPECT_EQ(luma[2], 64);
  EXPECT_EQ(blue[0], 512) << "white and black have no colour";
}

TEST(SubtitleBlend, TransparentPicturesGetAlpha) {
  Frame frame(SAIL_BGRA);
  SubtitleBlender blender;
  blender.set(orange({0, 0, 1, 1}));
  blender.blend(frame.canvas);
  EXPECT_EQ(frame.bytes[3], 255);
  EXPECT_EQ(frame.bytes[7], 0);
}

TEST(SubtitleBlend, TransparentPicturesKeepTheColourOfTheSubtitle) {
  for (const sail_pixel_format format : {SAIL_BGRA, SAIL_RGBA}) {
    Frame frame(format);
    frame.canvas.transparent = true;
    const std::vector<uint8_t> before = {
        200, 200, 200, 0,    // nothing
        200, 200, 200, 128,  // a grey that is half seen
        200, 200, 200, 255,  // grey
    };
    std::copy(before.begin(), before.end(), frame.bytes.begin());
    SubtitleBlender blender;
    blender.set(
        {{{0, 0, 3, 1}, std::vector<uint8_t>{0, 51, 51, 51, 0, 51, 51, 51, 0, 51, 51, 51}}});
    blender.blend(frame.canvas);
    // Yellow at a fifth, over each of these.
    const int blue = format == SAIL_BGRA ? 0 : 2;
    const auto at = [&](int pixel, int byte) {
      return static_cast<int>(frame.bytes[static_cast<size_t>(4 * pixel + byte)]);
    };
    EXPECT_EQ(at(0, 3), 51);
    EXPECT_EQ(at(0, 1), 255);
    EXPECT_EQ(at(0, blue), 0) << "none of the grey that nobody sees";
    EXPECT_NEAR(at(1, 3), 51 + 128 * 4 / 5, 1);
    EXPECT_NEAR(at(1, blue), 200 * 102 / 153, 1);
    EXPECT_NEAR(at(1, 1), (255 * 51 + 200 * 102) / 153, 1);
    EXPECT_EQ(at(2, 3), 255);
    EXPECT_NEAR(at(2, blue), 160, 1);
    EXPECT_NEAR(at(2, 1), 51 + 160, 1);
  }
}

// sRGB's red in P3 with gamma 2.2 is as in color_transform_test.cpp.
TEST(SubtitleBlend, ColoursAreConvertedForTheDisplay) {
  for (const sail_pixel_format format : {SAIL_BGRA, SAIL_I420}) {
    Frame frame(format);
    frame.canvas.display = {codecs::Primaries::kP3, 300, 2.2};
    SubtitleBlender blender;
    std::vector<uint8_t> red, white;
    for (int i = 0; i < 4; ++i) {
      red.insert(red.end(), {0, 0, 255, 255});
      white.insert(white.end(), {255, 255, 255, 255});
    }
    blender.set({{{0, 0, 2, 2}, red}, {{2, 0, 2, 2}, white}});
    blender.blend(frame.canvas);
    const auto shown = frame.color_at(0, 0);
    EXPECT_NEAR(shown[2], 233, 3);
    EXPECT_NEAR(shown[1], 54, 3);
    EXPECT_NEAR(shown[0], 40, 3);
    const auto still_white = frame.color_at(2, 0);
    for (const int level : still_white) EXPECT_NEAR(level, 255, 2);
  }
  Frame frame(SAIL_BGRA);
  frame.canvas.display = {codecs::Primaries::kP3, 300, 2.2};
  SubtitleBlender blender;
  blender.set({{{0, 0, 1, 1}, std::vector<uint8_t>{0, 0, 51, 51}}});  // red at a fifth
  blender.blend(frame.canvas);
  EXPECT_NEAR(frame.bytes[2], 233 / 5, 1);
  EXPECT_NEAR(frame.bytes[1], 54 / 5, 1);
}

TEST(SubtitleBlend, ColoursOfCinemaAreThoseOfTheDisplay) {
  Frame frame(SAIL_RGB_DEEP, SAIL_FULL, 12);
  frame.canvas.matrix = SAIL_XYZ;
  frame.canvas.display = {codecs::Primaries::kP3, 300, 2.2};  // the receiver converts
  SubtitleBlender blender;
  std::vector<uint8_t> bgra = {20, 120, 240, 255, 255, 255, 255, 255,
                               0,  0,   0,   255, 100, 100, 100, 128};
  blender.set({{{0, 0, 4, 1}, bgra}});
  blender.blend(frame.canvas);
  const auto* samples = reinterpret_cast<const uint16_t*>(frame.bytes.data());
  const std::vector<std::array<int, 3>> expected = {{20, 120, 240}, {255, 255, 255}, {0, 0, 0}};
  const codecs::CinemaColor cinema(12);
  for (size_t i = 0; i < expected.size(); ++i) {
    const uint16_t* const xyz[3] = {samples + 3 * i, samples + 3 * i + 1, samples + 3 * i + 2};
    const float half = 0.5F;
    uint8_t shown[4] = {};
    cinema.show_row(xyz, 1, &half, shown);
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(shown[c], expected[i][c], 2) << i << " " << c;
  }
  EXPECT_NEAR(samples[3 + 1], 4095 * std::pow(48 / 52.37, 1 / 2.6), 1) << "white";
  EXPECT_EQ(samples[4 * 3], 0) << "beside it";
}

}  // namespace
}  // namespace sail
