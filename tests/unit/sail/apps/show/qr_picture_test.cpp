// QR codes: their modules, as a still of any size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "sail/apps/show/still_file.h"
#include "sail/core/wire/content.h"

namespace sail {
namespace {

constexpr const char* kText = "https://wall.example/remote/";

bool is_dark(const Raster& raster, int x, int y) {
  return raster.at(x, y)[0] == 0;
}

// The three corners of each code have a dark 7x7 square with a light ring around a dark 3x3 one.
TEST(QrCode, HasTheFinderPatternsOfTheStandard) {
  const auto code = qr_code(kText);
  ASSERT_TRUE(code);
  EXPECT_EQ(code->width % 4, 1);
  const int far = code->width - 7;
  for (const auto& [left, top] : {std::pair{0, 0}, std::pair{far, 0}, std::pair{0, far}}) {
    for (int y = 0; y < 7; ++y) {
      for (int x = 0; x < 7; ++x) {
        const int ring = std::max(std::abs(x - 3), std::abs(y - 3));
        EXPECT_EQ(code->dark(left + x, top + y), ring != 2) << left << " " << top;
      }
    }
  }
  EXPECT_FALSE(code->dark(-1, 0));
  EXPECT_FALSE(code->dark(0, code->width));
}

TEST(QrCode, RefusesTextsThatNobodyCouldRead) {
  for (const std::string& text : {std::string(), std::string(301, 'x'), std::string("a\0b", 3)}) {
    const auto code = qr_code(text);
    ASSERT_FALSE(code);
    EXPECT_EQ(code.error().code, ErrorCode::kInvalidParams);
  }
  EXPECT_TRUE(qr_code(std::string(300, 'x')));
}

TEST(QrPicture, ShowsEachModuleAtEveryScaleWithinAWhiteFrame) {
  const auto code = qr_code(kText);
  const auto still = open_still(std::string(kQrScheme) + kText);
  ASSERT_TRUE(code && still);
  const Size page = (*still)->turn_to(0)->size;
  const int modules = code->width + 2 * kQrMargin;
  for (const double scale : {0.25, 1.0, 1.7}) {
    const int side = static_cast<int>(page.width * scale);
    const double beside = 40;  // frame pixels at the left, outside of the page
    const auto raster = (*still)->draw(
        {.frame = {side + 40, side}, .left = -beside / scale, .top = 0, .scale = scale});
    ASSERT_TRUE(raster);
    EXPECT_FALSE(is_dark(*raster, 0, side / 2));
    for (int y = 0; y < code->width; ++y) {
      for (int x = 0; x < code->width; ++x) {
        const auto middle = [&](int module) {
          return static_cast<int>((module + kQrMargin + 0.5) * side / modules);
        };
        ASSERT_EQ(is_dark(*raster, 40 + middle(x), middle(y)), code->dark(x, y))
            << x << " " << y << " at " << scale;
      }
    }
  }
}

TEST(QrPicture, IsNamedAfterItsTextAndNeedsOne) {
  EXPECT_EQ(title_of_writing("qr:https://wall.example/"), "https://wall.example/");
  EXPECT_EQ(open_still("qr:").error().code, ErrorCode::kInvalidParams);
  EXPECT_TRUE(is_drawn("qr:x"));
}

}  // namespace
}  // namespace sail
