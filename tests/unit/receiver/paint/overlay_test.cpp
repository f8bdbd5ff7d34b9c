// Overlays over the windows on every display; linked with one of them.
#include "receiver/paint/overlay_layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "receiver/paint/line_layout.h"
#include "sail/core/routing/overlay_shape.h"
#include "sail/core/text/limits.h"
#include "tests/unit/receiver/frame/frames.h"
#include "tests/unit/receiver/paint/painted_wall.h"

namespace receiver {
namespace {

using sail::Rect;

const sail::BlockGrid kCoveredGrid({200, 150}, {32, 16});

sail::Tile overlaid_tile(const std::string& name, const Rect& wall_rect, sail::Size resolution,
                         int rotation = 0) {
  return {.name = name,
          .receiver = "r",
          .wall_rect = wall_rect,
          .resolution = resolution,
          .rotation = rotation};
}

// Four tiles around a mullion: one 1:1, one rotated and finer, one coarser, one upside down.
std::vector<sail::Tile> four_tiles() {
  return {overlaid_tile("a", {0, 0, 160, 120}, {160, 120}),
          overlaid_tile("b", {170, 0, 160, 120}, {180, 240}, 90),
          overlaid_tile("c", {0, 130, 160, 120}, {120, 90}),
          overlaid_tile("d", {170, 130, 160, 120}, {160, 120}, 180)};
}

sail::OverlayPointer pointer(int x, int y, const std::string& name, uint32_t colour,
                             bool pressed = false) {
  return {.x = x, .y = y, .name = name, .colour = colour, .pressed = pressed};
}

sail::Overlay pointers(const std::vector<sail::OverlayPointer>& list) {
  sail::Overlay overlay;
  overlay.pointers = list;
  return overlay;
}

sail::Overlay labels(const std::vector<sail::OverlayLabel>& list) {
  sail::Overlay overlay;
  overlay.labels = list;
  return overlay;
}

// Reference, pixel by pixel: blends each sprite over what lies beneath. Returns the number of
// blends of each pixel, because GPUs may round each by a level up or down.
std::vector<int> draw_over(reference::Picture& upright, const std::vector<Sprite>& sprites) {
  std::vector<int> blended(upright.pixels.size() / 4);
  const reference::Picture windows = upright;
  for (const Sprite& sprite : sprites) {
    for (int y = 0; y < sprite.rect.height; ++y) {
      for (int x = 0; x < sprite.rect.width; ++x) {
        const int px = sprite.rect.x + x;
        const int py = sprite.rect.y + y;
        if (px < 0 || py < 0 || px >= upright.width || py >= upright.height) continue;
        const uint8_t* from =
            &sprite.bitmap->pixels[static_cast<size_t>(y * sprite.rect.width + x) * 4];
        uint8_t* to = upright.at(px, py);
        if (!sprite.enlarged.empty()) {
          const int factor = sprite.rect.width / sprite.enlarged.width;
          const uint8_t* seen =
              windows.at(sprite.enlarged.x + x / factor, sprite.enlarged.y + y / factor);
          std::copy(seen, seen + 3, to);
          blended[upright.offset(px, py) / 4] = 0;
        }
        for (int c = 0; c < 3; ++c) {
          to[c] = static_cast<uint8_t>(from[c] + (to[c] * (255 - from[3]) + 127) / 255);
        }
        if (from[3] > 0 && from[3] < 255) ++blended[upright.offset(px, py) / 4];
      }
    }
  }
  return blended;
}

class OverlayTest : public testing::Test {
 protected:
  explicit OverlayTest(std::vector<sail::Tile> tiles = four_tiles())
      : tiles_(std::move(tiles)), wall_(test_display(1), tiles_) {
    std::vector<OverlayLayer::Tile> layered;
    for (const sail::Tile& tile : tiles_) {
      layered.push_back({tile.name, {tile.wall_rect, tile.upright()}});
    }
    layer_.set_tiles(layered);
  }
  void set_overlay(const sail::Overlay& overlay) {
    wall_.set_overlay(overlay);
    layer_.set(overlay);
    layer_.commit();
  }
  void set_windows(const std::vector<Rect>& places) {
    windows_.clear();
    std::vector<sail::SceneWindow> scene;
    for (const Rect& place : places) {
      const auto number = static_cast<uint32_t>(scene.size() + 1);
      scene.push_back({.window = number,
                       .secret = number,
                       .wall_rect = place,
                       .frame_size = kCoveredGrid.frame_size(),
                       .block_size = kCoveredGrid.block_size()});
      windows_.push_back({place, reference::black_picture(200, 150)});
    }
    wall_.set_scene(scene);
    for (uint32_t number = 1; number <= scene.size(); ++number) set_frame(number);
  }
  void set_frame(uint32_t number) {
    const TestFrame frame = noise_frame(kCoveredGrid, random_);
    wall_.set_frame(received(frame, number, wall_.next_key()));
    windows_[number - 1].frame = frame.picture;
  }
  void show_and_expect(const std::string& where) {
    wall_.show();
    for (size_t i = 0; i < tiles_.size(); ++i) {
      const sail::Tile& tile = tiles_[i];
      reference::Picture expected =
          reference::upright_picture(tile, reference::show_on_tile(tile, windows_));
      const std::vector<int> blended = draw_over(expected, layer_.sprites(i));
      const reference::Picture shown = reference::upright_picture(tile, wall_.panel(i));
      ASSERT_EQ(shown.pixels.size(), expected.pixels.size());
      for (int y = 0; y < expected.height; ++y) {
        for (int x = 0; x < expected.width; ++x) {
          const int levels = blended[expected.offset(x, y) / 4];
          ASSERT_TRUE(std::equal(shown.at(x, y), shown.at(x, y) + 4, expected.at(x, y),
                                 [&](int a, int b) { return std::abs(a - b) <= levels; }))
              << where << ", tile " << tile.name << ", upright pixel " << x << ", " << y;
        }
      }
    }
  }

