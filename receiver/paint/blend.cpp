#include "receiver/paint/blend.h"

#include <algorithm>
#include <utility>

namespace receiver {
namespace {

// Returns a · b / 255, rounded, for byte values.
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

namespace {

// Range of byte offsets within a B, G, R pixel.
struct ColourRange {
  int begin;
  int end;
};
constexpr ColourRange colours_of(Channels channels) {
  switch (channels) {
    case Channels::kRed:
      return {2, 3};
    case Channels::kGreenBlue:
      return {0, 2};
    default:
      return {0, 3};
  }
}

}  // namespace

void lay_over(const Canvas& picture, const Laying& how, codecs::BgraTarget target) {
  const auto faded = [opacity = static_cast<unsigned>(how.opacity)](unsigned value) {
    return opacity == 255 ? value : scale(value, opacity);
  };
  const ColourRange colours = colours_of(how.channels);
  ptrdiff_t right = kBytesPerPixel;
  ptrdiff_t down = picture.target.stride;
  sail::Size size = picture.size;
  if (how.turned) {
    std::swap(right, down);
    std::swap(size.width, size.height);
  }
  for (int y = 0; y < size.height; ++y) {
    const uint8_t* from = picture.target.pixels + y * down;
    uint8_t* to = target.pixels + y * target.stride;
    for (int x = 0; x < size.width; ++x, from += right, to += kBytesPerPixel) {
      const unsigned rest = 255U - faded(from[3]);
      for (int c = colours.begin; c < colours.end; ++c) {
        const unsigned beneath = rest == 0 ? 0 : scale(to[c], rest);
        to[c] = static_cast<uint8_t>(std::min(255U, faded(from[c]) + beneath));
      }
    }
  }
}

}  // namespace receiver
