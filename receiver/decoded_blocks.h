// Memory for what a connection's blocks hold, where that is not what came: pixels of JPEG 2000,
// texel blocks or pixels of what a second stage made smaller. A block is decoded once: the result
// is counted by references, and frames in which the block has not changed refer to the same, as
// they do with compressed rows. What is referred to is not written any more, but for what
// MissingParts adds where nothing was.
//
// Takes memory for those blocks only that ever come, as often as frames that are held at a time
// have different versions of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "codecs/block_encoder.h"
#include "codecs/image.h"
#include "sail/base/shared_pool.h"
#include "sail/wall/block_grid.h"
#include "sail/wire/codec_name.h"

namespace receiver {

// Whether a stream's blocks are something else than what is painted.
inline bool needs_decoding(const sail::StreamCodec& codec) {
  return codecs::is_j2k(codec.id) || codec.compression != codecs::Compression::kNone;
}

// Bytes of what is painted of a block: texel blocks of DXT, of all other codecs pixels.
inline size_t plain_bytes(codecs::CodecId codec, int width, int height) {
  return codecs::max_block_bytes(codecs::is_dxt(codec) ? codec : codecs::CodecId::kRaw, width,
                                 height);
}

// Texel blocks, or a picture as packed_view() has it: B, G, R and one that means nothing; or YUV as
// it was coded, which is less than half as much to write and to read again. It becomes pixels when
// it is painted.
class PlainBlock {
 public:
  explicit PlainBlock(size_t bytes) : bytes_(std::make_unique_for_overwrite<uint8_t[]>(bytes)) {}
  uint8_t* data() const { return bytes_.get(); }

  // Of what it was made: the block's version, and which part of the frame's pixels is here. The
  // rest of the memory means nothing. Whoever paints may add to it (MissingParts).
  uint64_t version = 0;
  sail::Rect part;
  codecs::PixelFormat format = codecs::PixelFormat::kBgra;

 private:
  std::unique_ptr<uint8_t[]> bytes_;
};
using PlainBlockRef = sail::SharedPool<PlainBlock>::Ref;

// Blocks are counted row by row. One thread; different blocks' take() may be called by different
// threads at a time.
class DecodedBlocks {
 public:
  // grid: of frames that are not reduced. Reduced ones fit, too.
  DecodedBlocks(const sail::BlockGrid& grid, codecs::CodecId codec);

  // Bytes that the blocks of a frame can come to take.
  static size_t memory(const sail::BlockGrid& grid, codecs::CodecId codec);

  // What was made of a block lately.
  struct Block {
    uint64_t version = 0;  // that was tried; 0: none
    PlainBlockRef plain;   // empty: none could ever be read
  };
  // The next frame is of this kind: blocks of another are forgotten.
  void begin(const sail::BlockGrid& grid, codecs::PictureColor color);
  Block& last(size_t block) { return last_[block]; }
  // Memory that nobody refers to; empty when there is none.
  PlainBlockRef take(size_t block);

 private:
  const size_t block_bytes_;
  std::vector<sail::SharedPool<PlainBlock>> pools_;
  sail::BlockGrid grid_;
  codecs::PictureColor color_;
  std::vector<Block> last_;  // after the pools, which outlive them
};

}  // namespace receiver