  std::mt19937 random_{17};
  std::vector<sail::Tile> tiles_;
  PaintedWall wall_;
  OverlayLayer layer_;
  std::vector<reference::Window> windows_;
};

TEST_F(OverlayTest, APointerIsSeenOnAllFourTilesThatItTouches) {
  set_windows({{0, 0, 330, 250}});
  set_overlay(pointers({pointer(155, 115, "Zoë", 0x00a0ff)}));
  show_and_expect("on the corner of all tiles");
  for (size_t i = 0; i < tiles_.size(); ++i) EXPECT_EQ(layer_.sprites(i).size(), 1U) << i;
  // The arrow is visible in its colour.
  const reference::Picture panel = wall_.panel(0);
  const uint8_t* inside = panel.at(157, 119);
  EXPECT_EQ(std::vector<int>(inside, inside + 3), (std::vector<int>{0xff, 0xa0, 0x00}));
}

TEST_F(OverlayTest, WhenAllAreGoneTheWallIsAsBefore) {
  set_windows({{0, 0, 200, 150}, {100, 60, 150, 160}});
  show_and_expect("before");
  set_overlay(pointers({pointer(80, 60, "Ada", 0xff0000, true), pointer(90, 66, "Bob", 0x00ff00)}));
  set_overlay(labels({{.x = 10, .y = 10, .lines = {"Film", "59.9 fps"}, .colour = 0xffffff},
                      {.x = 170, .y = 250, .above = true, .lines = {"d"}, .colour = 0xffff00}}));
  show_and_expect("all");
  set_overlay(pointers({}));
  show_and_expect("labels");
  set_overlay(labels({}));
  show_and_expect("none");
  for (size_t i = 0; i < tiles_.size(); ++i) EXPECT_TRUE(layer_.sprites(i).empty());
}

TEST_F(OverlayTest, PointersMoveOverFilmsAndStillPictures) {
  set_windows({{5, 5, 200, 150}, {100, 60, 150, 160}, {180, 20, 90, 200}});
  const auto pick = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random_);
  };
  set_overlay(labels({{.x = 20, .y = 20, .lines = {"a label"}, .colour = 0xffffff}}));
  std::vector<sail::OverlayPointer> people;
  for (int i = 0; i < 4; ++i) people.push_back(pointer(0, 0, "P" + std::to_string(i), 0x1050f0));
  for (int step = 0; step < 150; ++step) {
    for (sail::OverlayPointer& person : people) {
      if (pick(0, 1) == 0) continue;
      person.x = pick(0, 5) == 0 ? pick(-40, 370) : person.x + pick(-6, 9);
      person.y = pick(0, 5) == 0 ? pick(-40, 290) : person.y + pick(-6, 9);
      person.pressed = pick(0, 3) == 0;
    }
    std::vector<sail::OverlayPointer> present(people.begin(), people.begin() + pick(1, 4));
    set_overlay(pointers(present));
    if (pick(0, 1) == 0) set_frame(static_cast<uint32_t>(pick(1, 3)));
    if (pick(0, 30) == 0)
      set_windows({{pick(-50, 200), pick(-50, 100), 200, 150}, {60, 60, 90, 90}, {9, 9, 50, 40}});
    show_and_expect("step " + std::to_string(step));
    if (HasFatalFailure()) return;
  }
}

