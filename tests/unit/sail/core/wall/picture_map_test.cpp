#include "sail/core/wall/picture_map.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sail/core/routing/routing.h"
#include "sail/core/wall/visibility.h"
#include "tests/support/reference_wall.h"

namespace sail {
namespace {

using Place = std::pair<int, int>;

// Returns the frame pixel shown at a pixel of the shown picture, computed from the definitions in
// view_transform.h. The shown picture has the size shown_size(), without squeezed stereo halves.
Place source_of(const ViewTransform& look, Size frame, const Rect& part, Place shown) {
  const bool turned = look.rotate % 180 != 0;
  const Size size = turned ? Size{part.height, part.width} : Size{part.width, part.height};
  auto [x, y] = shown;
  if (look.flip) x = size.width - 1 - x;
  // Turns back, a quarter at a time.
  Size now = size;
  for (int turns = look.rotate / 90; turns > 0; --turns) {
    const int left = y;
    y = now.width - 1 - x;
    x = left;
    now = {now.height, now.width};
  }
  EXPECT_TRUE((Rect{0, 0, frame.width, frame.height}.contains(part.x + x, part.y + y)));
  return {part.x + x, part.y + y};
}

std::string text_of(const ViewTransform& look) {
  return std::to_string(look.rotate) + (look.flip ? ", flipped" : "") + ", crop " +
         std::to_string(look.crop.width) + ", stereo " +
         std::to_string(static_cast<int>(look.stereo));
}

std::vector<ViewTransform> looks() {
  std::vector<ViewTransform> looks;
  for (const int rotate : {0, 90, 180, 270}) {
    for (const bool flip : {false, true}) {
      for (const Rect& crop : {Rect{}, Rect{12, 20, 40, 30}}) {
        for (const Stereo stereo :
             {Stereo::kOff, Stereo::kLeft, Stereo::kRight, Stereo::kAnaglyph}) {
          looks.push_back({.stereo = stereo, .crop = crop, .rotate = rotate, .flip = flip});
        }
      }
    }
  }
  return looks;
}

constexpr Size kFrame{160, 75};  // its halves are 80×75: not squeezed

Wall two_tiles(int height) {
  Wall wall;
  for (int i = 0; i < 2; ++i) {
    const std::string name = std::to_string(i);
    wall.tiles.push_back({.name = name,
                          .receiver = name,
                          .wall_rect = {i * 70, 0, 64, height},
                          .resolution = {64, height}});
    wall.receivers.push_back({name, ""});
  }
  wall.size = {134, height};
  return wall;
}

// Scales at which no sample is rounded.
TEST(PictureMap, RoutesTheBlocksThatAreReadAndNoOthers) {
  const Wall wall = two_tiles(90);
  for (const ViewTransform& look : looks()) {
    SCOPED_TRACE(text_of(look));
    const Size shown = shown_size(look, kFrame);
    for (const int doubled : {1, 2, 4}) {
      const Rect place{-7, 5, shown.width * doubled / 2, shown.height * doubled / 2};
      if (shown.width % 2 + shown.height % 2 > 0 && doubled == 1) continue;
      const RoutedWindow window{.window = 1,
                                .wall_rect = place,
                                .frame_size = kFrame,
                                .block_size = {16, 20},
                                .look = look};
      const RoutingMap map = route(wall, {window})[0];
      for (const Tile& tile : wall.tiles) {
        std::set<Place> expected;
        for (const Stereo eye : eyes_of(look)) {
          const Rect part = source_part(look, kFrame, eye);
          for (int i = 0; i < tile.resolution.width * tile.resolution.height; ++i) {
            const auto sample =
                reference::sample_of(tile, i % tile.resolution.width, i / tile.resolution.width,
                                     std::vector<reference::Placement>{{place, shown}});
            if (!sample) continue;
            for (int k = 0; k < 4; ++k) {
              const auto [x, y] =
                  source_of(look, kFrame, part, {sample->x[k % 2], sample->y[k / 2]});
              expected.insert({x / 16, y / 20});
            }
          }
        }
        std::set<Place> routed;
        for (const ReceiverBlocks& receiver : map.receivers) {
          if (receiver.receiver != tile.receiver) continue;
          for (const BlockRect& rect : receiver.blocks) {
            for (int i = 0; i < rect.columns * rect.rows; ++i) {
              routed.insert({rect.column + i % rect.columns, rect.row + i / rect.columns});
            }
          }
        }
        ASSERT_EQ(routed, expected) << "scale " << doubled << "/2, tile " << tile.name;
      }
    }
  }
}

TEST(PictureMap, PointsOnTheWallAreInTheFrameWhereTheirPixelIs) {
  for (const ViewTransform& look : looks()) {
    SCOPED_TRACE(text_of(look));
    const Size shown = shown_size(look, kFrame);
    const Rect place{100, 40, shown.width, shown.height};
    const Rect part = source_part(look, kFrame, eyes_of(look).front());
    for (const Place& at : {Place{0, 0}, Place{3, 7}, Place{shown.width - 1, shown.height - 1}}) {
      const auto [x, y] = source_of(look, kFrame, part, at);
      const auto point =
          source_point(place, look, kFrame, place.x + at.first + 0.5, place.y + at.second + 0.5);
      EXPECT_DOUBLE_EQ(point.first, x + 0.5);
      EXPECT_DOUBLE_EQ(point.second, y + 0.5);
      const auto back = wall_point(place, look, kFrame, point.first, point.second);
      EXPECT_NEAR(back.first, place.x + at.first + 0.5, 1e-9);
      EXPECT_NEAR(back.second, place.y + at.second + 0.5, 1e-9);
    }
    // A displacement on the wall is the difference of two points.
    const auto here = source_point(place, look, kFrame, 110, 50);
    const auto there = source_point(place, look, kFrame, 111, 52);
    const auto way = source_way(look, 1, 2);
    EXPECT_DOUBLE_EQ(there.first - here.first, way.first);
    EXPECT_DOUBLE_EQ(there.second - here.second, way.second);
    EXPECT_DOUBLE_EQ(wall_scale(place, look, kFrame), 1);
  }
}

TEST(PictureMap, APartShownAsLargeAsAllIsNotReduced) {
  const Wall wall = two_tiles(90);
  RoutedWindow window{.window = 1,
                      .wall_rect = {0, 0, 40, 20},
                      .frame_size = {160, 80},
                      .block_size = {16, 16},
                      .max_reduction = 3};
  EXPECT_EQ(reduction_for(wall, "0", window), 2);
  window.look.crop = {8, 8, 80, 40};
  EXPECT_EQ(reduction_for(wall, "0", window), 1);
  window.look.crop = {8, 8, 40, 20};
  EXPECT_EQ(reduction_for(wall, "0", window), 0);
  // With rotation the window's height shows the picture's width.
  window.look = {.rotate = 90};
  EXPECT_EQ(reduction_for(wall, "0", window), 1);
}

// The finest unit is 1/256 of a pixel, also in reduced frames.
TEST(PictureMap, IsTheSamePartOfReducedFrames) {
  const ViewTransform look{.crop = {13, 20, 40, 30}};
  const PictureMap map = picture_map({0, 0, 40, 30}, look, {160, 76}, {80, 38}, Stereo::kOff);
  EXPECT_EQ(map.across.from_256, 13 * 128);
  EXPECT_EQ(map.across.extent_256, 40 * 128);
  EXPECT_EQ(map.across.first, 6);
  EXPECT_EQ(map.across.last, 26);
  EXPECT_EQ(map.down.from_256, 10 * 256);
  EXPECT_EQ(map.down.first, 10);
  EXPECT_EQ(map.down.last, 24);
}

TEST(PictureMap, SqueezedEyesAreAsWideAsTheyAreMeant) {
  const ViewTransform beside{.stereo = Stereo::kLeft};
  EXPECT_EQ(shown_size(beside, {1920, 1080}), (Size{1920, 1080}));
  EXPECT_EQ(shown_size(beside, {3840, 1080}), (Size{1920, 1080}));
  const ViewTransform above{.stereo = Stereo::kAnaglyph, .halves = Halves::kTopBottom};
  EXPECT_EQ(shown_size(above, {1920, 1080}), (Size{1920, 1080}));
  EXPECT_EQ(shown_size(above, {1920, 2160}), (Size{1920, 1080}));
  ViewTransform turned = beside;
  turned.rotate = 270;
  EXPECT_EQ(shown_size(turned, {3840, 1080}), (Size{1080, 1920}));
  turned.crop = {0, 0, 100, 50};
  EXPECT_EQ(shown_size(turned, {3840, 1080}), (Size{50, 100}));
  EXPECT_EQ(shown_size(turned, {1920, 1080}), (Size{50, 200}));
}

TEST(PictureMap, FramesOfAnotherSizeShowTheSamePart) {
  const ViewTransform look{.crop = {100, 50, 200, 100}};
  EXPECT_EQ(fitted_view_transform(look, {800, 400}, {400, 400}).crop, (Rect{50, 50, 100, 100}));
  EXPECT_EQ(fitted_view_transform(look, {800, 400}, {800, 400}), look);
  EXPECT_EQ(fitted_view_transform({}, {800, 400}, {1, 1}), ViewTransform());
  // Nothing of one pixel is left: all of it is shown.
  EXPECT_TRUE(fitted_view_transform({.crop = {0, 0, 1, 1}}, {800, 400}, {8, 4}).crop.empty());
}

// Otherwise a program that draws for the window's size would never finish.
TEST(PictureMap, APictureDrawnForItsSizeHasThatSize) {
  for (int width = 300; width < 340; ++width) {
    for (const Rect& crop : {Rect{3, 7, 101, 59}, Rect{77, 13, 211, 333}, Rect{0, 0, 641, 1}}) {
      const ViewTransform look{.crop = crop};
      const Rect place{0, 0, width, 222};
      const Size drawn = whole_size(place, look, {713, 517});
      EXPECT_EQ(whole_size(place, fitted_view_transform(look, {713, 517}, drawn), drawn), drawn);
    }
  }
}

TEST(PictureMap, APartBesideThePictureIsAllOfIt) {
  EXPECT_EQ(source_part({.crop = {200, 0, 10, 10}}, kFrame, Stereo::kOff), (Rect{0, 0, 160, 75}));
  EXPECT_EQ(source_part({.crop = {150, 70, 90, 90}}, kFrame, Stereo::kOff), (Rect{150, 70, 10, 5}));
}

// --- parts of frames ----------------------------------------------------------------------------

// With any rotation, crop and scale each wall pixel of the window belongs to exactly one part.
TEST(PictureMap, PartsCoverWhatTheWindowShows) {
  const Size frame{640, 360};
  const std::vector<Rect> regions = {{0, 0, 640, 120}, {0, 120, 264, 240}, {264, 120, 376, 240}};
  for (const Rect& window : {Rect{7, -3, 640, 360}, Rect{0, 0, 97, 61}, Rect{5, 5, 1283, 719}}) {
    for (const int rotate : {0, 90, 180, 270}) {
      for (const ViewTransform& look :
           {ViewTransform{.rotate = rotate}, ViewTransform{.rotate = rotate, .flip = true},
            ViewTransform{.crop = {100, 50, 333, 211}, .rotate = rotate}}) {
        Region left{window};
        int64_t area = 0;
        for (const Rect& region : regions) {
          const Rect part = part_rect(window, look, frame, region);
          left = subtract(left, part);
          area += int64_t{part.width} * part.height;
        }
        EXPECT_TRUE(left.empty()) << text_of(look);
        EXPECT_EQ(area, int64_t{window.width} * window.height) << text_of(look);
      }
    }
  }
  EXPECT_TRUE(part_rect({0, 0, 640, 360}, {.crop = {0, 0, 640, 100}}, frame, regions[1]).empty());
}

// A part is sampled where the whole picture would be, minus the part's offset, at any reduction.
TEST(PictureMap, APartIsReadAsTheWholeIs) {
  const Size frame{636, 354};
  const Rect region{264, 120, 372, 234};
  const Rect window{11, 13, 1000, 500};
  for (int reduction = 0; reduction <= 3; ++reduction) {
    for (const ViewTransform& look :
         {ViewTransform{}, ViewTransform{.rotate = 90}, ViewTransform{.flip = true}}) {
      const Size shown = reduced_size({region.width, region.height}, reduction);
      const FramePart part{window, region, frame};
      const PictureMap map =
          picture_map({}, look, {region.width, region.height}, shown, Stereo::kOff, part);
      const PictureMap whole =
          picture_map(window, look, frame, reduced_size(frame, reduction), Stereo::kOff);
      const bool turned = look.rotate != 0;
      EXPECT_EQ(map.wall_rect, window);
      EXPECT_EQ(map.across.extent_256, whole.across.extent_256);
      const int left = (turned ? region.y : region.x) >> reduction;
      EXPECT_EQ(map.across.from_256, whole.across.from_256 - 256 * left);
      EXPECT_EQ(map.across.first, 0);
      EXPECT_EQ(map.across.last, (turned ? shown.height : shown.width) - 1);
    }
  }
}

}  // namespace
}  // namespace sail
