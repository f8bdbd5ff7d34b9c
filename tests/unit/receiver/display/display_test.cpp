// Tests for every display; linked with one of them.
#include "receiver/display/display.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "tests/support/reference_wall.h"
#include "tests/unit/receiver/frame/frames.h"
#include "tests/unit/receiver/paint/painted_wall.h"

namespace receiver {
namespace {

using sail::Rect;

sail::SceneWindow scene_window(uint32_t number, const Rect& wall_rect,
                               const sail::BlockGrid& grid) {
  return {.window = number,
          .secret = number,
          .wall_rect = wall_rect,
          .frame_size = grid.frame_size(),
          .block_size = grid.block_size()};
}

struct TestWindow {
  Rect wall_rect;
  TestFrame frame;
};

void show_and_expect(PaintedWall& wall, const std::vector<TestWindow>& windows,
                     const std::string& where) {
  std::vector<sail::SceneWindow> scene;
  std::vector<reference::Window> expected;
  uint32_t number = 0;
  for (const TestWindow& window : windows) {
    scene.push_back(scene_window(++number, window.wall_rect, window.frame.grid));
    expected.push_back({window.wall_rect, window.frame.picture});
  }
  wall.set_scene(scene);
  number = 0;
  for (const TestWindow& window : windows)
    wall.set_frame(received(window.frame, ++number, wall.next_key()));
  wall.show();
  wall.expect_like(expected, where);
}

const sail::BlockGrid kDisplayGrid({200, 150}, {32, 16});

TEST(DisplayTest, BlackWithoutWindows) {
  PaintedWall wall(test_display(2), {tile({0, 0, 40, 30}, {40, 30})});
  show_and_expect(wall, {}, "empty wall");
}

TEST(DisplayTest, OneToOneAcrossTilesWithMullion) {
  std::mt19937 random(1);
  PaintedWall wall(test_display(2),
                   {tile({0, 0, 97, 80}, {97, 80}), tile({110, 0, 97, 80}, {97, 80}),
                    tile({0, 90, 97, 80}, {97, 80}), tile({110, 90, 97, 80}, {97, 80})});
  show_and_expect(wall, {{{3, 5, 200, 150}, noise_frame(kDisplayGrid, random)}}, "1:1");
}

TEST(DisplayTest, ScaledUpAndDown) {
  std::mt19937 random(2);
  PaintedWall wall(test_display(2),
                   {tile({0, 0, 160, 120}, {160, 120}), tile({160, 0, 160, 120}, {160, 120})});
  for (const Rect& rect : {Rect{10, 7, 297, 101}, Rect{0, 0, 320, 120}, Rect{50, 20, 31, 17},
                           Rect{-500, -300, 2000, 900}, Rect{5, 5, 1, 1}, Rect{150, 0, 20, 300}}) {
    show_and_expect(wall, {{rect, noise_frame(kDisplayGrid, random)}}, "scaled");
  }
}

TEST(DisplayTest, WideFrameShownSmallIsPaintedInBands) {
  std::mt19937 random(3);
  PaintedWall wall(test_display(2), {tile({0, 0, 300, 200}, {300, 200})});
  const sail::BlockGrid wide({16384, 24}, {1024, 16});
  show_and_expect(wall, {{{0, 0, 300, 200}, noise_frame(wide, random)}}, "wide frame");
  const sail::BlockGrid tall({40, 16384}, {16, 1024});
  show_and_expect(wall, {{{20, -3, 200, 203}, noise_frame(tall, random)}}, "tall frame");
}

TEST(DisplayTest, OneToOneAndScaledOfRawPixels) {
  std::mt19937 random(14);
  PaintedWall wall(test_display(2), {tile({0, 0, 160, 120}, {160, 120})});
  for (const Rect& rect : {Rect{-7, 3, 200, 150}, Rect{10, 7, 297, 101}, Rect{50, 20, 31, 17}}) {
    show_and_expect(wall, {{rect, noise_frame(kDisplayGrid, random, codecs::CodecId::kRaw)}},
                    "raw");
  }
}

TEST(DisplayTest, OneToOneAndScaledOfJpeg2000) {
  using codecs::CodecId;
  using codecs::PixelFormat;
  std::mt19937 random(15);
  PaintedWall wall(test_display(2),
                   {tile({0, 0, 97, 120}, {97, 120}), tile({100, 0, 97, 120}, {97, 120})});
  const sail::BlockGrid odd({203, 151}, {64, 32});
  const sail::BlockGrid one({203, 151}, {208, 160});
  for (const J2kKind& kind :
       {J2kKind{.codec = CodecId::kJ2k}, J2kKind{.codec = CodecId::kHtj2k},
        J2kKind{.format = PixelFormat::kI420},
        J2kKind{.codec = CodecId::kJ2k, .format = PixelFormat::kI420Deep, .bits = 10},
        J2kKind{.format = PixelFormat::kI420Deep, .bits = 10, .reduction = 1},
        J2kKind{.reduction = 1}, J2kKind{.format = PixelFormat::kI420, .reduction = 2},
        J2kKind{.codec = CodecId::kJ2k, .reduction = 3}}) {
    for (const sail::BlockGrid& grid : {odd, one}) {
      const TestFrame frame = j2k_frame(grid, random, kind);
      const auto [width, height] = sail::Size{frame.picture.width, frame.picture.height};
      for (const Rect& rect : {Rect{-7, 3, width, height}, Rect{11, -20, 190, 201}}) {
        show_and_expect(wall, {{rect, frame}},
                        "codec " + std::to_string(static_cast<int>(kind.codec)) + ", format " +
                            std::to_string(static_cast<int>(kind.format)) + ", reduced by " +
                            std::to_string(kind.reduction) + ", width " +
                            std::to_string(rect.width));
      }
    }
  }
}

TEST(DisplayTest, TurnedTiles) {
  std::mt19937 random(4);
  for (const int rotation : {0, 90, 180, 270}) {
    const sail::Size resolution = rotation % 180 == 0 ? sail::Size{120, 90} : sail::Size{90, 120};
    PaintedWall wall(test_display(2), {tile({20, 10, 120, 90}, resolution, rotation)});
    show_and_expect(wall, {{{0, 0, 200, 150}, noise_frame(kDisplayGrid, random)}},
                    "turned by " + std::to_string(rotation));
    show_and_expect(wall, {{{30, 20, 77, 55}, noise_frame(kDisplayGrid, random)}},
                    "turned and scaled by " + std::to_string(rotation));
  }
}

TEST(DisplayTest, OverlappedWindows) {
  std::mt19937 random(5);
  PaintedWall wall(test_display(2), {tile({0, 0, 160, 120}, {160, 120})});
  show_and_expect(wall,
                  {{{0, 0, 160, 120}, noise_frame(kDisplayGrid, random)},
                   {{20, 20, 200, 150}, noise_frame(kDisplayGrid, random)},
                   {{40, 30, 50, 40}, noise_frame(kDisplayGrid, random)},
                   {{-20, 50, 100, 20}, noise_frame(kDisplayGrid, random)}},
                  "overlapped");
}

TEST(DisplayTest, RandomWallsAndLayouts) {
  std::mt19937 random(6);
  const auto pick = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random);
  };
  for (int round = 0; round < 30; ++round) {
    std::vector<sail::Tile> tiles;
    int x = 0;
    for (int i = pick(1, 3); i > 0; --i) {
      const Rect rect{x, pick(0, 20), pick(20, 120), pick(20, 120)};
      const int rotation = pick(0, 3) * 90;
      sail::Size resolution = pick(0, 1) == 0 ? sail::Size{rect.width, rect.height}
                                              : sail::Size{pick(20, 150), pick(20, 150)};
      if (rotation % 180 != 0) resolution = {resolution.height, resolution.width};
      tiles.push_back(tile(rect, resolution, rotation));
      x += rect.width + pick(0, 15);
    }
    PaintedWall wall(test_display(pick(0, 3)), tiles);
    // Several layouts on the same wall, so that old content must be painted over.
    for (int layout = 0; layout < 4; ++layout) {
      std::vector<TestWindow> windows;
      for (int i = pick(0, 4); i > 0; --i) {
        const sail::BlockGrid grid({pick(1, 150), pick(1, 150)},
                                   {4 * pick(4, 12), 4 * pick(4, 12)});
        Rect rect{pick(-80, x), pick(-80, 120), grid.frame_size().width, grid.frame_size().height};
        if (pick(0, 2) != 0) {
          rect.width = pick(1, 300);
          rect.height = pick(1, 300);
        }
        windows.push_back({rect, noise_frame(grid, random)});
      }
      show_and_expect(wall, windows, "round " + std::to_string(round));
    }
  }
}

