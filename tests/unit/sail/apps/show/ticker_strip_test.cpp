#include "sail/apps/show/ticker_strip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sail/core/wire/ticker_medium.h"

namespace sail {
namespace {

constexpr TickerColours kColours{.ink = 0xffffff, .paper = 0x102030};

TickerStrip strip_of(const std::string& text, int height = 40) {
  auto strip = TickerStrip::draw(text, height, kColours);
  EXPECT_TRUE(strip) << strip.error().message;
  return *std::move(strip);
}

Raster frame_at(const TickerStrip& strip, int64_t moved, int width) {
  Raster frame({width, strip.height()});
  strip.copy(moved, frame);
  return frame;
}

bool is_paper(const uint8_t* pixel) {
  return pixel[0] == 0x30 && pixel[1] == 0x20 && pixel[2] == 0x10 && pixel[3] == 255;
}

// Whether column x of `to` is column x + shift of `from`, for all columns that both have.
bool is_shifted(const Raster& from, const Raster& to, int shift) {
  const int first = std::max(0, -shift);
  const int last = to.size.width - std::max(0, shift);
  for (int y = 0; y < to.size.height; ++y) {
    if (!std::equal(to.at(first, y), to.at(first, y) + (last - first) * 4L,
                    from.at(first + shift, y))) {
      return false;
    }
  }
  return true;
}

TEST(TickerStrip, MovesToTheLeftByWholePixels) {
  const TickerStrip strip = strip_of("Doors open at 18:00");
  EXPECT_FALSE(strip.right_to_left());
  EXPECT_EQ(strip.height(), 40);
  const Raster begin = frame_at(strip, 0, 200);
  for (const int moved : {1, 2, 17}) {
    EXPECT_TRUE(is_shifted(begin, frame_at(strip, moved, 200), moved)) << moved;
  }
  EXPECT_NE(begin.bgra, frame_at(strip, 1, 200).bgra);
}

TEST(TickerStrip, TextsThatReadToTheLeftMoveToTheRight) {
  const TickerStrip strip =
      strip_of("\u2068\u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645 18:00\u2069");
  EXPECT_TRUE(strip.right_to_left());
  const Raster begin = frame_at(strip, 0, 200);
  EXPECT_TRUE(is_shifted(begin, frame_at(strip, 5, 200), -5));
  EXPECT_NE(begin.bgra, frame_at(strip, 5, 200).bgra);
}

// The frame is wider than the strip, too.
TEST(TickerStrip, RepeatsWithoutASeam) {
  for (const char* text : {"Hi", "\u05e9\u05dc\u05d5\u05dd"}) {
    const TickerStrip strip = strip_of(text);
    const int width = 3 * strip.period() + 7;
    const Raster frame = frame_at(strip, strip.period() - 3, width);
    EXPECT_EQ(frame.bgra, frame_at(strip, int64_t{1000} * strip.period() - 3, width).bgra);
    for (int x = 0; x + strip.period() < width; ++x) {
      ASSERT_TRUE(
          std::equal(frame.at(x, 20), frame.at(x, 20) + 4, frame.at(x + strip.period(), 20)));
    }
  }
}

TEST(TickerStrip, TheTextIsBetweenMarginsOfPaper) {
  const TickerStrip strip = strip_of("Ag");
  const Raster all = frame_at(strip, 0, strip.period());
  bool ink = false;
  for (int x = 0; x < strip.period(); ++x) {
    EXPECT_TRUE(is_paper(all.at(x, 0)) && is_paper(all.at(x, 39))) << x;
    for (int y = 0; y < 40; ++y) ink = ink || !is_paper(all.at(x, y));
  }
  for (int y = 0; y < 40; ++y) EXPECT_TRUE(is_paper(all.at(2, y)));
  EXPECT_TRUE(ink);
}

TEST(TickerStrip, ColumnsBeyondCairosLimitAreDrawn) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "HHHHHHHH ";
  const TickerStrip strip = strip_of(text);
  ASSERT_GT(strip.period(), 100'000);
  EXPECT_FALSE(strip.shortened());
  // Every stretch of the text looks alike: it has ink.
  for (int left = 100; left + 200 < strip.period() - 200; left += 4096) {
    const Raster frame = frame_at(strip, left, 200);
    bool ink = false;
    for (int x = 0; x < 200; ++x) ink = ink || !is_paper(frame.at(x, 20));
    EXPECT_TRUE(ink) << left;
  }
}

TEST(TickerStrip, TheLargestLettersAreDrawn) {
  const TickerStrip strip = strip_of("H", kMostTickerHeight);
  const Raster all = frame_at(strip, 0, strip.period());
  bool ink = false;
  for (int x = 0; x < strip.period(); ++x) ink = ink || !is_paper(all.at(x, strip.height() / 2));
  EXPECT_TRUE(ink);
}

TEST(TickerStrip, ATextThatNeedsTooMuchMemoryIsCut) {
  const std::string text(16'000, 'W');
  const TickerStrip strip = strip_of(text, 1000);
  EXPECT_TRUE(strip.shortened());
  EXPECT_LE(int64_t{strip.period()} * 1000, int64_t{16} << 20);
  std::string wide;
  for (int i = 0; i < 5000; ++i) wide += "\ufdfd";
  EXPECT_TRUE(strip_of(wide, 1000).shortened());
}

}  // namespace
}  // namespace sail
