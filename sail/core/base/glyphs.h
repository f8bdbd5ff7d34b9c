// A 5×7 pixel font for test cards: printable ASCII and Western European letters (capitals without
// accents), magnified by whole numbers. Text is UTF-8; any other character is drawn as an empty
// box. The font's size also defines the space of text over the windows, which receivers draw in
// other fonts. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sail/core/base/geometry.h"

namespace sail {

// Pixels of 4 bytes (B, G, R, 255).
struct GlyphTarget {
  uint8_t* pixels = nullptr;
  ptrdiff_t stride = 0;
  Size size;
};

// Size of the text at a magnification: 6 columns per letter (5 and a gap; no gap after the last
// letter), 7 rows.
Size text_size(std::string_view text, int magnification);

// The start of the text, at most `letters` letters.
std::string_view first_letters(std::string_view text, size_t letters);

// Draws the text with its top left corner at (x, y), clipped to the target. colour: 0xRRGGBB.
void draw_text(const GlyphTarget& target, std::string_view text, int x, int y, int magnification,
               uint32_t colour);

}  // namespace sail