TEST_F(OverlayTest, StylesMoveOverFilmsAndStillPictures) {
  set_windows({{5, 5, 200, 150}, {100, 60, 150, 160}, {180, 20, 90, 200}});
  const auto pick = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random_);
  };
  std::vector<sail::OverlayPointer> people(5, pointer(0, 0, "P", 0x1050f0));
  for (int step = 0; step < 120; ++step) {
    for (sail::OverlayPointer& person : people) {
      if (pick(0, 1) == 0) continue;
      person.trail = {person.x, person.y};
      person.x = pick(-20, 350);
      person.y = pick(-20, 270);
      person.style = static_cast<sail::PointerStyle>(pick(0, 3));
      person.factor = pick(2, sail::kMaxMagnification);
      person.area = pick(0, 1) == 0 ? Rect{0, 0, 330, 250} : Rect{60, 30, pick(9, 200), 90};
    }
    set_overlay(pointers(people));
    if (pick(0, 1) == 0) set_frame(static_cast<uint32_t>(pick(1, 3)));
    show_and_expect("step " + std::to_string(step));
    if (HasFatalFailure()) return;
  }
}

TEST_F(OverlayTest, AMagnifierEnlargesTheMiddleOfItsTileOnly) {
  set_windows({{0, 0, 330, 250}});
  sail::OverlayPointer lens = pointer(80, 60, "Ada", 0xff0000);
  lens.style = sail::PointerStyle::kMagnifier;
  lens.factor = 4;
  set_overlay(pointers({lens}));
  show_and_expect("in the middle");
  ASSERT_EQ(layer_.sprites(0).size(), 1U);
  EXPECT_EQ(layer_.sprites(0)[0].rect, (Rect{60, 40, 40, 40}));
  EXPECT_EQ(layer_.sprites(0)[0].enlarged, (Rect{75, 55, 10, 10}));
  lens.x = 159;
  set_overlay(pointers({lens}));
  show_and_expect("at the edge");
  EXPECT_EQ(layer_.sprites(0)[0].rect, (Rect{120, 40, 40, 40})) << "no seam cuts it";
  EXPECT_EQ(layer_.sprites(0)[0].enlarged, (Rect{150, 55, 10, 10}));
  for (size_t i = 1; i < tiles_.size(); ++i) EXPECT_TRUE(layer_.sprites(i).empty()) << i;
}

TEST_F(OverlayTest, AMoveDamagesWhatItCoveredAndCovers) {
  set_windows({{0, 0, 330, 250}});
  set_overlay(pointers({pointer(40, 40, "", 0xff0000), pointer(100, 80, "", 0x00ff00)}));
  show_and_expect("before");
  set_overlay(pointers({pointer(43, 41, "", 0xff0000), pointer(100, 80, "", 0x00ff00)}));
  show_and_expect("after");
  EXPECT_EQ(wall_.damage(0), (std::vector<Rect>{{30, 30, 28, 28}, {33, 31, 28, 28}}));
  for (size_t i = 1; i < tiles_.size(); ++i) EXPECT_TRUE(wall_.damage(i).empty()) << i;
}

