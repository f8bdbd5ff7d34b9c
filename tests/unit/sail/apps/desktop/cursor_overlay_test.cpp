#include "sail/apps/desktop/cursor_overlay.h"

#include <gtest/gtest.h>

namespace sail {
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
