#include "sail/apps/show/page_list.h"

#include <gtest/gtest.h>

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
}  // namespace sail