TEST_F(OverlayTest, TheTilesNameLiesBeneathPointers) {
  set_windows({{0, 0, 330, 250}});
  set_overlay(pointers({pointer(80, 60, "Ada", 0xff0000)}));
  std::vector<sail::SceneWindow> scene{{.window = 1,
                                        .secret = 1,
                                        .wall_rect = windows_[0].wall_rect,
                                        .frame_size = kCoveredGrid.frame_size(),
                                        .block_size = kCoveredGrid.block_size()}};
  wall_.set_scene(scene, true);
  layer_.set_aids(true, sail::TestPattern::kOff, {});
  layer_.commit();
  show_and_expect("identified");
  EXPECT_EQ(layer_.sprites(0).size(), 6U) << "four edges, the plate, the pointer";
  wall_.set_scene(scene, false);
  layer_.set_aids(false, sail::TestPattern::kOff, {});
  layer_.commit();
  show_and_expect("no more");
}

TEST(OverlayLayer, PlatesShowTheDisplaysNameAfterTheNodes) {
  const auto plate = [](const std::string& node, const std::string& display) {
    OverlayLayer layer;
    layer.set_tiles({{"t", {{0, 0, 500, 400}, {500, 400}}}}, {.name = node, .wall = {500, 400}});
    layer.set_aids(true, sail::TestPattern::kOff, {});
    layer.set_displays({display});
    layer.commit();
    return layer.sprites(0).back().bitmap->pixels;
  };
  EXPECT_EQ(plate("node1", "HDMI-A-1"), plate("node1 HDMI-A-1", ""));
  EXPECT_NE(plate("node1", "HDMI-A-1"), plate("node1", "HDMI-A-2"));
}

TEST_F(OverlayTest, ATestPatternHidesTheWindowsAndNotThePointers) {
  set_windows({{0, 0, 330, 250}});
  set_overlay(pointers({pointer(80, 60, "Ada", 0xff0000)}));
  wall_.set_scene({}, false, sail::TestPattern::kWhite);
  layer_.set_aids(false, sail::TestPattern::kWhite, {});
  layer_.commit();
  show_and_expect("white");
  for (size_t i = 0; i < tiles_.size(); ++i) {
    const reference::Picture panel = wall_.panel(i);
    EXPECT_TRUE(std::all_of(panel.at(0, 0), panel.at(0, 0) + 4, [](int c) { return c == 255; }));
  }
  EXPECT_EQ(layer_.sprites(0).size(), 2U);
  windows_.clear();
  wall_.set_scene({});
  layer_.set_aids(false, sail::TestPattern::kOff, {});
  layer_.commit();
  show_and_expect("no more");
}

sail::Overlay drawings(const std::vector<sail::OverlayDrawing>& list) {
  sail::Overlay overlay;
  overlay.drawings = list;
  return overlay;
}

uint8_t opacity_at(const OverlayLayer& layer, size_t tile, int x, int y) {
  uint8_t opacity = 0;
  for (const Sprite& sprite : layer.sprites(tile)) {
    if (!sprite.rect.contains(x, y)) continue;
    const auto at =
        static_cast<size_t>((y - sprite.rect.y) * sprite.rect.width + x - sprite.rect.x);
    opacity = std::max(opacity, sprite.bitmap->pixels[4 * at + 3]);
  }
  return opacity;
}

// The plain reference of a spotlight's opacity at a place of the wall.
double darkness_at(double x, double y, const sail::OverlayPointer& light) {
  const Rect& area = light.area;
  if (x < area.x || x >= area.right() || y < area.y || y >= area.bottom()) return 0;
  const double radius = sail::spotlight_radius(light);
  const double outside = std::hypot(x - light.x, y - light.y) - radius;
  return 255 * 0.7 * std::clamp(1 + outside / (0.1 * radius), 0.0, 1.0);
}

