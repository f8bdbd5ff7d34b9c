// View transforms: windows with rotated, mirrored, cropped, translucent and stereo pictures. Linked
// with one of the displays.
#include "sail/core/wall/view_transform.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "sail/core/wall/picture_map.h"
#include "tests/unit/receiver/frame/frames.h"
#include "tests/unit/receiver/paint/painted_wall.h"

namespace receiver {
namespace {

using reference::Picture;
using reference::seen;
using sail::Rect;
using sail::Stereo;
using sail::ViewTransform;

const sail::BlockGrid kLookGrid({120, 90}, {32, 16});

struct LookedAt {
  Rect wall_rect;
  TestFrame frame;
  ViewTransform look;
};

void show(PaintedWall& wall, const std::vector<LookedAt>& windows) {
  std::vector<sail::SceneWindow> scene;
  uint32_t number = 0;
  for (const LookedAt& window : windows) {
    scene.push_back({.window = ++number,
                     .secret = number,
                     .wall_rect = window.wall_rect,
                     .frame_size = window.frame.grid.frame_size(),
                     .block_size = window.frame.grid.block_size(),
                     .alpha = window.frame.codec == codecs::CodecId::kDxt5,
                     .look = window.look});
  }
  wall.set_scene(scene);
  number = 0;
  for (const LookedAt& window : windows) {
    wall.set_frame(received(window.frame, ++number, wall.next_key()));
  }
  wall.show();
}

// levels: tolerance for rounding.
void show_and_expect(PaintedWall& wall, const std::vector<LookedAt>& windows, int levels,
                     const std::string& where) {
  show(wall, windows);
  std::vector<reference::Window> expected;
  for (const LookedAt& window : windows) {
    expected.push_back({window.wall_rect, seen(window.frame.picture, window.look),
                        window.frame.codec == codecs::CodecId::kDxt5 || window.look.opacity != 1});
  }
  wall.expect_like(expected, where, levels);
}

std::string text_of(const ViewTransform& look) {
  return "rotate " + std::to_string(look.rotate) + (look.flip ? " flip" : "") + " crop " +
         std::to_string(look.crop.width) + " stereo " +
         std::to_string(static_cast<int>(look.stereo));
}

std::vector<ViewTransform> turned_looks() {
  std::vector<ViewTransform> looks;
  for (const int rotate : {0, 90, 180, 270}) {
    for (const bool flip : {false, true}) {
      for (const Rect& crop : {Rect{}, Rect{13, 20, 37, 30}}) {
        looks.push_back({.crop = crop, .rotate = rotate, .flip = flip});
      }
    }
  }
  return looks;
}

std::vector<sail::Tile> tiles() {
  return {tile({0, 0, 70, 100}, {70, 100}), tile({80, 0, 70, 100}, {100, 70}, 90)};
}

Rect at_its_size(const ViewTransform& look) {
  const sail::Size size = sail::shown_size(look, kLookGrid.frame_size());
  return {5, -3, size.width, size.height};
}

TEST(ViewTransformTest, TurnedMirroredAndInPart) {
  std::mt19937 random(1);
  PaintedWall wall(test_display(2), tiles());
  for (const ViewTransform& look : turned_looks()) {
    for (const auto codec : {codecs::CodecId::kDxt1, codecs::CodecId::kRaw}) {
      show_and_expect(wall, {{at_its_size(look), noise_frame(kLookGrid, random, codec), look}}, 0,
                      text_of(look));
    }
  }
}

TEST(ViewTransformTest, Scaled) {
  std::mt19937 random(2);
  PaintedWall wall(test_display(2), tiles());
  for (const ViewTransform& look : turned_looks()) {
    for (const Rect& rect : {Rect{10, 7, 131, 83}, Rect{-30, 3, 300, 250}, Rect{40, 20, 61, 17}}) {
      // Read backwards or turned, halves are rounded in the other direction on each axis.
      show_and_expect(wall, {{rect, noise_frame(kLookGrid, random), look}}, 3, text_of(look));
    }
  }
}

TEST(ViewTransformTest, ManyBandsOfAWideFrame) {
  std::mt19937 random(3);
  PaintedWall wall(test_display(2), {tile({0, 0, 60, 300}, {60, 300})});
  const sail::BlockGrid wide({8192, 24}, {1024, 16});
  for (const int rotate : {90, 270}) {
    show_and_expect(wall, {{{0, 0, 24, 8192}, noise_frame(wide, random), {.rotate = rotate}}}, 0,
                    "wide");
    show_and_expect(wall, {{{3, 5, 40, 200}, noise_frame(wide, random), {.rotate = rotate}}}, 3,
                    "wide and scaled");
  }
}

TEST(ViewTransformTest, AWindowThatTurnsDarkIsBlackUntilItIsShownAgain) {
  std::mt19937 random(5);
  PaintedWall wall(test_display(2), tiles());
  const TestFrame frame = noise_frame(kLookGrid, random);
  sail::SceneWindow window{.window = 1,
                           .secret = 1,
                           .wall_rect = {5, 3, 120, 90},
                           .frame_size = kLookGrid.frame_size(),
                           .block_size = kLookGrid.block_size()};
  const std::vector<reference::Window> shown = {{window.wall_rect, frame.picture}};
  wall.set_scene({window});
  wall.set_frame(received(frame, 1, wall.next_key()));
  for (const bool dark : {false, true, false}) {
    window.dark = dark;
    wall.set_scene({window});
    wall.show();
    wall.expect_like(dark ? std::vector<reference::Window>() : shown, dark ? "dark" : "shown");
  }
}

TEST(ViewTransformTest, Anaglyph) {
  std::mt19937 random(4);
  PaintedWall wall(test_display(2), tiles());
  for (const Stereo stereo : {Stereo::kLeft, Stereo::kRight, Stereo::kAnaglyph}) {
    for (const auto halves : {sail::Halves::kSideBySide, sail::Halves::kTopBottom}) {
      for (const int rotate : {0, 90}) {
        const ViewTransform look{
            .stereo = stereo, .halves = halves, .crop = {2, 1, 50, 40}, .rotate = rotate};
        const Rect rect = rotate == 0 ? Rect{4, 4, 50, 40} : Rect{4, 4, 40, 50};
        const TestFrame below = noise_frame(kLookGrid, random);
        const TestFrame frame = noise_frame(kLookGrid, random);
        show_and_expect(wall, {{{0, 0, 120, 90}, below, {}}, {rect, frame, look}}, 0,
                        text_of(look));
        ViewTransform faint = look;
        faint.opacity = 0.25;
        show_and_expect(wall, {{{0, 0, 120, 90}, below, {}}, {rect, frame, faint}}, 1,
                        text_of(look) + " faint");
      }
    }
  }
}

TEST(ViewTransformTest, OpacityBlendsWithWhatLiesBeneath) {
  std::mt19937 random(5);
  PaintedWall wall(test_display(2), tiles());
  for (const double opacity : {0.0, 0.1, 0.5, 0.998, 0.9999}) {
    const ViewTransform faint{.opacity = opacity};
    ViewTransform turned = faint;
    turned.rotate = 90;
    const TestFrame below = noise_frame(kLookGrid, random);
    const TestFrame above = noise_frame(kLookGrid, random);
    const std::string where = "opacity " + std::to_string(opacity);
    show_and_expect(wall, {{{0, 0, 120, 90}, below, {}}, {{10, 5, 120, 90}, above, faint}}, 1,
                    where);
    show_and_expect(wall,
                    {{{0, 0, 120, 90}, below, {}},
                     {{10, 5, 120, 90}, above, faint},
                     {{20, 10, 90, 120}, below, turned},
                     {{60, 40, 60, 30}, above, {}}},
                    2, where + ", stacked");
    show_and_expect(wall, {{{0, 0, 120, 90}, below, {}}, {{10, 5, 77, 99}, above, faint}}, 2,
                    where + ", scaled");
  }
}

TEST(ViewTransformTest, OpacityOfACodecWithAlpha) {
  std::mt19937 random(6);
  PaintedWall wall(test_display(2), tiles());
  const TestFrame below = noise_frame(kLookGrid, random);
  const TestFrame above = noise_frame(kLookGrid, random, codecs::CodecId::kDxt5);
  show_and_expect(wall, {{{0, 0, 120, 90}, below, {}}, {{7, 5, 120, 90}, above, {.opacity = 0.5}}},
                  2, "DXT5");
}

TEST(ViewTransformTest, NewFrameBeneathATranslucentWindowIsSeen) {
  std::mt19937 random(7);
  PaintedWall wall(test_display(2), tiles());
  const LookedAt above{{10, 5, 120, 90}, noise_frame(kLookGrid, random), {.opacity = 0.5}};
  const LookedAt below{{0, 0, 120, 90}, noise_frame(kLookGrid, random), {}};
  show(wall, {below, above});
  const TestFrame next = noise_frame(kLookGrid, random);
  wall.set_frame(received(next, 1, wall.next_key()));
  wall.show();
  wall.expect_like({{below.wall_rect, next.picture},
                    {above.wall_rect, seen(above.frame.picture, above.look), true}},
                   "next", 1);
}

TEST(ViewTransformTest, AChangeOfLookPaintsTheWindowFromTheFrameItHas) {
  std::mt19937 random(8);
  PaintedWall wall(test_display(2), tiles());
  const TestFrame frame = noise_frame(kLookGrid, random);
  show(wall, {{{0, 0, 60, 45}, frame, {}}});
  for (const ViewTransform& look : turned_looks()) {
    const Rect rect = at_its_size(look);
    wall.set_scene({{.window = 1,
                     .secret = 1,
                     .wall_rect = rect,
                     .frame_size = kLookGrid.frame_size(),
                     .block_size = kLookGrid.block_size(),
                     .look = look}});
    wall.show();
    wall.expect_like({{rect, seen(frame.picture, look)}}, text_of(look));
  }
}

// Half as large, the same part is shown.
TEST(ViewTransformTest, PartOfAReducedFrame) {
  std::mt19937 random(9);
  PaintedWall wall(test_display(2), tiles());
  const TestFrame frame = j2k_frame({{120, 96}, {32, 32}}, random, {.reduction = 1});
  const ViewTransform look{.crop = {20, 12, 60, 40}, .rotate = 90};
  wall.set_scene({{.window = 1,
                   .secret = 1,
                   .wall_rect = {3, 4, 20, 30},
                   .frame_size = {120, 96},
                   .block_size = {32, 32},
                   .look = look}});
  wall.set_frame(received(frame, 1, wall.next_key()));
  wall.show();
  wall.expect_like({{{3, 4, 20, 30}, seen(frame.picture, {.crop = {10, 6, 30, 20}, .rotate = 90})}},
                   "reduced");
}

}  // namespace
}  // namespace receiver
