// Memory for the pixels of a connection's JPEG 2000 blocks. A block is decoded once: the pixels are
// counted by references, and frames in which the block has not changed refer to the same ones, as
// they do with compressed rows. What is referred to is not written any more.
//
// Takes memory for those blocks only that ever come, as often as frames that are held at a time
// have different pixels of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "codecs/format.h"
#include "sail/base/shared_pool.h"
#include "sail/wall/block_grid.h"

namespace receiver {

// B, G, R, 255, row by row without gaps.
class BlockPixels {
 public:
  explicit BlockPixels(size_t bytes) : bytes_(std::make_unique_for_overwrite<uint8_t[]>(bytes)) {}
  uint8_t* data() const { return bytes_.get(); }

 private:
  std::unique_ptr<uint8_t[]> bytes_;
};
using BlockPixelsRef = sail::SharedPool<BlockPixels>::Ref;

// Blocks are counted row by row. One thread; different blocks' take() may be called by different
// threads at a time.
class DecodedBlocks {
 public:
  // Of frames that are not reduced. A reduced block fits, too.
  explicit DecodedBlocks(const sail::BlockGrid& grid);

  // What was made of a block lately.
  struct Block {
    uint64_t version = 0;   // that was tried; 0: none
    BlockPixelsRef pixels;  // empty: none could ever be read
  };
  // The next frame is of this kind: blocks of another are forgotten.
  void begin(const sail::BlockGrid& grid, codecs::PictureColor color);
  Block& last(size_t block) { return last_[block]; }
  // Memory that nobody refers to. Throws std::bad_alloc.
  BlockPixelsRef take(size_t block);

 private:
  std::vector<size_t> bytes_;  // of each block
  std::vector<sail::SharedPool<BlockPixels>> pools_;
  sail::BlockGrid grid_;
  codecs::PictureColor color_;
  std::vector<Block> last_;  // after the pools, which outlive them
};

}  // namespace receiver
