// Makes small pictures. The cost depends on the size of the small picture and not on the frame.
// Reentrant.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "codecs/base/format.h"
#include "codecs/base/image.h"

namespace codecs {

// Writes width × height pixels, 3 bytes each (R, G, B), row by row without gaps, of a frame of any
// format that is at least as large. Reentrant.
void sample_to_rgb(const ImageView& frame, int width, int height, std::span<uint8_t> rgb);

// A small picture from the encoded pixel blocks of a large one, for frames that arrive encoded or
// whose pixels no longer exist. DXT and raw: decodes only the rows of texel blocks that hold
// samples. JPEG 2000: decodes the smallest sufficient resolution.
//
// Blocks from the top left; the last column and row may be smaller. All sizes are positive.
struct BlockedPicture {
  CodecId codec = CodecId::kDxt1;
  Compression compression = Compression::kNone;
  PictureColor color;  // JPEG 2000, and raw blocks of is_planar()
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
