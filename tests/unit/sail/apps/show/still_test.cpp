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

TEST(CoarsePicture, BesideAZoomedPictureTheFrameStays) {
  const PageView before{.frame = {5, 5}, .left = 0, .top = 0, .scale = 1};
  const PageView now{.frame = {40, 30}, .left = -2, .top = -1, .scale = 4};
  Raster frame({40, 30});
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 40; ++x) frame.at(x, y)[2] = static_cast<uint8_t>(100 + y);
  }
  draw_coarse(frame, now, drawn(before));
  for (int y = 4; y < 24; ++y) {  // each row of the small picture four times
    EXPECT_EQ(frame.at(7, y)[2], 100 + y) << "left of the picture";
    EXPECT_EQ(frame.at(8, y)[2], 0);
    EXPECT_EQ(frame.at(27, y)[0], 4);
    EXPECT_EQ(frame.at(27, y)[1], y / 4 - 1);
    EXPECT_EQ(frame.at(28, y)[2], 100 + y) << "right of the picture";
  }
  EXPECT_EQ(frame.at(8, 3)[2], 103) << "above";
  EXPECT_EQ(frame.at(8, 24)[2], 124) << "below";
}

}  // namespace
}  // namespace sail
