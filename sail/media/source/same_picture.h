// Compares two encodings of a picture.
#pragma once

#include <cstdint>
#include <span>

#include "codecs/base/format.h"
#include "sail/core/wall/block_grid.h"

namespace sail {

struct EncodedPicture {
  std::span<const uint32_t> lengths;  // lengths of the grid's blocks
  std::span<const uint8_t> bytes;
};

// JPEG 2000 blocks are decoded and compared with a tolerance, because rate control may give a
// slightly different step and thus other bytes. Other codecs are compared byte by byte.
bool same_picture(codecs::CodecId codec, const BlockGrid& grid, const EncodedPicture& a,
                  const EncodedPicture& b);

}  // namespace sail
