#include "codecs/picture/reduced_picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <vector>

#include "codecs/color/scaling.h"

namespace codecs {
namespace {

struct PlaneShape {
  int channels;
  int step_x;
  int step_y;
};

struct FormatCase {
  PixelFormat format;
  int sample_bytes;
  std::vector<PlaneShape> planes;
};

const FormatCase kFormats[] = {
    {PixelFormat::kNv12, 1, {{1, 1, 1}, {2, 2, 2}}},
    {PixelFormat::kI420, 1, {{1, 1, 1}, {1, 2, 2}, {1, 2, 2}}},
    {PixelFormat::kNv16, 1, {{1, 1, 1}, {2, 2, 1}}},
    {PixelFormat::kI422, 1, {{1, 1, 1}, {1, 2, 1}, {1, 2, 1}}},
    {PixelFormat::kI444, 1, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}},
    {PixelFormat::kI420Deep, 2, {{1, 1, 1}, {1, 2, 2}, {1, 2, 2}}},
    {PixelFormat::kI422Deep, 2, {{1, 1, 1}, {1, 2, 1}, {1, 2, 1}}},
    {PixelFormat::kI444Deep, 2, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}},
    {PixelFormat::kRgbDeep, 2, {{3, 1, 1}}},
};

int sample_at(const uint8_t* row, int index, int bytes) {
  if (bytes == 1) return row[index];
  uint16_t sample = 0;
  std::memcpy(&sample, row + ptrdiff_t{2} * index, 2);
  return sample;
}

// A noise frame whose stride is longer than its rows.
class NoiseFrame {
 public:
  NoiseFrame(const FormatCase& format, int width, int height) {
    std::mt19937 random(3);
    view_.format = format.format;
    view_.width = width;
    view_.height = height;
    view_.bits = format.sample_bytes == 2 ? 12 : 8;
    for (size_t i = 0; i < format.planes.size(); ++i) {
      const auto& [channels, step_x, step_y] = format.planes[i];
      const int samples = (width + step_x - 1) / step_x * channels;
      view_.strides[i] = ptrdiff_t{samples} * format.sample_bytes + 6;
      planes_[i].resize(static_cast<size_t>(view_.strides[i] * ((height + step_y - 1) / step_y)));
      for (size_t at = 0; at < planes_[i].size(); ++at) {
        planes_[i][at] =
            static_cast<uint8_t>(random() % (at % 2 == 1 && format.sample_bytes == 2 ? 16 : 256));
      }
      view_.planes[i] = planes_[i].data();
    }
  }
  const ImageView& view() const { return view_; }

 private:
  ImageView view_;
  std::vector<uint8_t> planes_[3];
};

class ReducedPictureTest : public testing::TestWithParam<FormatCase> {};

TEST_P(ReducedPictureTest, IsTheMeanOfEachSquareInTheFormatOfTheFrame) {
  const FormatCase& format = GetParam();
  const NoiseFrame frame(format, 203, 101);
  ReducedPicture reduced;
  for (int reduction = 1; reduction <= kMaxReduction; ++reduction) {
    const int right = reduced_side(203, reduction);
    const int bottom = reduced_side(101, reduction);
    for (const auto& [x, y, width, height] :
         {std::array{0, 0, right, bottom}, std::array{4, 2, right - 4, bottom - 2},
          std::array{2, 4, 7, 3}}) {
      const ImageView& view =
          reduced.make(frame.view(), reduction, x, y, width, height, CpuLevel::kReference);
      ASSERT_EQ(view.format, format.format);
      ASSERT_EQ(view.bits, frame.view().bits);
      ASSERT_EQ(view.width, width);
      for (size_t i = 0; i < format.planes.size(); ++i) {
        const auto& [channels, step_x, step_y] = format.planes[i];
        const int plane_width = (203 + step_x - 1) / step_x;
        const int plane_height = (101 + step_y - 1) / step_y;
        for (int row = 0; row < (height + step_y - 1) / step_y; ++row) {
          for (int at = 0; at < (width + step_x - 1) / step_x * channels; ++at) {
            const int left = (x / step_x + at / channels) << reduction;
            const int top = (y / step_y + row) << reduction;
            int sum = 0;
            int area = 0;
            for (int sy = top; sy < std::min(top + (1 << reduction), plane_height); ++sy) {
              for (int sx = left; sx < std::min(left + (1 << reduction), plane_width); ++sx) {
                sum += sample_at(frame.view().planes[i] + frame.view().strides[i] * sy,
                                 sx * channels + at % channels, format.sample_bytes);
                ++area;
              }
            }
            ASSERT_EQ(sample_at(view.planes[i] + view.strides[i] * row, at, format.sample_bytes),
                      (sum + area / 2) / area)
                << "plane " << i << ", " << at << ", " << row << ", reduction " << reduction;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, ReducedPictureTest, testing::ValuesIn(kFormats));

TEST(ReducedPicture, OfRgbIsWhatFramesAreReducedToElsewhere) {
  const std::vector<uint8_t> pixels = [] {
    std::vector<uint8_t> noise(64 * 48 * 3);
    std::mt19937 random(5);
    for (uint8_t& byte : noise) byte = static_cast<uint8_t>(random());
    return noise;
  }();
  const ImageView frame{.format = PixelFormat::kRgb,
                        .width = 64,
                        .height = 48,
                        .planes = {pixels.data()},
                        .strides = {64 * 3}};
  ReducedPicture reduced;
  const ImageView& view = reduced.make(frame, 2, 4, 0, 12, 12, detect_cpu());
  std::vector<uint8_t> expected(12 * 12 * 4);
  reduce_to_bgra(frame, 2, 4, 0, 12, 12, {expected.data(), 12 * 4}, CpuLevel::kReference);
  ASSERT_EQ(view.format, PixelFormat::kBgra);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), view.planes[0]));
}

}  // namespace
}  // namespace codecs
