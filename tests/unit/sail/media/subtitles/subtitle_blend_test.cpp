#include "sail/media/subtitles/subtitle_blend.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sail