TEST(OverlayLayer, ASpotlightDimsItsAreaAcrossTiles) {
  const std::vector<sail::TileView> views = {{{0, 0, 600, 300}, {600, 300}},
                                             {{620, 0, 600, 300}, {1200, 600}}};
  OverlayLayer layer;
  layer.set_tiles({{"a", views[0]}, {"b", views[1]}});
  sail::OverlayPointer light = pointer(610, 140, "Ada", 0xff0000);
  light.style = sail::PointerStyle::kSpotlight;
  light.area = {100, 20, 1000, 260};
  layer.set(pointers({light}));
  layer.commit();
  for (size_t i = 0; i < views.size(); ++i) {
    const auto& [wall, upright] = views[i];
    for (int y = 0; y < upright.height; y += 3) {
      for (int x = 0; x < upright.width; ++x) {
        const double wall_x = wall.x + (x + 0.5) * wall.width / upright.width;
        const double wall_y = wall.y + (y + 0.5) * wall.height / upright.height;
        ASSERT_NEAR(opacity_at(layer, i, x, y), darkness_at(wall_x, wall_y, light), 1)
            << i << " " << x << " " << y;
      }
    }
  }
}

TEST(OverlayLayer, ASpotlightThatMovesDamagesOnlyCellsAtItsEdge) {
  OverlayLayer layer;
  layer.set_tiles({{"a", {{0, 0, 3840, 2160}, {3840, 2160}}}});
  sail::OverlayPointer light = pointer(1000, 1000, "Ada", 0xff0000);
  light.style = sail::PointerStyle::kSpotlight;
  light.area = {0, 0, 3840, 2160};
  sail::OverlayPointer other = light;
  other.x = 3200;
  layer.set(pointers({light, other}));
  layer.commit();
  light.x += 5;
  layer.set(pointers({light, other}));
  const size_t all = layer.sprites(0).size();
  EXPECT_EQ(all, 15U * 9U);
  EXPECT_LT(layer.damage(0).size() / 2, all / 3);
  EXPECT_FALSE(layer.damage(0).empty());
  for (const Rect& rect : layer.damage(0)) EXPECT_LT(rect.right(), 2660) << "the other's edge";
}

// A line through two tiles of different pixels; the clip cuts its right end off.
TEST(OverlayLayer, StrokesMeetOnTiles) {
  OverlayLayer layer;
  layer.set_tiles(
      {{"a", {{0, 0, 600, 300}, {600, 300}}}, {"b", {{600, 0, 600, 300}, {1200, 600}}}});
  const sail::OverlayStroke line{
      .points = {100, 150, 1000, 150}, .width = 20, .colour = 0xff0000, .opacity = 100};
  layer.set(drawings({{{{{0, 0, 900, 300}}}, {line}}}));
  layer.commit();
  for (const int x : {100, 255, 256, 599}) {
    EXPECT_EQ(opacity_at(layer, 0, x, 150), 255) << x;
    EXPECT_EQ(opacity_at(layer, 0, x, 165), 0) << x;
  }
  EXPECT_EQ(opacity_at(layer, 0, 80, 150), 0);
  EXPECT_EQ(opacity_at(layer, 1, 0, 300), 255);
  EXPECT_EQ(opacity_at(layer, 1, 599, 318), 255) << "twice as many pixels";
  EXPECT_EQ(opacity_at(layer, 1, 599, 323), 0);
  EXPECT_EQ(opacity_at(layer, 1, 601, 300), 0) << "clipped";
}

TEST(OverlayLayer, AStrokeIsEquallyTransparentWhereItCrossesItself) {
  OverlayLayer layer;
  layer.set_tiles({{"a", {{0, 0, 400, 300}, {400, 300}}}});
  const sail::OverlayStroke cross{.points = {50, 150, 350, 150, 200, 20, 200, 280},
                                  .width = 20,
                                  .colour = 0xffffff,
                                  .opacity = 40};
  layer.set(drawings({{{}, {cross}}}));
  layer.commit();
  EXPECT_EQ(opacity_at(layer, 0, 200, 150), 102);
  EXPECT_EQ(opacity_at(layer, 0, 100, 150), 102);
}

