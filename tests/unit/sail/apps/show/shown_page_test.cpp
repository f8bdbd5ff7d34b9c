#include "sail/apps/show/shown_page.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sail {
namespace {

TEST(PageList, IsAllPagesOfAllFiles) {
  PageList pages({1, 0, 3});
  EXPECT_EQ(pages.count(), 4);
  EXPECT_EQ(pages.shown(), (StillPage{0, 0}));
  EXPECT_TRUE(pages.turn_to(3));
  EXPECT_EQ(pages.shown(), (StillPage{2, 1}));
}

TEST(PageList, EndsAtItsEndsUnlessItBeginsAgain) {
  PageList pages({1, 2});
  EXPECT_FALSE(pages.turn_by(-1, false));
  EXPECT_TRUE(pages.turn_by(-1, true));
  EXPECT_EQ(pages.number(), 3);
  EXPECT_FALSE(pages.turn_by(1, false));
  EXPECT_TRUE(pages.turn_by(1, true));
  EXPECT_EQ(pages.number(), 1);
  EXPECT_TRUE(pages.turn_to(99));
  EXPECT_EQ(pages.number(), 3);
}

TEST(PageList, WhatCannotBeReadIsLeftOutWithAWord) {
  std::vector<std::string> complaints;
  const PageList pages = PageList::read({"/nowhere/a.png"}, complaints);
  EXPECT_TRUE(pages.empty());
  ASSERT_EQ(complaints.size(), 1U);
  EXPECT_NE(complaints[0].find("/nowhere/a.png does not exist"), std::string::npos)
      << complaints[0];
}

}  // namespace

namespace {

class PageZoomTest : public testing::Test {
 protected:
  PageZoomTest() {
    zoom_.set_frame({400, 300});
    zoom_.set_page({4000, 2000}, 16);
  }
  // Page coordinates at a point of the frame.
  double page_x(double x) const { return zoom_.view().left + x / zoom_.view().scale; }
  double page_y(double y) const { return zoom_.view().top + y / zoom_.view().scale; }

  PageZoom zoom_;
};

TEST_F(PageZoomTest, FitsTheWholePageInTheMiddle) {
  EXPECT_TRUE(zoom_.fitted());
  EXPECT_DOUBLE_EQ(zoom_.view().scale, 0.1);
  EXPECT_DOUBLE_EQ(zoom_.view().left, 0);
  EXPECT_DOUBLE_EQ(zoom_.view().top, -500);
}

TEST_F(PageZoomTest, WhatIsUnderThePointerStaysThere) {
  const double x = page_x(300);
  zoom_.zoom(4, 300, 150);
  EXPECT_FALSE(zoom_.fitted());
  EXPECT_DOUBLE_EQ(zoom_.view().scale, 0.4);
  EXPECT_NEAR(page_x(300), x, 1 / 0.4);
  zoom_.zoom(2, 250, 100);
  const double y = page_y(100);
  zoom_.zoom(2, 250, 100);
  EXPECT_NEAR(page_y(100), y, 1 / 1.6);
}

TEST_F(PageZoomTest, ZoomsNoFurtherThanThePageAndTheMost) {
  zoom_.zoom(1e9, 10, 10);
  EXPECT_DOUBLE_EQ(zoom_.view().scale, 16);
  zoom_.zoom(1e-9, 10, 10);
  EXPECT_TRUE(zoom_.fitted());
  EXPECT_DOUBLE_EQ(zoom_.view().top, -500);
}

TEST_F(PageZoomTest, OneToOneLiesOnWholePixels) {
  zoom_.one_to_one();
  const PageView view = zoom_.view();
  EXPECT_EQ(view.scale, 1);
  EXPECT_EQ(view.left, 1800);
  EXPECT_EQ(view.top, 850);
  zoom_.pan(0.4, 0.4);
  EXPECT_EQ(zoom_.view().left, std::floor(zoom_.view().left));
}

TEST_F(PageZoomTest, ComesBackToItsOwnPixels) {
  zoom_.one_to_one();
  const PageView before = zoom_.view();
  for (int i = 0; i < 7; ++i) zoom_.zoom(1.25, 200, 150);
  for (int i = 0; i < 7; ++i) zoom_.zoom(1 / 1.25, 200, 150);
  EXPECT_EQ(zoom_.view(), before);
}

TEST_F(PageZoomTest, PansToTheEdgesAndNotBeyond) {
  zoom_.one_to_one();
  zoom_.pan(100, 50);
  EXPECT_DOUBLE_EQ(zoom_.view().left, 1700);
  EXPECT_DOUBLE_EQ(zoom_.view().top, 800);
  zoom_.pan(1e9, -1e9);
  EXPECT_DOUBLE_EQ(zoom_.view().left, 0);
  EXPECT_DOUBLE_EQ(zoom_.view().top, 1700);
}

TEST_F(PageZoomTest, AnotherFrameKeepsWhatIsSeen) {
  zoom_.zoom(10, 200, 150);
  const double middle = page_x(200);
  zoom_.set_frame({800, 600});
  EXPECT_DOUBLE_EQ(zoom_.view().scale, 2);
  EXPECT_NEAR(page_x(400), middle, 1);
  zoom_.fit();
  zoom_.set_frame({200, 100});
  EXPECT_TRUE(zoom_.fitted());
  EXPECT_DOUBLE_EQ(zoom_.view().scale, 0.05);
}

TEST(SeenPart, IsWhatLiesOnThePageAndInTheFrame) {
  const PageView view{.frame = {400, 300}, .left = 0, .top = -500, .scale = 0.1};
  const SeenPart seen = seen_part(view, {4000, 2000});
  EXPECT_EQ(seen.in_frame, (Rect{0, 50, 400, 200}));
  EXPECT_DOUBLE_EQ(seen.bottom, 2000);
  const PageView beside{.frame = {400, 300}, .left = 5000, .top = 0, .scale = 1};
  EXPECT_TRUE(seen_part(beside, {4000, 2000}).in_frame.empty());
}

}  // namespace

}  // namespace sail
