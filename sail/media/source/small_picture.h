// A downscaled picture. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "codecs/base/image.h"
#include "codecs/picture/sampled_picture.h"
#include "sail/core/base/geometry.h"

namespace sail {

// R, G, B; rows without padding.
struct SmallPicture {
  Size size;
  std::vector<uint8_t> rgb;
};

inline SmallPicture black(Size size) {
  return {.size = size,
          .rgb = std::vector<uint8_t>(size_t{3} * static_cast<size_t>(size.width) *
                                      static_cast<size_t>(size.height))};
}

// size: at most the size of the image.
inline SmallPicture sampled(const codecs::ImageView& image, Size size) {
  SmallPicture small = black(size);
  codecs::sample_to_rgb(image, size.width, size.height, small.rgb);
  return small;
}

}  // namespace sail