TEST(DisplayTest, FadesFromWhatTheTileShowed) {
  constexpr int kWeight = 100;
  constexpr int kLevels = 2;  // a graphics card may differ by two levels
  std::mt19937 random(19);
  for (const int rotation : {0, 90}) {
    const sail::Size resolution = rotation == 0 ? sail::Size{120, 90} : sail::Size{90, 120};
    PaintedWall wall(test_display(2), {tile({20, 10, 120, 90}, resolution, rotation)});
    show_and_expect(wall, {{{0, 0, 200, 150}, noise_frame(kDisplayGrid, random)}}, "before");
    const reference::Picture former = wall.panel(0);
    wall.begin_fade();
    const TestFrame frame = noise_frame(kDisplayGrid, random);
    wall.set_scene({scene_window(7, {30, 20, 77, 55}, frame.grid)});
    wall.set_frame(received(frame, 7, wall.next_key()));
    wall.show();
    EXPECT_EQ(wall.panel(0).pixels, former.pixels);
    wall.fade_to(kWeight);
    const reference::Picture mixed = wall.panel(0);
    wall.fade_to(Fade::kWhole);
    wall.expect_like({{{30, 20, 77, 55}, frame.picture}}, "after");
    const reference::Picture now = wall.panel(0);
    for (size_t i = 0; i < now.pixels.size(); ++i) {
      const int expected =
          (former.pixels[i] * (256 - kWeight) + now.pixels[i] * kWeight + 128) >> 8;
      ASSERT_LE(std::abs(mixed.pixels[i] - expected), kLevels) << rotation << ", byte " << i;
    }
    show_and_expect(wall, {{{5, 5, 200, 150}, noise_frame(kDisplayGrid, random)}}, "a cut");
  }
}

