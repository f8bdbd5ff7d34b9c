// Pictures of one colour that encodes picture and frame number. The colour survives DXT1, halving
// and scaling exactly.
#pragma once

#include <cstdint>
#include <optional>

namespace bench {

struct Mark {
  uint32_t picture = 0;  // 1 to kMostMarked; 0: black, no picture
  uint32_t frame = 0;    // modulo kMarkedFrames
};
constexpr uint32_t kMostMarked = 1023;
constexpr uint32_t kMarkedFrames = 64;

// Red, green and blue of 5, 6 and 5 bits, expanded to 8 each: 0xffrrggbb.
constexpr uint32_t marked_colour(const Mark& mark) {
  const uint32_t code = mark.picture * kMarkedFrames + mark.frame % kMarkedFrames;
  const uint32_t red = code >> 11;
  const uint32_t green = code >> 5 & 0x3f;
  const uint32_t blue = code & 0x1f;
  return 0xff000000 | (red << 3 | red >> 2) << 16 | (green << 2 | green >> 4) << 8 |
         (blue << 3 | blue >> 2);
}

// Empty optional: no picture has this colour. pixel: B, G, R.
inline std::optional<Mark> mark_of(const uint8_t* pixel) {
  const uint32_t code =
      static_cast<uint32_t>(pixel[2] >> 3 << 11 | pixel[1] >> 2 << 5 | pixel[0] >> 3);
  const Mark mark{code / kMarkedFrames, code % kMarkedFrames};
  const uint32_t colour = marked_colour(mark);
  const bool whole = pixel[2] == (colour >> 16 & 0xff) && pixel[1] == (colour >> 8 & 0xff) &&
                     pixel[0] == (colour & 0xff);
  if (!whole) return std::nullopt;
  return mark;
}

}  // namespace bench
