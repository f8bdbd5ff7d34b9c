#include "sail/apps/show/still.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

// Each pixel encodes its position on the page.
DrawnView drawn(const PageView& view) {
  DrawnView result{view, Raster(view.frame)};
  for (int y = 0; y < view.frame.height; ++y) {
    for (int x = 0; x < view.frame.width; ++x) {
      result.raster.at(x, y)[0] = static_cast<uint8_t>(view.left + x / view.scale);
      result.raster.at(x, y)[1] = static_cast<uint8_t>(view.top + y / view.scale);
    }
  }
  return result;
}

TEST(CoarsePicture, APannedPictureIsExactWhereItWasDrawn) {
  const PageView before{.frame = {40, 30}, .left = 100, .top = 50, .scale = 1};
  const PageView now{.frame = {40, 30}, .left = 110, .top = 45, .scale = 1};
  Raster frame({40, 30});
  draw_coarse(frame, now, drawn(before));
  EXPECT_EQ(frame.at(0, 5)[0], 110);
  EXPECT_EQ(frame.at(0, 5)[1], 50);
  EXPECT_EQ(frame.at(29, 29)[0], 139);
  EXPECT_EQ(frame.at(30, 10)[0], 0) << "beyond what was drawn";
  EXPECT_EQ(frame.at(0, 4)[1], 0) << "above what was drawn";
}

TEST(CoarsePicture, AZoomedPictureHasTheNearestPixels) {
  const PageView before{.frame = {40, 30}, .left = 0, .top = 0, .scale = 1};
  const PageView now{.frame = {40, 30}, .left = 10, .top = 10, .scale = 4};
  Raster frame({40, 30});
  draw_coarse(frame, now, drawn(before));
  for (int x = 0; x < 40; ++x) EXPECT_EQ(frame.at(x, 7)[0], 10 + x / 4);
  EXPECT_EQ(frame.at(0, 29)[1], 17);
}

}  // namespace
}  // namespace sail
