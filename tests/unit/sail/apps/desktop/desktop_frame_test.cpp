#include "sail/apps/desktop/desktop_frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sail {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Rect kScreen{0, 0, 400, 300};

TEST(RowBands, NoRowTwiceAndInOrder) {
  EXPECT_THAT(bands_of({{0, 50, 10, 10}, {100, 10, 10, 20}, {200, 55, 10, 20}}, kScreen),
              ElementsAre(RowBand{10, 30}, RowBand{50, 75}));
}

TEST(RowBands, NeighboursAreOne) {
  EXPECT_THAT(bands_of({{0, 0, 10, 10}, {0, 10, 10, 10}}, kScreen), ElementsAre(RowBand{0, 20}));
}

TEST(RowBands, ASmallOneWithinALargeOneDoesNotShortenIt) {
  EXPECT_THAT(bands_of({{0, 0, 10, 100}, {0, 20, 10, 10}, {0, 50, 5, 5}}, kScreen),
              ElementsAre(RowBand{0, 100}));
}

TEST(RowBands, CountFromTheSourcesTopAndOnlyWithinIt) {
  const Rect region{100, 40, 50, 60};
  EXPECT_THAT(bands_of({{90, 20, 20, 30}}, region), ElementsAre(RowBand{0, 10}));
  EXPECT_THAT(bands_of({{0, 40, 99, 10}, {150, 40, 9, 9}, {100, 100, 9, 9}}, region), IsEmpty());
  EXPECT_THAT(bands_of({{100, 95, 50, 500}}, region), ElementsAre(RowBand{55, 60}));
}

}  // namespace

namespace {

class CursorOverlayTest : public testing::Test {
 protected:
  CursorOverlayTest() {
    for (size_t i = 0; i < pixels_.size(); ++i) pixels_[i] = static_cast<uint8_t>(i * 7);
  }
  FramePixels frame() { return {pixels_.data(), kStride, {kWidth, kHeight}}; }
  const uint8_t* at(int x, int y) const {
    return &pixels_[static_cast<size_t>(y * kStride + x * 4)];
  }

  static constexpr int kWidth = 8;
  static constexpr int kHeight = 6;
  static constexpr int kStride = kWidth * 4 + 16;
  std::vector<uint8_t> pixels_ = std::vector<uint8_t>(kStride * kHeight);
  CursorOverlay overlay_;
};

TEST_F(CursorOverlayTest, IsDrawnWhereItPointsAndTakenAwayAgain) {
  const std::vector<uint8_t> before = pixels_;
  const CursorPicture cursor{{2, 2}, 1, 1, std::vector<uint32_t>(4, 0xff102030)};
  overlay_.draw(frame(), cursor, 4, 3);
  for (const auto& [x, y] : {std::pair{3, 2}, {4, 2}, {3, 3}, {4, 3}}) {
    EXPECT_EQ(at(x, y)[0], 0x30) << x << ',' << y;
    EXPECT_EQ(at(x, y)[1], 0x20);
    EXPECT_EQ(at(x, y)[2], 0x10);
  }
  EXPECT_EQ(at(5, 3)[0], before[3 * kStride + 5 * 4]);
  overlay_.restore(frame());
  EXPECT_EQ(pixels_, before);
}

TEST_F(CursorOverlayTest, EveryCornerCutsIt) {
  const std::vector<uint8_t> before = pixels_;
  const CursorPicture cursor{{5, 5}, 2, 2, std::vector<uint32_t>(25, 0xffffffff)};
  for (const auto& [x, y] : {std::pair{0, 0},
                             {kWidth - 1, 0},
                             {0, kHeight - 1},
                             {kWidth - 1, kHeight - 1},
                             {-9, 3},
                             {3, 90}}) {
    overlay_.draw(frame(), cursor, x, y);
    overlay_.restore(frame());
    EXPECT_EQ(pixels_, before) << x << ',' << y;
  }
}

TEST_F(CursorOverlayTest, HalfTransparentPixelsAreBlended) {
  pixels_.assign(pixels_.size(), 200);
  const CursorPicture cursor{{1, 1}, 0, 0, {0x80400000}};
  overlay_.draw(frame(), cursor, 0, 0);
  EXPECT_NEAR(at(0, 0)[2], 0x40 + 200 * 127 / 255, 1);
  EXPECT_NEAR(at(0, 0)[0], 200 * 127 / 255, 1);
}

}  // namespace

}  // namespace sail
