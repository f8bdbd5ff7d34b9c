// A desktop: windows over a shaded background, with text in the sizes and colours of editors,
// terminals and pages. Drawn at double size and averaged, horizontally with some of the neighbours,
// so that letters have smoothed edges, as with fonts.
#include <algorithm>
#include <array>
#include <string>

#include "sail/core/base/glyphs.h"
#include "tests/bench/codec/contents.h"
#include "tests/bench/pictures/noise.h"

namespace bench {
namespace {

// Colours are 0xRRGGBB; the large picture has B, G, R, X as draw_text writes it.
struct Theme {
  uint32_t ground;
  uint32_t frame;
  std::array<uint32_t, 4> ink;
};
constexpr std::array<Theme, 4> kThemes = {{
    {0xffffff, 0x3a6ea5, {0x000000, 0x202020, 0x0000c0, 0x808080}},  // a page
    {0x1e1e1e, 0x333337, {0xd4d4d4, 0x569cd6, 0xce9178, 0x6a9955}},  // an editor
    {0x300a24, 0x2c2c2c, {0xffffff, 0x8ae234, 0x729fcf, 0xef2929}},  // a terminal
    {0xf5f5dc, 0x8b0000, {0x5b4636, 0xb22222, 0x2e8b57, 0x4b0082}},  // a reader
}};

std::string words(uint32_t line, uint32_t seed, int letters) {
  static constexpr std::array<const char*, 12> kWords = {
      "frame", "wall",  "for (int i = 0;", "the",      "0x3fa9",    "return",
      "of",    "tiles", "stream;",         "$ ls -la", "1920x1080", "and"};
  std::string text(hash(line, 3, seed) % 4 * 2, ' ');
  for (uint32_t i = 0; text.size() < static_cast<size_t>(letters); ++i) {
    text += kWords[hash(line, 10 + i, seed) % kWords.size()];
    text += ' ';
    if (hash(line, 90 + i, seed) % 9 == 0) break;
  }
  return text.substr(0, static_cast<size_t>(letters));
}

class Canvas {
 public:
  explicit Canvas(sail::Size size) : picture_("", size) {}

  void fill(const sail::Rect& rect, uint32_t colour) {
    const sail::Rect seen = sail::intersect(rect, {0, 0, size().width, size().height});
    for (int y = seen.y; y < seen.bottom(); ++y) {
      for (int x = seen.x; x < seen.right(); ++x) set(x, y, colour);
    }
  }

  void text(const std::string& line, int x, int y, int magnification, uint32_t colour) {
    sail::draw_text({picture_.pixels.data(), picture_.stride(), size()}, line, x, y, magnification,
                    colour);
  }

  void shade() {
    for (int y = 0; y < size().height; ++y) {
      const auto level = static_cast<uint32_t>(y * 120 / size().height);
      fill({0, y, size().width, 1}, level << 16 | (60 + level / 2) << 8 | (150 - level));
    }
  }

  void window(const sail::Rect& rect, const Theme& theme, int magnification, uint32_t seed) {
    fill({rect.x + 12, rect.y + 12, rect.width, rect.height}, 0x101820);  // shadow
    fill(rect, theme.frame);
    const int bar = 44;
    text("window " + std::to_string(seed), rect.x + 16, rect.y + 12, 3, 0xffffff);
    const sail::Rect page{rect.x + 4, rect.y + bar, rect.width - 8, rect.height - bar - 4};
    fill(page, theme.ground);
    const int advance = 6 * magnification, line_height = 11 * magnification;
    const int letters = std::max(0, (page.width - 32) / advance);
    uint32_t line = 0;
    for (int y = page.y + 16; y + line_height < page.bottom(); y += line_height, ++line) {
      text(words(line, seed, letters), page.x + 16, y, magnification,
           theme.ink[hash(line, 1, seed) % theme.ink.size()]);
    }
  }

  sail::Size size() const { return picture_.size; }
  const uint8_t* at(int x, int y) const { return picture_.at(x, y); }

 private:
  void set(int x, int y, uint32_t colour) {
    for (int c = 0; c < 3; ++c) picture_.at(x, y)[c] = static_cast<uint8_t>(colour >> (8 * c));
  }

  Picture picture_;
};

}  // namespace

void draw_desktop(Picture& picture, sail::WorkerPool& pool) {
  Canvas canvas({picture.size.width * 2, picture.size.height * 2});
  canvas.shade();
  const int width = canvas.size().width, height = canvas.size().height;
  for (uint32_t i = 0; i < 7; ++i) {
    const auto random = [&](uint32_t what, int most) {
      return static_cast<int>(hash(i, what, 5) % static_cast<uint32_t>(most));
    };
    const sail::Rect rect{random(0, width * 2 / 3), random(1, height * 2 / 3),
                          width / 4 + random(2, width / 4), height / 4 + random(3, height / 4)};
    canvas.window(rect, kThemes[i % kThemes.size()], 3 + static_cast<int>(i % 3), i + 1);
  }
  static constexpr int kWeight[4] = {1, 3, 3, 1};
  paint_pixels(picture, pool, [&](int x, int y, uint8_t* rgba) {
    for (int c = 0; c < 3; ++c) {
      int sum = 8;
      for (int dy = 0; dy < 2; ++dy) {
        for (int dx = -1; dx <= 2; ++dx) {
          sum +=
              kWeight[dx + 1] * canvas.at(std::clamp(2 * x + dx, 0, width - 1), 2 * y + dy)[2 - c];
        }
      }
      rgba[c] = static_cast<uint8_t>(sum / 16);
    }
    rgba[3] = 255;
  });
}

}  // namespace bench