TEST(DisplayTest, NewFramePaintsItsWindowOnly) {
  std::mt19937 random(7);
  PaintedWall wall(test_display(2),
                   {tile({0, 0, 160, 120}, {160, 120}), tile({160, 0, 160, 120}, {160, 120})});
  const std::vector<TestWindow> windows{{{0, 0, 100, 100}, noise_frame(kDisplayGrid, random)},
                                        {{80, 10, 70, 50}, noise_frame(kDisplayGrid, random)}};
  show_and_expect(wall, windows, "first");
  const TestFrame next = noise_frame(kDisplayGrid, random);
  EXPECT_TRUE(wall.set_frame(received(next, 2, {1, 99})));
  EXPECT_EQ(wall.take_released(), 1U);
  wall.show();
  wall.expect_like(
      {{windows[0].wall_rect, windows[0].frame.picture}, {windows[1].wall_rect, next.picture}},
      "second frame");
  EXPECT_EQ(wall.damage(0), (std::vector<Rect>{{80, 10, 70, 50}}));
  EXPECT_TRUE(wall.damage(1).empty());
  ASSERT_EQ(wall.windows_on(0).size(), 2U);
  EXPECT_EQ(wall.windows_on(0)[1].window, 2U);
  EXPECT_EQ(wall.windows_on(0)[1].frame, 99U);
  EXPECT_TRUE(wall.windows_on(1).empty());
}

TEST(DisplayTest, MovedWindowIsPaintedFromTheFrameItHas) {
  std::mt19937 random(8);
  PaintedWall wall(test_display(2), {tile({0, 0, 160, 120}, {160, 120})});
  const TestFrame frame = noise_frame(kDisplayGrid, random);
  show_and_expect(wall, {{{0, 0, 200, 150}, frame}}, "before");
  wall.set_scene({scene_window(1, {33, 21, 90, 70}, kDisplayGrid)});
  wall.show();
  wall.expect_like({{{33, 21, 90, 70}, frame.picture}}, "after");
}

// The sender is stalled, and may have sent newer blocks to other receivers.
TEST(DisplayTest, BlocksThatNoTileShowedForAWhileAreBlackUntilAFrameOfTheLayoutComes) {
  std::mt19937 random(10);
  PaintedWall wall(test_display(2),
                   {tile({0, 0, 160, 120}, {160, 120}), tile({160, 0, 160, 120}, {160, 120})});
  const TestFrame frame = noise_frame(kDisplayGrid, random);
  const auto move = [&wall](uint64_t epoch, const Rect& rect) {
    sail::SceneWindow window = scene_window(1, rect, kDisplayGrid);
    window.epoch = epoch;
    wall.set_scene({window});
  };
  move(1, {0, 0, 200, 150});
  wall.set_frame(received(frame, 1, {1, 1}));
  wall.show();
  move(2, {-100, 0, 200, 150});
  wall.show();
  wall.expect_like({{{-100, 0, 200, 150}, frame.picture}}, "what both tiles showed");

  move(3, {0, 0, 200, 150});
  wall.show();
  wall.expect_tile_like(0, {}, "of which others may have newer blocks");
  EXPECT_TRUE(wall.windows_on(0).empty());
  wall.expect_tile_like(1, {{{0, 0, 200, 150}, frame.picture}}, "what the other tile showed");
  EXPECT_EQ(wall.windows_on(1).size(), 1U);

  wall.set_frame(received(frame, 1, {3, 1}));
  wall.show();
  wall.expect_like({{{0, 0, 200, 150}, frame.picture}}, "sent again");
}

