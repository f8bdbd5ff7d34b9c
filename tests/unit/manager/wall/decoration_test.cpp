// Wallpapers and logos: their places, and their layers.
#include "manager/wall/decoration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "manager/wall/arrangement.h"
#include "manager/wall/placing.h"

namespace manager {
namespace {

using sail::Rect;
using testing::ElementsAre;

constexpr sail::Size kDecoratedWall{3840, 1080};

Window decorated(const Decoration& decoration, sail::Size frame_size) {
  Window window;
  window.frame_size = frame_size;
  window.content.emplace();
  window.content->decoration = decoration;
  return window;
}

Window decoration_in(const Decoration& decoration, const Rect& area) {
  Window window = decorated(decoration, {1000, 1000});
  place_decoration(window, area);
  return window;
}

TEST(Decoration, AWallpaperCoversItsAreaOrIsShownAsAWholeOrDistorted) {
  constexpr Rect kArea{100, 0, 2000, 1000};
  const Window cover = decoration_in({}, kArea);
  EXPECT_EQ(cover.wall_rect, kArea);
  EXPECT_EQ(cover.look.crop, (Rect{0, 250, 1000, 500}));
  EXPECT_TRUE(cover.sound.muted);
  const Window contain = decoration_in({.fit = WallpaperFit::kContain}, kArea);
  EXPECT_EQ(contain.wall_rect, (Rect{600, 0, 1000, 1000}));
  EXPECT_EQ(contain.place, kArea);
  const Window stretch = decoration_in({.fit = WallpaperFit::kStretch}, kArea);
  EXPECT_EQ(stretch.wall_rect, kArea);
  EXPECT_EQ(stretch.look, sail::ViewTransform());
}

TEST(Decoration, ALogoLiesInItsCornerAtTheSameDistanceFromBothEdges) {
  constexpr Rect kArea{100, 200, 2000, 1000};  // 25 from the edges
  EXPECT_EQ(logo_box(kArea, Corner::kTopLeft, 0.1), (Rect{125, 225, 195, 95}));
  EXPECT_EQ(logo_box(kArea, Corner::kBottomRight, 0.1), (Rect{1880, 1080, 195, 95}));
  EXPECT_EQ(logo_box(kArea, Corner::kTopRight, 1), (Rect{125, 225, 1950, 950}));
  EXPECT_EQ(logo_box({0, 0, 1, 1}, Corner::kTopLeft, 0.01), (Rect{0, 0, 1, 1}));
  const Rect box{1880, 1080, 195, 95};
  const Window logo =
      decoration_in({.kind = DecorationKind::kLogo, .corner = Corner::kBottomRight}, box);
  EXPECT_EQ(logo.wall_rect, (Rect{1980, 1080, 95, 95}));
  EXPECT_EQ(
      decoration_in({.kind = DecorationKind::kLogo, .corner = Corner::kTopLeft}, box).wall_rect,
      (Rect{1880, 1080, 95, 95}));
}

TEST(Decoration, OnlyLogosInDifferentCornersShareAnArea) {
  const Decoration logo{.kind = DecorationKind::kLogo, .area = "stage"};
  EXPECT_TRUE(logo.shares_place({.kind = DecorationKind::kLogo, .area = "stage"}));
  EXPECT_FALSE(logo.shares_place(
      {.kind = DecorationKind::kLogo, .area = "stage", .corner = Corner::kTopLeft}));
  EXPECT_FALSE(logo.shares_place({.kind = DecorationKind::kLogo}));
  const Decoration curtain{.kind = DecorationKind::kCurtain, .blank_window = 1};
  EXPECT_TRUE(curtain.shares_place(curtain));
  EXPECT_FALSE(curtain.shares_place({.kind = DecorationKind::kCurtain, .blank_window = 2}));
  EXPECT_FALSE(curtain.shares_place({.kind = DecorationKind::kCurtain}));
  EXPECT_FALSE(logo.shares_place({.area = "stage"}));
  EXPECT_TRUE(Decoration().shares_place({.fit = WallpaperFit::kStretch}));
}

class DecoratedWallTest : public testing::Test {
 protected:
  DecoratedWallTest() {
    film_ = open({});
    logo_ = open(decorated({.kind = DecorationKind::kLogo}, {100, 100}));
    back_ = open(decorated({}, {100, 100}));
    other_ = open({});
  }
  uint32_t open(Window window) {
    window.frame_size = {1600, 900};
    window.wall_rect = {0, 0, 3840, 1080};
    return (*wall_.open(std::move(window)))->number;
  }
  std::vector<uint32_t> order() const { return wall_.windows().order(); }

