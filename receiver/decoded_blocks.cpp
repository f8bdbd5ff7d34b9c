#include "receiver/decoded_blocks.h"

namespace receiver {

DecodedBlocks::DecodedBlocks(const sail::BlockGrid& grid)
    : pools_(grid.count()), grid_(grid), last_(grid.count()) {
  bytes_.reserve(grid.count());
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const sail::Rect rect = grid.block_rect(column, row);
      bytes_.push_back(size_t{4} * static_cast<size_t>(rect.width) *
                       static_cast<size_t>(rect.height));
    }
  }
}

void DecodedBlocks::begin(const sail::BlockGrid& grid, codecs::PictureColor color) {
  if (grid == grid_ && color == color_) return;
  grid_ = grid;
  color_ = color;
  for (Block& block : last_) block = {};
}

BlockPixelsRef DecodedBlocks::take(size_t block) {
  sail::SharedPool<BlockPixels>& pool = pools_[block];
  BlockPixelsRef pixels = pool.take();
  if (!pixels) {
    pool.grow(bytes_[block]);
    pixels = pool.take();
  }
  return pixels;
}

}  // namespace receiver
