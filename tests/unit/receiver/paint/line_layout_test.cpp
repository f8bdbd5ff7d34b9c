// Texts over the windows: fonts, and the space that the manager reserves for them.
#include "receiver/paint/line_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/base/glyphs.h"

namespace receiver {
namespace {

constexpr int kAround = 8;  // margin in pixels

struct Drawn {
  std::vector<uint8_t> pixels;
  sail::Size size;
  bool inked(int x, int y) const {
    return pixels[static_cast<size_t>(y * size.width + x) * 4 + 3] > 0;
  }
  // Columns with ink: the first, and one past the last.
  std::pair<int, int> across() const {
    int first = size.width;
    int end = 0;
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        if (!inked(x, y)) continue;
        first = std::min(first, x);
        end = std::max(end, x + 1);
      }
    }
    return {first, end};
  }
};

Drawn draw(const std::string& text, int unit, uint32_t colour = 0xffffff) {
  const sail::Size room = sail::text_size(text, unit);
  Drawn drawn;
  drawn.size = {room.width + 2 * kAround, room.height + 2 * kAround};
  drawn.pixels.resize(static_cast<size_t>(drawn.size.width * drawn.size.height) * 4);
  const Canvas canvas{{drawn.pixels.data(), drawn.size.width * kBytesPerPixel}, drawn.size};
  LineLayout(text, unit).draw(canvas, kAround, kAround, colour);
  return drawn;
}

TEST(LineLayout, EveryScriptStaysInItsRoom) {
  const std::vector<std::string> of_all_fonts{"Film 59.9 fps", "Zoë", "Ж", "سلام", "WWWWWW", "W"};
  std::vector<std::string> texts = of_all_fonts;
  texts.insert(texts.end(), {"会議室", "👍", "e\u0301e\u0301"});
  for (const std::string& text : texts) {
    for (const int unit : {1, 2, 4}) {
      const int room = sail::text_size(text, unit).width;
      EXPECT_LE(LineLayout(text, unit).width(), room) << text;
      const auto [first, end] = draw(text, unit).across();
      EXPECT_GE(first, kAround) << text;
      EXPECT_LE(end, kAround + room) << text;
      if (std::ranges::find(of_all_fonts, text) == of_all_fonts.end()) continue;
      EXPECT_LT(first, end) << text << " is not seen";
    }
  }
  EXPECT_EQ(LineLayout("", 2).width(), 0);
}

TEST(LineLayout, IsAsLargeAsItsUnits) {
  const auto rows = [](int unit) {
    const Drawn drawn = draw("Hill", unit);
    int inked = 0;
    for (int y = 0; y < drawn.size.height; ++y) {
      bool any = false;
      for (int x = 0; x < drawn.size.width; ++x) any |= drawn.inked(x, y);
      inked += any ? 1 : 0;
    }
    return inked;
  };
  EXPECT_NEAR(rows(4), 24, 6);
  EXPECT_NEAR(rows(8), 2 * rows(4), 3);
}

TEST(LineLayout, ColoursAreMultipliedByAlpha) {
  const Drawn drawn = draw("Film", 3, 0xff8000);
  std::set<int> alphas;
  for (size_t i = 0; i < drawn.pixels.size(); i += 4) {
    const int alpha = drawn.pixels[i + 3];
    alphas.insert(alpha);
    EXPECT_EQ(drawn.pixels[i], 0);
    EXPECT_NEAR(drawn.pixels[i + 1], alpha * 0x80 / 255.0, 2);
    EXPECT_EQ(drawn.pixels[i + 2], alpha);
  }
  EXPECT_TRUE(alphas.contains(255)) << "opaque in the middle of its strokes";
  EXPECT_GT(alphas.size(), 3U) << "and smooth at their edges";
}

}  // namespace
}  // namespace receiver