  Arrangement wall_{kDecoratedWall};
  uint32_t film_ = 0;
  uint32_t logo_ = 0;
  uint32_t back_ = 0;
  uint32_t other_ = 0;
};

TEST_F(DecoratedWallTest, WallpapersStayBelowAndLogosAboveInEveryOrder) {
  EXPECT_THAT(order(), ElementsAre(back_, film_, other_, logo_));
  for (const uint32_t number : order()) EXPECT_EQ(wall_.windows().find(number)->number, number);
  wall_.apply({.order = {{logo_, other_, film_, back_}}}, {});
  EXPECT_THAT(order(), ElementsAre(back_, other_, film_, logo_));
  EXPECT_FALSE(wall_.windows().would_reorder({logo_, back_}));
  wall_.apply({.order = raised(order(), {back_})}, {});
  EXPECT_THAT(order(), ElementsAre(back_, other_, film_, logo_));
}

TEST_F(DecoratedWallTest, ACurtainIsAboveAllAndFollowsItsWindow) {
  const Decoration over_film{.kind = DecorationKind::kCurtain, .blank_window = film_};
  EXPECT_FALSE(wall_.is_blank(over_film));
  wall_.set_cover(film_, {.blank = ""});
  EXPECT_TRUE(wall_.is_blank(over_film));
  const uint32_t curtain = open(decorated(over_film, {100, 100}));
  wall_.apply({.order = raised(order(), {logo_})}, {});
  EXPECT_EQ(order().back(), curtain);
  WindowPlacement moved = wall_.windows().find(film_)->placement();
  moved.wall_rect = Rect{100, 50, 1000, 200};
  moved.place = moved.wall_rect;
  const LayoutChange before = wall_.apply({.windows = {{film_, moved}}}, {});
  EXPECT_EQ(before.windows.size(), 1U) << "undo does not move the curtain by itself";
  const Rect film = wall_.windows().find(film_)->wall_rect;
  EXPECT_EQ(wall_.windows().find(curtain)->wall_rect, film);
  EXPECT_FALSE(wall_.windows().find(curtain)->look.crop.empty());
  moved = wall_.windows().find(film_)->placement();
  moved.hidden = true;
  wall_.apply({.windows = {{film_, moved}}}, {});
  EXPECT_FALSE(wall_.is_blank(over_film)) << "a hidden window needs none";
}

TEST_F(DecoratedWallTest, AnAreaIsBlackUntilItsCurtainCoversIt) {
  const Rect area{0, 0, 400, 300};
  wall_.set({.blank_areas = {{area, "soon"}}});
  EXPECT_TRUE(wall_.blanks().front().black);
  const uint32_t curtain =
      open(decorated({.kind = DecorationKind::kCurtain, .blank_area = area}, {100, 100}));
  EXPECT_FALSE(wall_.blanks().front().black);
  EXPECT_EQ(wall_.blanks().front().text, "soon");
  wall_.set_lost(curtain, {.name = "player", .why = "it crashed"});
  EXPECT_TRUE(wall_.blanks().front().black) << "a dimmed picture hides nothing";
}

TEST_F(DecoratedWallTest, TheWallpaperOfTheWallIsBelowThoseOfAreas) {
  const uint32_t stage = open(decorated({.area = "stage"}, {100, 100}));
  const uint32_t wall = open(decorated({}, {100, 100}));
  EXPECT_THAT(order(), ElementsAre(back_, wall, stage, film_, other_, logo_));
}

TEST_F(DecoratedWallTest, ASenderThatReplacesItsStreamStaysAWallpaper) {
  wall_.replace(back_, decorated({.kind = DecorationKind::kLogo}, {100, 100}));
  EXPECT_EQ(wall_.windows().find(back_)->layer(), 0);
  Window plain;
  plain.frame_size = {100, 100};
  wall_.replace(back_, std::move(plain));
  EXPECT_EQ(wall_.windows().find(back_)->layer(), 0);
}

TEST_F(DecoratedWallTest, NewWindowsAndLayoutsLeaveNoRoomForThem) {
  wall_.remove(film_);
  wall_.remove(other_);
  const sail::Size content{1920, 1080};
  const Placing placing = place_windows(wall_, {}, {&content, 1}, std::nullopt, Others::kMakeRoom);
  EXPECT_THAT(placing.areas, ElementsAre(Rect{0, 0, 3840, 1080})) << "as on an empty wall";
  EXPECT_TRUE(placing.others.windows.empty());
}

}  // namespace
}  // namespace manager