// What drawings show of a tile, as B, G, R, alpha.
std::vector<uint8_t> drawn_pixels(const OverlayLayer& layer, size_t tile, sail::Size size) {
  std::vector<uint8_t> pixels(size_t{4} * size.width * size.height);
  for (const Sprite& sprite : layer.sprites(tile)) {
    for (int y = 0; y < sprite.rect.height; ++y) {
      const auto row = static_cast<ptrdiff_t>(4) * sprite.rect.width;
      const auto to = (static_cast<ptrdiff_t>(sprite.rect.y + y) * size.width + sprite.rect.x) * 4;
      std::copy_n(sprite.bitmap->pixels.begin() + y * row, row, pixels.begin() + to);
    }
  }
  return pixels;
}

TEST(OverlayLayer, ATextLooksLikeItsLinesWhereItIs) {
  const sail::Size size{700, 300};
  OverlayLayer layer;
  layer.set_tiles({{"a", {{0, 0, 700, 300}, size}}});
  const sail::OverlayStroke text{.points = {230, 220, 230, 220},
                                 .width = 36,
                                 .colour = 0xff8000,
                                 .text = {"Ausgang links", "Выход →"}};
  layer.set(drawings({{{}, {text}}}));
  layer.commit();
  const std::vector<uint8_t> drawn = drawn_pixels(layer, 0, size);

  std::vector<uint8_t> wanted(drawn.size());
  const Canvas canvas{{wanted.data(), 4L * size.width}, size};
  for (int line = 0; line < 2; ++line) {
    LineLayout(text.text[static_cast<size_t>(line)], 4)
        .draw(canvas, 230, 220 + 36 * line + 4, text.colour);
  }
  EXPECT_EQ(drawn, wanted);
  const Rect box = sail::stroke_rect(text);
  EXPECT_TRUE(box.contains(230 + 6 * 4 * 10, 220 + 71)) << "about ten letters, two lines";
  EXPECT_FALSE(box.contains(230, 220 + 72 + 13)) << "room for parts of letters below the line";
  const auto inked = [&](int top, int bottom) {
    bool any = false;
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        if (opacity_at(layer, 0, x, y) == 0) continue;
        EXPECT_TRUE(box.contains(x, y)) << x << " " << y;
        any |= y >= top && y < bottom;
      }
    }
    return any;
  };
  EXPECT_TRUE(inked(220, 256)) << "the first line";
  EXPECT_TRUE(inked(256, 292)) << "the second line";
}

TEST(OverlayLayer, ATextIsTransparentAndClippedLikeAStroke) {
  OverlayLayer layer;
  layer.set_tiles({{"a", {{0, 0, 600, 300}, {600, 300}}}});
  const sail::OverlayStroke text{
      .points = {10, 10, 10, 10}, .width = 90, .opacity = 40, .text = {"HHHH"}};
  layer.set(drawings({{{{{0, 0, 120, 300}}}, {text}}}));
  layer.commit();
  int most = 0;
  for (int y = 0; y < 300; ++y) {
    for (int x = 0; x < 600; ++x) {
      most = std::max<int>(most, opacity_at(layer, 0, x, y));
      ASSERT_TRUE(x < 120 || opacity_at(layer, 0, x, y) == 0) << x << " " << y;
    }
  }
  EXPECT_EQ(most, 102);
}

// A window may grow with its text far beyond the wall.
TEST(OverlayLayer, AHugeTextIsDrawn) {
  OverlayLayer layer;
  layer.set_tiles({{"a", {{0, 0, 300, 200}, {300, 200}}}});
  const sail::OverlayStroke text{.points = {-2000, -100, 0, 0},
                                 .width = sail::kMaxStrokeUnits,
                                 .text = std::vector<std::string>(8, std::string(120, 'M'))};
  layer.set(drawings({{{}, {text}}}));
  layer.commit();
  EXPECT_EQ(layer.sprites(0).size(), 2U);
}

