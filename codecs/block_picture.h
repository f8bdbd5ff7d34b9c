// A small picture from the encoded pixel blocks of a large one: of frames that come encoded, and of
// those that are no longer there as pixels. DXT and raw: those rows of texel blocks are decoded
// that samples lie in; JPEG 2000: the smallest resolution that is large enough. Reentrant.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "codecs/format.h"

namespace codecs {

// Blocks from the top left; the last column and row may be smaller. All sizes are positive.
struct BlockedPicture {
  CodecId codec = CodecId::kDxt1;
  Compression compression = Compression::kNone;
  PictureColor color;  // of JPEG 2000
  int width = 0;       // pixels
  int height = 0;
  int block_width = 0;
  int block_height = 0;
  // A block's bytes, good for as long as the picture; empty: it is not known.
  std::function<std::span<const uint8_t>(int column, int row)> block;
};

// Writes width × height pixels, at most the picture's, 3 bytes each (R, G, B), row by row without
// gaps. Blocks that are not known, and unreadable ones, are dark grey.
void sample_blocks(const BlockedPicture& picture, int width, int height, std::span<uint8_t> rgb);

}  // namespace codecs
