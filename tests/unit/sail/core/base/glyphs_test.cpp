#include "sail/core/base/glyphs.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace sail {
namespace {

// A canvas that converts to text: '#' for drawn pixels.
class Canvas {
 public:
  Canvas(int width, int height)
      : size_{width, height},
        pixels_(static_cast<size_t>(width) * static_cast<size_t>(height) * 4) {}

  GlyphTarget target() { return {pixels_.data(), static_cast<ptrdiff_t>(size_.width) * 4, size_}; }

  std::string text() const {
    std::string rows;
    for (int y = 0; y < size_.height; ++y) {
      for (int x = 0; x < size_.width; ++x) rows += pixel(x, y)[3] != 0 ? '#' : '.';
      rows += '\n';
    }
    return rows;
  }
  const uint8_t* pixel(int x, int y) const {
    return &pixels_[(static_cast<size_t>(y) * static_cast<size_t>(size_.width) +
                     static_cast<size_t>(x)) *
                    4];
  }

 private:
  Size size_;
  std::vector<uint8_t> pixels_;
};

std::string drawn(std::string_view text) {
  const Size size = text_size(text, 1);
  Canvas canvas(size.width, size.height);
  draw_text(canvas.target(), text, 0, 0, 1, 0xFFFFFF);
  return canvas.text();
}

TEST(Glyphs, LettersStandSixColumnsApart) {
  EXPECT_EQ(drawn("T7"),
            "#####.#####\n"
            "..#.......#\n"
            "..#......#.\n"
            "..#.....#..\n"
            "..#....#...\n"
            "..#....#...\n"
            "..#....#...\n");
}

TEST(Glyphs, SizeCountsLettersAndMagnification) {
  EXPECT_EQ(text_size("", 3), (Size{0, 0}));
  EXPECT_EQ(text_size("A", 1), (Size{5, 7}));
  EXPECT_EQ(text_size("frame 12", 4), (Size{47 * 4, 28}));
  EXPECT_EQ(text_size("\xC3\xA9t\xC3\xA9", 1), (Size{17, 7}));  // "été": three letters
}

TEST(Glyphs, EveryPrintableLetterDiffersFromTheOthers) {
  std::set<std::string> faces;
  for (char letter = ' '; letter <= '~'; ++letter) faces.insert(drawn(std::string(1, letter)));
  EXPECT_EQ(faces.size(), 95U);
}

TEST(Glyphs, AnythingElseIsAnEmptyBox) {
  const std::string box = drawn("\x01");
  EXPECT_EQ(box, "#####\n#...#\n#...#\n#...#\n#...#\n#...#\n#####\n");
  for (const char* other : {"€", "ß", "Ж", "語", "\xC3", "\xC2\xA9"}) {
    EXPECT_EQ(drawn(other), box) << other;
  }
}

TEST(Glyphs, LettersOfWesternEuropeHaveTheirAccents) {
  EXPECT_EQ(drawn("ü"),
            ".#.#.\n"
            ".....\n"
            "#...#\n"
            "#...#\n"
            "#...#\n"
            "#..##\n"
            ".##.#\n");
  std::set<std::string> faces;
  for (const char* letter :
       {"a", "à", "á", "â", "ã", "ä", "å", "ç", "è", "é", "ê", "ë", "ì", "í",
        "î", "ï", "ñ", "ò", "ó", "ô", "õ", "ö", "ù", "ú", "û", "ü", "ý", "ÿ"}) {
    EXPECT_TRUE(faces.insert(drawn(letter)).second) << letter;
  }
  EXPECT_EQ(drawn("É"), drawn("E"));
  EXPECT_EQ(drawn("Ñ"), drawn("N"));
}

TEST(Glyphs, FirstLettersEndBetweenTwo) {
  EXPECT_EQ(first_letters("Zoë Ö", 9), "Zoë Ö");
  EXPECT_EQ(first_letters("Zoë Ö", 5), "Zoë Ö");
  EXPECT_EQ(first_letters("Zoë Ö", 3), "Zoë");
  EXPECT_EQ(first_letters("Zoë Ö", 0), "");
  EXPECT_EQ(first_letters("", 4), "");
}

TEST(Glyphs, MagnificationMakesSquares) {
  Canvas canvas(15, 21);
  draw_text(canvas.target(), "-", 0, 0, 3, 0xFFFFFF);
  for (int y = 0; y < 21; ++y) {
    for (int x = 0; x < 15; ++x) {
      EXPECT_EQ(canvas.pixel(x, y)[3] != 0, y >= 9 && y < 12) << x << ',' << y;
    }
  }
}

TEST(Glyphs, ColourIsStoredAsBgr) {
  Canvas canvas(5, 7);
  draw_text(canvas.target(), "T", 0, 0, 1, 0x102030);
  const uint8_t* pixel = canvas.pixel(0, 0);
  EXPECT_EQ(pixel[0], 0x30);
  EXPECT_EQ(pixel[1], 0x20);
  EXPECT_EQ(pixel[2], 0x10);
  EXPECT_EQ(pixel[3], 255);
  EXPECT_EQ(canvas.pixel(0, 1)[3], 0);  // pixels outside the letter are unchanged
}

TEST(Glyphs, WhatLiesOutsideTheTargetIsCut) {
  Canvas whole(17, 11);
  draw_text(whole.target(), "Hi!", 0, 2, 1, 0xFFFFFF);
  for (int dx = -20; dx <= 20; ++dx) {
    for (int dy = -12; dy <= 12; ++dy) {
      Canvas cut(17, 11);
      draw_text(cut.target(), "Hi!", dx, 2 + dy, 1, 0xFFFFFF);
      for (int y = 0; y < 11; ++y) {
        for (int x = 0; x < 17; ++x) {
          const int sx = x - dx;
          const int sy = y - dy;
          const bool expected =
              sx >= 0 && sx < 17 && sy >= 0 && sy < 11 && whole.pixel(sx, sy)[3] != 0;
          ASSERT_EQ(cut.pixel(x, y)[3] != 0, expected) << dx << ',' << dy;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sail