TEST(DisplayTest, UnchangedTileIsNotPaintedAgain) {
  std::mt19937 random(9);
  PaintedWall wall(test_display(2),
                   {tile({0, 0, 160, 120}, {160, 120}), tile({160, 0, 160, 120}, {160, 120})});
  const TestFrame left = noise_frame(kDisplayGrid, random);
  const TestFrame right = noise_frame(kDisplayGrid, random);
  show_and_expect(wall, {{{0, 0, 100, 100}, left}, {{170, 0, 100, 100}, right}}, "before");
  wall.set_scene({scene_window(1, {10, 0, 100, 100}, kDisplayGrid),
                  scene_window(2, {170, 0, 100, 100}, kDisplayGrid)});
  wall.show();
  EXPECT_EQ(wall.damage(0), (std::vector<Rect>{{0, 0, 160, 120}}));
  EXPECT_TRUE(wall.damage(1).empty());
  wall.expect_like({{{10, 0, 100, 100}, left.picture}, {{170, 0, 100, 100}, right.picture}},
                   "after");
}

TEST(DisplayTest, MissingBlocksAreBlack) {
  std::mt19937 random(10);
  PaintedWall wall(test_display(2), {tile({0, 0, 200, 150}, {200, 150})});
  wall.set_scene({scene_window(1, {0, 0, 200, 150}, kDisplayGrid)});
  TestFrame frame = noise_frame(kDisplayGrid, random);
  auto part = empty_frame(kDisplayGrid, 1, {1, 1});
  reference::Picture expected = reference::black_picture(200, 150);
  for (const auto& [column, row] : {std::pair{1, 2}, {6, 9}}) {
    put(*part, column, row, frame.block(column, row));
    const Rect rect = kDisplayGrid.block_rect(column, row);
    for (int y = rect.y; y < rect.bottom(); ++y) {
      std::copy_n(frame.picture.at(rect.x, y), rect.width * 4, expected.at(rect.x, y));
    }
  }
  wall.set_frame(std::move(part));
  wall.show();
  wall.expect_like({{{0, 0, 200, 150}, expected}}, "missing blocks");
}

TEST(DisplayTest, OnlyChangedBlocksOfJpeg2000ArePainted) {
  std::mt19937 random(16);
  const sail::BlockGrid grid({96, 64}, {32, 32});
  PaintedWall wall(test_display(2), {tile({0, 0, 96, 64}, {96, 64})});
  const TestFrame first = j2k_frame(grid, random);
  const TestFrame second = j2k_frame(grid, random);
  show_and_expect(wall, {{{0, 0, 96, 64}, first}}, "first");
  auto next = empty_frame(grid, 1, wall.next_key(), {.id = first.codec}, 0, first.color);
  reference::Picture expected = first.picture;
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 3; ++column) {
      const bool fresh = column == 1 && row == 1;
      put(*next, column, row, (fresh ? second : first).block(column, row), fresh ? 2 : 1);
      if (!fresh) continue;
      for (int y = 32; y < 64; ++y)
        std::copy_n(second.picture.at(32, y), 32 * 4, expected.at(32, y));
    }
  }
  decode(*next);
  wall.set_frame(std::move(next));
  wall.show();
  wall.expect_like({{{0, 0, 96, 64}, expected}}, "second");
  EXPECT_EQ(wall.damage(0), (std::vector<Rect>{{0, 32, 96, 32}}));
}

// A frame in memory of which only a part is decoded.
std::unique_ptr<Frame> partly_decoded(const TestFrame& from, const FrameKey& key,
                                      const Rect& part) {
  auto frame = empty_frame(from.grid, 1, key, {.id = from.codec}, from.reduction, from.color);
  for (int row = 0; row < from.grid.rows(); ++row) {
    for (int column = 0; column < from.grid.columns(); ++column) {
      put(*frame, column, row, from.block(column, row));
    }
  }
  frame->set_wanted(part);
  decode(*frame);
  return frame;
}

