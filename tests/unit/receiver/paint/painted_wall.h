// The display under test, a composition on it, and the reference.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "receiver/display/display.h"
#include "receiver/paint/composition.h"
#include "receiver/paint/fade.h"
#include "receiver/paint/late_decoder.h"
#include "tests/support/reference_wall.h"

namespace receiver {

// The display under test. Valid until the next call. threads: painting threads of the CPU display
// besides the caller.
Display& test_display(int threads);

inline sail::Tile tile(const sail::Rect& wall_rect, sail::Size resolution, int rotation = 0) {
  return {.name = "t",
          .receiver = "r",
          .wall_rect = wall_rect,
          .resolution = resolution,
          .rotation = rotation};
}

inline sail::TileInfo info_of(const sail::Tile& tile) {
  return {.name = tile.name,
          .wall_rect = tile.wall_rect,
          .resolution = tile.resolution,
          .rotation = tile.rotation,
          .correction = tile.correction};
}

class PaintedWall {
 public:
  PaintedWall(Display& display, std::vector<sail::Tile> tiles)
      : display_(display), tiles_(std::move(tiles)) {
    std::vector<sail::TileInfo> infos;
    for (const sail::Tile& tile : tiles_) infos.push_back(info_of(tile));
    EXPECT_TRUE(display_.open(infos));
    composition_.set_tiles(infos);
    show();
  }

  void set_scene(const std::vector<sail::SceneWindow>& windows, bool identify = false,
                 sail::TestPattern pattern = sail::TestPattern::kOff) {
    composition_.set_scene(
        {.epoch = 1, .windows = windows, .identify = identify, .pattern = pattern}, released_);
  }
  void set_whole_scene(const sail::Scene& scene) { composition_.set_scene(scene, released_); }
  void set_overlay(const sail::Overlay& overlay) {
    composition_.set_overlay(overlay);
    composition_.show_overlay();
  }
  // Returns whether a tile shows the frame.
  bool set_frame(std::unique_ptr<Frame> frame) {
    return end_of(std::move(frame)) == sail::DropCause::kNone;
  }
  sail::DropCause end_of(std::unique_ptr<Frame> frame) {
    return composition_.set_frame(std::move(frame), released_);
  }
  // Frame numbers of a stream are unique.
  FrameKey next_key() { return {1, ++frames_}; }
  size_t take_released() { return std::exchange(released_, {}).size(); }

  // Begins a fade from what the tiles show, in which the new pictures have weight 0.
  void begin_fade() {
    for (size_t i = 0; i < tiles_.size(); ++i) EXPECT_TRUE(display_.keep(i));
    composition_.set_all_changed();
    fading_ = true;
    weight_ = 0;
  }
  void fade_to(int weight) {
    weight_ = weight;
    for (size_t i = 0; i < tiles_.size(); ++i) composition_.set_damaged(i);
    show();
  }
  void show() {
    const Changes& changes = composition_.take_changes();
    late_decoder_.decode(changes);
    display_.paint(changes);
    damage_.clear();
    for (size_t i = 0; i < tiles_.size(); ++i) {
      damage_.push_back(changes.tiles[i].damage);
      if (fading_) display_.fade(i, weight_, damage_[i]);
      display_.present(i, damage_[i]);
    }
    fading_ = fading_ && weight_ < Fade::kWhole;
  }
  // Damage of the last show().
  const std::vector<sail::Rect>& damage(size_t tile) const { return damage_[tile]; }
  auto windows_on(size_t tile) const { return composition_.windows_on(tile); }
  reference::Picture panel(size_t tile) {
    TileImage panel = display_.picture(tile);
    return {panel.begin.size.width, panel.begin.size.height, std::move(panel.pixels)};
  }
  // levels: tolerance for each pixel.
  void expect_like(const std::vector<reference::Window>& windows, const std::string& where,
                   int levels = 0) {
    for (size_t i = 0; i < tiles_.size(); ++i) expect_tile_like(i, windows, where, levels);
  }
  void expect_tile_like(size_t tile, const std::vector<reference::Window>& windows,
                        const std::string& where, int levels = 0) {
    const reference::Picture expected = reference::show_on_tile(tiles_[tile], windows);
    const reference::Picture shown = panel(tile);
    ASSERT_EQ(shown.width, expected.width);
    for (int y = 0; y < expected.height; ++y) {
      for (int x = 0; x < expected.width; ++x) {
        ASSERT_TRUE(std::equal(shown.at(x, y), shown.at(x, y) + 4, expected.at(x, y),
                               [levels](int a, int b) { return std::abs(a - b) <= levels; }))
            << where << ", tile " << tile << ", pixel " << x << ", " << y;
      }
    }
  }

 private:
  Display& display_;
  std::vector<sail::Tile> tiles_;
  Composition composition_;
  LateDecoder late_decoder_;
  uint64_t frames_ = 0;
  bool fading_ = false;
  int weight_ = 0;
  std::vector<std::vector<sail::Rect>> damage_;
  std::vector<std::unique_ptr<Frame>> released_;
};

}  // namespace receiver
