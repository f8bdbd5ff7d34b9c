// Turned and mirrored films and photographs are shown upright.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

#include "sail/media/ffmpeg/media_source_frames.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

// By the value of EXIF's orientation: a stored point (x, y) is shown at (a x + c y, b x + d y).
struct Turn {
  int exif;
  int a, b, c, d;

  std::array<int32_t, 9> matrix() const {
    constexpr int32_t kOne = 1 << 16;
    return {a * kOne, b * kOne, 0, c * kOne, d * kOne, 0, 0, 0, 1 << 30};
  }
  // Where a stored sample is shown.
  std::array<int, 2> shown(int x, int y, Size stored) const {
    const auto along = [&](int by_x, int by_y) {
      const int low =
          std::min(0, by_x * (stored.width - 1)) + std::min(0, by_y * (stored.height - 1));
      return by_x * x + by_y * y - low;
    };
    return {along(a, c), along(b, d)};
  }
};
constexpr Turn kTurns[] = {{1, 1, 0, 0, 1}, {2, -1, 0, 0, 1}, {3, -1, 0, 0, -1}, {4, 1, 0, 0, -1},
                           {5, 0, 1, 1, 0}, {6, 0, 1, -1, 0}, {7, 0, -1, -1, 0}, {8, 0, -1, 1, 0}};

AvFramePtr frame_of(AVPixelFormat format, Size size) {
  AvFramePtr frame(av_frame_alloc());
  frame->format = format;
  frame->width = size.width;
  frame->height = size.height;
  EXPECT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
  return frame;
}

TEST(MediaOrientation, EverySampleIsWhereTheMatrixPutsIt) {
  constexpr Size kStored{5, 3};
  const AvFramePtr stored = frame_of(AV_PIX_FMT_YUV444P, kStored);
  for (int plane = 0; plane < 3; ++plane) {
    for (int y = 0; y < kStored.height; ++y) {
      for (int x = 0; x < kStored.width; ++x) {
        stored->data[plane][y * stored->linesize[plane] + x] =
            static_cast<uint8_t>(100 * plane + 10 * y + x);
      }
    }
  }
  for (const Turn& turn : kTurns) {
    const Orientation orientation = orientation_of(turn.matrix());
    EXPECT_EQ(orientation.is_upright(), turn.exif == 1);
    EXPECT_EQ(orientation.swaps_sides(), turn.a == 0);
    const Size size =
        turn.a == 0 ? Size{kStored.height, kStored.width} : Size{kStored.width, kStored.height};
    const AvFramePtr upright = frame_of(AV_PIX_FMT_YUV444P, size);
    turn_samples(*stored, *upright, orientation);
    for (int plane = 0; plane < 3; ++plane) {
      for (int y = 0; y < kStored.height; ++y) {
        for (int x = 0; x < kStored.width; ++x) {
          const auto [at_x, at_y] = turn.shown(x, y, kStored);
          EXPECT_EQ(upright->data[plane][at_y * upright->linesize[plane] + at_x],
                    100 * plane + 10 * y + x)
              << turn.exif;
        }
      }
    }
  }
}

TEST(MediaOrientation, UselessMatricesChangeNothing) {
  constexpr int32_t kLow = INT32_MIN;
  EXPECT_TRUE(orientation_of(std::array<int32_t, 9>{}).is_upright());
  const Orientation lowest =
      orientation_of(std::array<int32_t, 9>{kLow, kLow, kLow, kLow, kLow, kLow, kLow, kLow, kLow});
  EXPECT_LT(lowest.quarter_turns, 4);
}

std::string whole_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Colours of the corners: top left, top right, bottom left, bottom right.
std::array<PixelColour, 4> corners_of(const Picture& picture) {
  const int right = picture.size.width - 2;
  const int bottom = picture.size.height - 2;
  return {colour_at(picture, 1, 1), colour_at(picture, right, 1), colour_at(picture, 1, bottom),
          colour_at(picture, right, bottom)};
}

void expect_turned(const Picture& picture, const Picture& plain, const Turn& turn,
                   const std::string& name) {
  EXPECT_EQ(picture.size.width, turn.a == 0 ? plain.size.height : plain.size.width) << name;
  const auto stored = corners_of(plain);
  const auto upright = corners_of(picture);
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 2; ++x) {
      const auto [at_x, at_y] = turn.shown(x, y, {2, 2});
      expect_near(upright[static_cast<size_t>(2 * at_y + at_x)],
                  stored[static_cast<size_t>(2 * y + x)], 12,
                  name + " " + std::to_string(turn.exif));
    }
  }
}

// Four colours, all different.
constexpr const char* kCorners =
    "-f lavfi -i \"color=red:s=64x32:r=25,format=rgb24,"
    "geq=r='if(lt(X\\,32)*lt(Y\\,16)+gte(X\\,32)*gte(Y\\,16)\\,255\\,0)':"
    "g='if(gte(Y\\,16)\\,255\\,0)':b='if(gte(X\\,32)\\,255\\,0)'\" ";

TEST(MediaOrientation, FilmsTakeTheMatrixOfTheirTrack) {
  const TempFolder folder;
  const std::string file =
      make_clip(folder, "plain.mov",
                std::string(kCorners) + "-frames:v 2 -c:v libx264 -qp 1 -pix_fmt yuv420p");
  std::string bytes = whole_file(file);
  const auto plain = open_clip(file);
  ASSERT_TRUE(plain);
  const Picture stored = next_picture(*plain);
  constexpr std::string_view kHeader = "tkhd";
  const auto header = std::search(bytes.begin(), bytes.end(), kHeader.begin(), kHeader.end());
  ASSERT_NE(header, bytes.end());
  constexpr ptrdiff_t kMatrix = 4 + 40;  // after the header's name
  for (const Turn& turn : kTurns) {
    auto at = header + kMatrix;
    for (const int32_t value : turn.matrix()) {
      for (int shift = 24; shift >= 0; shift -= 8) {
        *at++ = static_cast<char>(static_cast<uint32_t>(value) >> shift);
      }
    }
    folder.write("turned.mov", bytes);
    const auto source = open_clip(folder.file("turned.mov"));
    ASSERT_TRUE(source);
    expect_turned(next_picture(*source), stored, turn, "mov");
  }
}

TEST(MediaOrientation, PhotographsTakeTheOrientationOfExif) {
  const TempFolder folder;
  const std::string file =
      make_clip(folder, "plain.jpg", std::string(kCorners) + "-frames:v 1 -q:v 1");
  const std::string bytes = whole_file(file);
  const auto plain = open_clip(file);
  ASSERT_TRUE(plain);
  const Picture stored = next_picture(*plain);
  for (const Turn& turn : kTurns) {
    const char exif[] = {'\xFF', '\xE1', 0, 34, 'E', 'x', 'i', 'f', 0, 0,
                         'M',    'M',    0, 42, 0,   0,   0,   8,   0, 1,
                         0x01,   0x12,   0, 3,  0,   0,   0,   1,   0, static_cast<char>(turn.exif),
                         0,      0,      0, 0,  0,   0};
    folder.write("turned.jpg",
                 bytes.substr(0, 2) + std::string(exif, sizeof(exif)) + bytes.substr(2));
    const auto source = open_clip(folder.file("turned.jpg"));
    ASSERT_TRUE(source);
    expect_turned(next_picture(*source), stored, turn, "jpg");
  }
}

}  // namespace
}  // namespace sail
