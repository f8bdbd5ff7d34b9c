// Makes a small picture from the encoded pixel blocks of a large one, for frames that arrive
// encoded or whose pixels no longer exist. DXT and raw: decodes only the rows of texel blocks that
// hold samples. JPEG 2000: decodes the smallest sufficient resolution. Reentrant.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "codecs/base/format.h"

namespace codecs {

// Blocks from the top left; the last column and row may be smaller. All sizes are positive.
struct BlockedPicture {
  CodecId codec = CodecId::kDxt1;
  Compression compression = Compression::kNone;
  PictureColor color;  // JPEG 2000 only
  int width = 0;       // pixels
  int height = 0;
  int block_width = 0;
  int block_height = 0;
  // Returns a block's bytes, valid as long as the picture; empty if the block is missing.
  std::function<std::span<const uint8_t>(int column, int row)> block;
};

// Writes width × height pixels, at most the picture's size, 3 bytes each (R, G, B), row by row
// without gaps. Missing and unreadable blocks are dark grey.
void sample_blocks(const BlockedPicture& picture, int width, int height, std::span<uint8_t> rgb);

}  // namespace codecs
