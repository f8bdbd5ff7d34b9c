#include "receiver/blend.h"

#include <algorithm>

namespace receiver {
namespace {

// a · b / 255, rounded, for bytes.
constexpr unsigned scale(unsigned a, unsigned b) {
  const unsigned product = a * b + 128;
  return (product + (product >> 8)) >> 8;
}

}  // namespace

void premultiply(const Canvas& picture) {
  for (int y = 0; y < picture.size.height; ++y) {
    uint8_t* pixel = picture.target.pixels + y * picture.target.stride;
    for (int x = 0; x < picture.size.width; ++x, pixel += kBytesPerPixel) {
      for (int c = 0; c < 3; ++c) pixel[c] = static_cast<uint8_t>(scale(pixel[c], pixel[3]));
    }
  }
}

void blend_over(const Canvas& picture, codecs::BgraTarget target) {
  for (int y = 0; y < picture.size.height; ++y) {
    const uint8_t* from = picture.target.pixels + y * picture.target.stride;
    uint8_t* to = target.pixels + y * target.stride;
    for (int x = 0; x < picture.size.width; ++x, from += kBytesPerPixel, to += kBytesPerPixel) {
      const unsigned rest = 255U - from[3];
      for (int c = 0; c < 3; ++c) {
        to[c] = static_cast<uint8_t>(std::min(255U, from[c] + scale(to[c], rest)));
      }
    }
  }
}

}  // namespace receiver
