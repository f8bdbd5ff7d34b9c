#include "sail/core/base/glyphs.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace sail {
namespace {

constexpr int kColumns = 5;
constexpr int kRows = 7;
constexpr int kAdvance = kColumns + 1;
constexpr unsigned char kFirst = ' ';
constexpr unsigned char kLast = '~';

// Rows from the top; bit 4 is the leftmost column.
using Glyph = std::array<uint8_t, kRows>;

constexpr Glyph kBox = {31, 17, 17, 17, 17, 17, 31};

constexpr std::array<Glyph, kLast - kFirst + 1> kFace = {{
    {0, 0, 0, 0, 0, 0, 0},         // space
    {4, 4, 4, 4, 4, 0, 4},         // !
    {10, 10, 10, 0, 0, 0, 0},      // "
    {10, 10, 31, 10, 31, 10, 10},  // #
    {4, 15, 20, 14, 5, 30, 4},     // $
    {24, 25, 2, 4, 8, 19, 3},      // %
    {12, 18, 20, 8, 21, 18, 13},   // &
    {4, 4, 8, 0, 0, 0, 0},         // '
    {2, 4, 8, 8, 8, 4, 2},         // (
    {8, 4, 2, 2, 2, 4, 8},         // )
    {0, 4, 21, 14, 21, 4, 0},      // *
    {0, 4, 4, 31, 4, 4, 0},        // +
    {0, 0, 0, 0, 12, 4, 8},        // ,
    {0, 0, 0, 31, 0, 0, 0},        // -
    {0, 0, 0, 0, 0, 12, 12},       // .
    {0, 1, 2, 4, 8, 16, 0},        // /
    {14, 17, 19, 21, 25, 17, 14},  // 0
    {4, 12, 4, 4, 4, 4, 14},       // 1
    {14, 17, 1, 2, 4, 8, 31},      // 2
    {31, 2, 4, 2, 1, 17, 14},      // 3
    {2, 6, 10, 18, 31, 2, 2},      // 4
    {31, 16, 30, 1, 1, 17, 14},    // 5
    {6, 8, 16, 30, 17, 17, 14},    // 6
    {31, 1, 2, 4, 8, 8, 8},        // 7
    {14, 17, 17, 14, 17, 17, 14},  // 8
    {14, 17, 17, 15, 1, 2, 12},    // 9
    {0, 12, 12, 0, 12, 12, 0},     // :
    {0, 12, 12, 0, 12, 4, 8},      // ;
    {2, 4, 8, 16, 8, 4, 2},        // <
    {0, 0, 31, 0, 31, 0, 0},       // =
    {8, 4, 2, 1, 2, 4, 8},         // >
    {14, 17, 1, 2, 4, 0, 4},       // ?
    {14, 17, 1, 13, 21, 21, 14},   // @
    {14, 17, 17, 17, 31, 17, 17},  // A
    {30, 17, 17, 30, 17, 17, 30},  // B
    {14, 17, 16, 16, 16, 17, 14},  // C
    {28, 18, 17, 17, 17, 18, 28},  // D
    {31, 16, 16, 30, 16, 16, 31},  // E
    {31, 16, 16, 30, 16, 16, 16},  // F
    {14, 17, 16, 23, 17, 17, 15},  // G
    {17, 17, 17, 31, 17, 17, 17},  // H
    {14, 4, 4, 4, 4, 4, 14},       // I
    {7, 2, 2, 2, 2, 18, 12},       // J
    {17, 18, 20, 24, 20, 18, 17},  // K
    {16, 16, 16, 16, 16, 16, 31},  // L
    {17, 27, 21, 21, 17, 17, 17},  // M
    {17, 17, 25, 21, 19, 17, 17},  // N
    {14, 17, 17, 17, 17, 17, 14},  // O
    {30, 17, 17, 30, 16, 16, 16},  // P
    {14, 17, 17, 17, 21, 18, 13},  // Q
    {30, 17, 17, 30, 20, 18, 17},  // R
    {15, 16, 16, 14, 1, 1, 30},    // S
    {31, 4, 4, 4, 4, 4, 4},        // T
    {17, 17, 17, 17, 17, 17, 14},  // U
    {17, 17, 17, 17, 17, 10, 4},   // V
    {17, 17, 17, 21, 21, 21, 10},  // W
    {17, 17, 10, 4, 10, 17, 17},   // X
    {17, 17, 17, 10, 4, 4, 4},     // Y
    {31, 1, 2, 4, 8, 16, 31},      // Z
    {14, 8, 8, 8, 8, 8, 14},       // [
    {0, 16, 8, 4, 2, 1, 0},        // backslash
    {14, 2, 2, 2, 2, 2, 14},       // ]
    {4, 10, 17, 0, 0, 0, 0},       // ^
    {0, 0, 0, 0, 0, 0, 31},        // _
    {8, 4, 2, 0, 0, 0, 0},         // `
    {0, 0, 14, 1, 15, 17, 15},     // a
    {16, 16, 22, 25, 17, 17, 30},  // b
    {0, 0, 14, 16, 16, 17, 14},    // c
    {1, 1, 13, 19, 17, 17, 15},    // d
    {0, 0, 14, 17, 31, 16, 14},    // e
    {6, 9, 8, 28, 8, 8, 8},        // f
    {0, 15, 17, 17, 15, 1, 14},    // g
    {16, 16, 22, 25, 17, 17, 17},  // h
    {4, 0, 12, 4, 4, 4, 14},       // i
    {2, 0, 6, 2, 2, 18, 12},       // j
    {16, 16, 18, 20, 24, 20, 18},  // k
    {12, 4, 4, 4, 4, 4, 14},       // l
    {0, 0, 26, 21, 21, 17, 17},    // m
    {0, 0, 22, 25, 17, 17, 17},    // n
    {0, 0, 14, 17, 17, 17, 14},    // o
    {0, 0, 30, 17, 30, 16, 16},    // p
    {0, 0, 13, 19, 15, 1, 1},      // q
    {0, 0, 22, 25, 16, 16, 16},    // r
    {0, 0, 14, 16, 14, 1, 30},     // s
    {8, 8, 28, 8, 8, 9, 6},        // t
    {0, 0, 17, 17, 17, 19, 13},    // u
    {0, 0, 17, 17, 17, 10, 4},     // v
    {0, 0, 17, 17, 21, 21, 10},    // w
    {0, 0, 17, 10, 4, 10, 17},     // x
    {0, 0, 17, 17, 15, 1, 14},     // y
    {0, 0, 31, 2, 4, 8, 31},       // z
    {2, 4, 4, 8, 4, 4, 2},         // {
    {4, 4, 4, 4, 4, 4, 4},         // |
    {8, 4, 4, 2, 4, 4, 8},         // }
    {0, 0, 8, 21, 2, 0, 0},        // ~
}};

// For U+00C0 … U+00FF: the base letter (blank: the character is not supported) and, for lower case,
// the accent that replaces the two upper rows.
constexpr std::string_view kBases =
    "AAAAAA CEEEEIIIIDNOOOOOxOUUUUY  aaaaaa ceeeeiiii nooooo ouuuuy y";
constexpr size_t kSmall = 32;
constexpr std::string_view kAccents = "gactdr  gacdgacd tgactd  gacda d";

struct Accent {
  char name;
  uint8_t rows[2];
};
constexpr Accent kAccentRows[] = {{'g', {8, 4}},   {'a', {2, 4}},  {'c', {4, 10}},
                                  {'t', {13, 18}}, {'d', {10, 0}}, {'r', {6, 6}}};

// Whether the byte continues a UTF-8 character.
bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

Glyph accented(size_t index) {
  const char base = kBases[index];
  if (base == ' ') return kBox;
  Glyph glyph = kFace[static_cast<unsigned char>(base) - kFirst];
  if (index < kSmall) return glyph;
  for (const Accent& accent : kAccentRows) {
    if (accent.name == kAccents[index - kSmall]) {
      std::copy(std::begin(accent.rows), std::end(accent.rows), glyph.begin());
    }
  }
  return glyph;
}

// The glyph of the text's first character.
Glyph glyph_of(std::string_view text) {
  const auto code = static_cast<unsigned char>(text[0]);
  if (code >= kFirst && code <= kLast) return kFace[code - kFirst];
  constexpr unsigned char kLead = 0xC3;  // first byte of U+00C0 … U+00FF
  if (code != kLead || text.size() < 2 || !continues_character(text[1])) return kBox;
  return accented(static_cast<unsigned char>(text[1]) & 0x3FU);
}

void fill(const GlyphTarget& target, const Rect& rect, uint32_t colour) {
  const Rect inside = intersect(rect, Rect{0, 0, target.size.width, target.size.height});
  for (int y = inside.y; y < inside.bottom(); ++y) {
    uint8_t* pixel = target.pixels + y * target.stride + static_cast<ptrdiff_t>(inside.x) * 4;
    for (int x = 0; x < inside.width; ++x, pixel += 4) {
      pixel[0] = static_cast<uint8_t>(colour);
      pixel[1] = static_cast<uint8_t>(colour >> 8U);
      pixel[2] = static_cast<uint8_t>(colour >> 16U);
      pixel[3] = 255;
    }
  }
}

void draw_glyph(const GlyphTarget& target, const Glyph& glyph, int x, int y, int magnification,
                uint32_t colour) {
  for (int row = 0; row < kRows; ++row) {
    const unsigned bits = glyph[static_cast<size_t>(row)];
    for (int column = 0; column < kColumns; ++column) {
      if ((bits >> static_cast<unsigned>(kColumns - 1 - column) & 1U) == 0) continue;
      fill(target,
           {x + column * magnification, y + row * magnification, magnification, magnification},
           colour);
    }
  }
}

}  // namespace

Size text_size(std::string_view text, int magnification) {
  int letters = 0;
  for (const char byte : text) letters += continues_character(byte) ? 0 : 1;
  if (letters == 0) return {};
  return {(letters * kAdvance - 1) * magnification, kRows * magnification};
}

std::string_view first_letters(std::string_view text, size_t letters) {
  size_t end = 0;
  for (; end < text.size(); ++end) {
    if (!continues_character(text[end]) && letters-- == 0) break;
  }
  return text.substr(0, end);
}

void draw_text(const GlyphTarget& target, std::string_view text, int x, int y, int magnification,
               uint32_t colour) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (continues_character(text[i])) continue;
    if (x >= target.size.width) return;
    draw_glyph(target, glyph_of(text.substr(i)), x, y, magnification, colour);
    x += kAdvance * magnification;
  }
}

}  // namespace sail
