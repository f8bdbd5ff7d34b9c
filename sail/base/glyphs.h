// Letters for test cards: a 5×7 pixel face of printable ASCII and the letters of western Europe
// (capitals without their accents), magnified by whole numbers. Text is UTF-8; every other
// character is drawn as an empty box. Their size is also the room that texts over the windows have,
// which receivers draw in other fonts. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sail/base/geometry.h"

namespace sail {

// Pixels of 4 bytes (B, G, R, X).
struct GlyphTarget {
  uint8_t* pixels = nullptr;
  ptrdiff_t stride = 0;
  Size size;
};

// Size of the text at a magnification: 6 columns a letter (5 and a gap, none after the last), 7
// rows.
Size text_size(std::string_view text, int magnification);

// The beginning of the text, so many letters at most.
std::string_view first_letters(std::string_view text, size_t letters);

// Draws with the text's top left at (x, y); what lies outside the target is cut. colour: 0xRRGGBB.
void draw_text(const GlyphTarget& target, std::string_view text, int x, int y, int magnification,
               uint32_t colour);

}  // namespace sail
