// The decoded region of a frame contains everything that the tiles paint of it.
#include "receiver/frame/tile_layout.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/receiver/frame/frames.h"

namespace receiver {
namespace {

using sail::Rect;

const sail::BlockGrid kShownGrid({400, 300}, {400, 304});

sail::SceneWindow window_at(const Rect& wall_rect) {
  return {.window = 1,
          .secret = 1,
          .wall_rect = wall_rect,
          .frame_size = kShownGrid.frame_size(),
          .block_size = kShownGrid.block_size()};
}

std::unique_ptr<Frame> frame_of(int reduction) {
  return empty_frame(kShownGrid, 1, {1, 1}, {.id = codecs::CodecId::kHtj2k}, reduction);
}

class VisibleRegionTest : public testing::Test {
 protected:
  Rect part(int reduction = 0) { return shown_.of(*frame_of(reduction), tiles_); }

  std::vector<sail::TileView> tiles_{{{0, 0, 200, 150}, {200, 150}}};
  VisibleRegion shown_;
};

TEST_F(VisibleRegionTest, IsWhatTheTilesRead) {
  shown_.prepare(window_at({0, 0, 400, 300}));
  EXPECT_EQ(part(), (Rect{0, 0, 200, 152})) << "whole texel blocks";
  EXPECT_EQ(part(1), (Rect{0, 0, 104, 76})) << "half as large, so with neighbours";
  tiles_.push_back({{200, 0, 100, 150}, {100, 150}});
  shown_.forget();
  EXPECT_EQ(part(), (Rect{0, 0, 300, 152}));
  shown_.prepare(window_at({400, 300, 400, 300}));
  EXPECT_TRUE(part().empty());
}

TEST_F(VisibleRegionTest, IsAllWhereNoTilesAreKnown) {
  tiles_.clear();
  shown_.prepare(window_at({0, 0, 400, 300}));
  EXPECT_EQ(part(), (Rect{0, 0, 400, 300}));
}

TEST_F(VisibleRegionTest, IsAllOfSmallBlocks) {
  const sail::BlockGrid cut(kShownGrid.frame_size(), {240, 240});
  const auto frame = empty_frame(cut, 1, {1, 1}, {.id = codecs::CodecId::kHtj2k});
  shown_.prepare(window_at({0, 0, 400, 300}));
  EXPECT_EQ(shown_.of(*frame, tiles_), (Rect{0, 0, 400, 300}));
}

TEST_F(VisibleRegionTest, HoldsTheLayoutsThatAreShownAndThatComes) {
  shown_.prepare(window_at({0, 0, 400, 300}));
  shown_.commit(window_at({0, 0, 400, 300}));
  shown_.prepare(window_at({-100, 0, 400, 300}));
  EXPECT_EQ(part(), (Rect{0, 0, 300, 152}));
  shown_.commit(window_at({-100, 0, 400, 300}));
  EXPECT_EQ(part(), (Rect{100, 0, 200, 152}));
}

TEST_F(VisibleRegionTest, HoldsAllThatIsPainted) {
  std::mt19937 random(1);
  const auto below = [&](int end) {
    return static_cast<int>(random() % static_cast<unsigned>(end));
  };
  for (int i = 0; i < 400; ++i) {
    tiles_ = {{{below(300), below(200), 90 + below(200), 90 + below(200)}, {}}};
    tiles_[0].upright = {tiles_[0].wall_rect.width, tiles_[0].wall_rect.height};
    sail::SceneWindow window =
        window_at({below(300) - 150, below(200) - 100, 1 + below(900), 1 + below(700)});
    if (below(3) == 0) window.wall_rect = {below(300) - 150, below(200) - 100, 400, 300};
    window.look.rotate = 90 * below(4);
    window.look.flip = below(2) == 0;
    window.look.stereo = static_cast<sail::Stereo>(below(4));
    if (below(2) == 0) window.look.crop = {below(100), below(80), 1 + below(100), 1 + below(70)};
    const int reduction = below(4);
    shown_.prepare(window);
    shown_.commit(window);
    const LaidWindow laid{window, frame_of(reduction)->grid()};
    const Rect decoded = part(reduction);
    for (const WindowPart& of : lay_out(tiles_[0], {laid}).windows) {
      for (const Piece& piece : of.pieces) {
        for (const Band& band : piece.bands) {
          ASSERT_EQ(sail::intersect(band.source_rect, decoded), band.source_rect) << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace receiver
