// Texts and clocks as they are drawn at any size.
#include "sail/apps/show/still_file.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sail/apps/show/still_reader.h"

namespace sail {
namespace {

std::unique_ptr<Still> write(const std::string& medium) {
  auto still = open_still(medium);
  EXPECT_TRUE(still) << still.error().message;
  return still ? std::move(*still) : nullptr;
}

// Bounding box of the ink; the corner pixel has the paper's colour.
Rect ink_of(const Raster& raster) {
  const auto paper = std::vector<uint8_t>(raster.at(0, 0), raster.at(0, 0) + 4);
  int left = raster.size.width;
  int top = raster.size.height;
  int right = 0;
  int bottom = 0;
  for (int y = 0; y < raster.size.height; ++y) {
    for (int x = 0; x < raster.size.width; ++x) {
      const uint8_t* pixel = raster.at(x, y);
      EXPECT_EQ(pixel[3], 255);
      if (std::equal(paper.begin(), paper.end(), pixel)) continue;
      left = std::min(left, x);
      top = std::min(top, y);
      right = std::max(right, x + 1);
      bottom = std::max(bottom, y + 1);
    }
  }
  return Rect::from_edges(left, top, right, bottom);
}

// Bounding box of the ink on the whole page at this scale, in page pixels.
Rect ink_at(Still& still, const PageInfo& page, double scale) {
  const Size frame{static_cast<int>(page.size.width * scale),
                   static_cast<int>(page.size.height * scale)};
  const auto raster = still.draw({.frame = frame, .left = 0, .top = 0, .scale = scale});
  EXPECT_TRUE(raster);
  const Rect ink = ink_of(*raster);
  const auto back = [scale](int side) { return static_cast<int>(side / scale); };
  return {back(ink.x), back(ink.y), back(ink.width), back(ink.height)};
}

TEST(TextLayout, StandsInTheMiddleOfThePageAtEverySize) {
  const auto still =
      write("note:Bienvenue \u00b7 \u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645");
  const auto page = still->turn_to(0);
  ASSERT_TRUE(page);
  for (const double scale : {0.25, 1.0, 1.7, 3.0}) {
    const Rect ink = ink_at(*still, *page, scale);
    const int beside = page->size.width - ink.x - ink.width;
    EXPECT_NEAR(ink.x, beside, 16) << "at " << scale;
    EXPECT_GE(ink.x, 30) << "at " << scale;
    EXPECT_GE(beside, 30) << "at " << scale;
  }
}

TEST(TextLayout, ALineEndIsWrittenOutAndALongTextIsSmaller) {
  const auto one = write("note:one")->turn_to(0);
  const auto two = write("note:one\\ntwo")->turn_to(0);
  const auto back_slashes = write("note:one\\two")->turn_to(0);
  EXPECT_GT(two->size.height, one->size.height * 3 / 2);
  EXPECT_EQ(back_slashes->size.height, one->size.height);
  EXPECT_GT(back_slashes->size.width, one->size.width);

  std::string lines;
  for (int i = 0; i < 400; ++i) lines += "many words ";
  const auto many = write("note:" + lines)->turn_to(0);
  EXPECT_LE(many->size.width, 1800);
  EXPECT_LE(many->size.height, 2000);
}

TEST(TextLayout, TheClockChangesEachSecondAndKeepsItsSize) {
  const auto clock = write("clock:UTC");
  const auto page = clock->turn_to(0);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->changes_every_ns, 1'000'000'000);
  EXPECT_EQ(write("note:x")->turn_to(0)->changes_every_ns, 0);
  const Rect ink = ink_at(*clock, *page, 1);
  EXPECT_GT(ink.width, page->size.width / 2);
  EXPECT_EQ(clock->turn_to(0)->size, page->size);
  EXPECT_GT(write("clock:Pacific/Kiritimati")->turn_to(0)->size.height, 0);
  const int with_name = write("clock:Etc/UTC")->turn_to(0)->size.height;
  EXPECT_LT(page->size.height, with_name) << "UTC is named once";
}

// It is midday in one of two zones twelve hours apart when it is midnight in the other.
TEST(TextLayout, ZonesDiffer) {
  const PageView view{.frame = {640, 300}, .left = 0, .top = 0, .scale = 0.6};
  const auto west = write("clock:Etc/GMT+6")->draw(view);
  const auto east = write("clock:Etc/GMT-6")->draw(view);
  ASSERT_TRUE(west && east);
  EXPECT_NE(west->bgra, east->bgra);
}

TEST(TextLayout, WhatCannotBeWritten) {
  EXPECT_EQ(open_still("note:").error().message, "a note needs a text: note:TEXT");
  EXPECT_EQ(open_still("clock:Mars/Base").error().message,
            "unknown time zone 'Mars/Base': use a name such as Europe/Paris or UTC");
  EXPECT_EQ(open_still("clock:../../etc/passwd").error().code, ErrorCode::kInvalidParams);
}

TEST(TextLayout, Titles) {
  EXPECT_EQ(title_of_writing("note:First line\\nsecond"), "First line");
  EXPECT_EQ(title_of_writing("clock:Asia/Tokyo"), "Asia/Tokyo");
  EXPECT_EQ(title_of_writing("clock:"), "Clock");
}

}  // namespace
}  // namespace sail
