// Whether two encodings are of one picture.
#pragma once

#include <cstdint>
#include <span>

#include "codecs/format.h"
#include "sail/wall/block_grid.h"

namespace sail {

struct EncodedPicture {
  std::span<const uint32_t> lengths;  // of the grid's blocks
  std::span<const uint8_t> bytes;
};

// Blocks of JPEG 2000 are decoded and compared as they are seen: a rate that is held gives a
// slightly other step, and so other bytes. Other codecs are compared byte by byte.
bool same_picture(codecs::CodecId codec, const BlockGrid& grid, const EncodedPicture& a,
                  const EncodedPicture& b);

}  // namespace sail