TEST(OverlayLayer, AnotherTextIsAnotherPicture) {
  OverlayLayer layer;
  layer.set_tiles({{"a", {{0, 0, 2000, 2000}, {2000, 2000}}}});
  sail::OverlayStroke text{.points = {10, 10, 10, 10}, .width = 40, .text = {"one"}};
  const sail::OverlayStroke far{.points = {10, 1500, 10, 1500}, .width = 40, .text = {"far"}};
  layer.set(drawings({{{}, {text, far}}}));
  layer.commit();
  text.text = {"two"};
  layer.set(drawings({{{}, {text, far}}}));
  ASSERT_FALSE(layer.damage(0).empty());
  for (const Rect& rect : layer.damage(0)) EXPECT_TRUE(rect.contains(15, 15)) << "only its cell";
}

TEST(OverlayLayer, ANewStrokeDamagesItsCells) {
  OverlayLayer layer;
  layer.set_tiles({{"a", {{0, 0, 2000, 2000}, {2000, 2000}}}});
  const sail::OverlayStroke first{.points = {10, 10, 1900, 10}, .width = 4};
  const sail::OverlayStroke second{.points = {10, 1500, 20, 1500}, .width = 4};
  layer.set(drawings({{{}, {first}}}));
  layer.commit();
  layer.set(drawings({{{}, {first, second}}}));
  ASSERT_EQ(layer.damage(0).size(), 1U);
  EXPECT_TRUE(layer.damage(0)[0].contains(15, 1500));
  EXPECT_LE(layer.damage(0)[0].width, 256);
}

TEST(OverlayLayer, KeepsTheListThatIsMissing) {
  OverlayLayer layer;
  layer.set_tiles({{"t", {{0, 0, 500, 400}, {500, 400}}}});
  layer.set(pointers({pointer(80, 60, "Ada", 0xff0000)}));
  layer.set(labels({{.x = 20, .y = 20, .lines = {"x"}}}));
  EXPECT_TRUE(layer.changed());
  EXPECT_TRUE(layer.sprites(0).empty());
  layer.commit();
  EXPECT_FALSE(layer.changed());
  EXPECT_EQ(layer.sprites(0).size(), 2U);
  layer.set_tiles({{"t", {{0, 0, 500, 400}, {500, 400}}}, {"u", {{0, 0, 90, 90}, {90, 90}}}});
  EXPECT_EQ(layer.sprites(0).size(), 2U);
  EXPECT_EQ(layer.sprites(1).size(), 2U);
}

TEST(OverlayLayer, LabelsThatNobodyCouldReadTakeNoMemory) {
  OverlayLayer layer;
  layer.set_tiles({{"t", {{0, 0, 500, 400}, {500, 400}}}});
  std::vector<sail::OverlayLabel> many;
  for (int i = 0; i < 4096; ++i) {
    many.push_back(
        {.x = 5,
         .y = 5,
         .lines = std::vector<std::string>(8, std::to_string(i) + std::string(100, 'w'))});
  }
  layer.set(labels(many));
  layer.commit();
  int64_t pixels = 0;
  for (const Sprite& sprite : layer.sprites(0))
    pixels += int64_t{sprite.rect.width} * sprite.rect.height;
  EXPECT_GT(pixels, 0);
  EXPECT_LE(pixels, 2 * 500 * 400);
}

TEST(OverlayLayer, SizesFollowTheTilesPixels) {
  const auto height = [](sail::Size upright) {
    const sail::TileView view{{0, 0, 1920, 1080}, upright};
    return sail::pointer_rect(view, pointer(0, 0, "Ada", 0)).height;
  };
  EXPECT_EQ(height({1920, 1080}), 2 * height({640, 360}));
  EXPECT_EQ(height({3840, 2160}), 4 * height({640, 360}));
  EXPECT_EQ(height({2160, 3840}), height({3840, 2160}));
}

}  // namespace
}  // namespace receiver