TEST(DisplayTest, WhatIsMissingOfABlockIsDecodedForItsPlace) {
  std::mt19937 random(17);
  PaintedWall wall(test_display(2), {tile({0, 0, 160, 120}, {160, 120})});
  for (const sail::BlockGrid& grid :
       {sail::BlockGrid({400, 300}, {400, 304}), sail::BlockGrid({400, 300}, {160, 144})}) {
    for (const int reduction : {0, 1}) {
      const TestFrame first = j2k_frame(grid, random, {.reduction = reduction});
      const TestFrame second = j2k_frame(grid, random, {.reduction = reduction});
      const int width = first.picture.width, height = first.picture.height;
      const Rect at{0, 0, width, height};
      wall.set_scene({scene_window(1, at, grid)});
      wall.set_frame(partly_decoded(first, wall.next_key(), {0, 0, 100, 81}));
      wall.show();
      wall.expect_like({{at, first.picture}}, "more than was decoded");
      const Rect moved{-30, -20, width, height}, scaled{5, 7, 140, 110};
      wall.set_scene({scene_window(1, moved, grid)});
      wall.show();
      wall.expect_like({{moved, first.picture}}, "moved");
      wall.set_frame(partly_decoded(second, wall.next_key(), {32, 20, 150, 120}));
      wall.show();
      wall.expect_like({{moved, second.picture}}, "the next frame");
      wall.set_scene({scene_window(1, scaled, grid)});
      wall.show();
      wall.expect_like({{scaled, second.picture}}, "scaled");
    }
  }
}

TEST(DisplayTest, FrameOfNoWindowIsGivenBack) {
  std::mt19937 random(11);
  PaintedWall wall(test_display(2), {tile({0, 0, 40, 40}, {40, 40})});
  EXPECT_FALSE(wall.set_frame(received(noise_frame(kDisplayGrid, random), 5, {1, 1})));
  EXPECT_EQ(wall.take_released(), 1U);
  // A window outside the tiles is not shown either, but keeps its frame.
  wall.set_scene({scene_window(5, {100, 100, 10, 10}, kDisplayGrid)});
  EXPECT_FALSE(wall.set_frame(received(noise_frame(kDisplayGrid, random), 5, {1, 2})));
  EXPECT_EQ(wall.take_released(), 0U);
  wall.set_scene({});
  EXPECT_EQ(wall.take_released(), 1U);
}

TEST(DisplayTest, AnotherStreamOfTheSameNumberStartsBlack) {
  std::mt19937 random(12);
  PaintedWall wall(test_display(2), {tile({0, 0, 40, 40}, {40, 40})});
  show_and_expect(wall, {{{0, 0, 40, 40}, noise_frame(kDisplayGrid, random)}}, "before");
  sail::SceneWindow window = scene_window(1, {0, 0, 40, 40}, kDisplayGrid);
  window.secret = 99;
  wall.set_scene({window});
  wall.show();
  wall.expect_like({}, "after");
}

TEST(DisplayTest, IdentifyShowsTheNameOverEverything) {
  std::mt19937 random(13);
  PaintedWall wall(test_display(2), {tile({0, 0, 160, 120}, {160, 120})});
  const TestFrame frame = noise_frame(kDisplayGrid, random);
  const auto window = scene_window(1, {0, 0, 200, 150}, kDisplayGrid);
  show_and_expect(wall, {{{0, 0, 200, 150}, frame}}, "before");
  const auto white_pixels = [&] {
    const reference::Picture panel = wall.panel(0);
    int count = 0;
    for (int y = 40; y < 80; ++y) {
      for (int x = 60; x < 100; ++x) {
        const uint8_t* pixel = panel.at(x, y);
        count += pixel[0] == 255 && pixel[1] == 255 && pixel[2] == 255 ? 1 : 0;
      }
    }
    return count;
  };
  wall.set_scene({window}, true);
  wall.show();
  const int letters = white_pixels();
  EXPECT_GT(letters, 50);
  wall.set_frame(received(frame, 1, wall.next_key()));
  wall.show();
  EXPECT_EQ(white_pixels(), letters) << "a new frame must not paint it over";
  wall.set_scene({window}, false);
  wall.show();
  wall.expect_like({{{0, 0, 200, 150}, frame.picture}}, "after");
}

}  // namespace
}  // namespace receiver
