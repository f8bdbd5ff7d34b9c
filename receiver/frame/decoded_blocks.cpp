#include "receiver/frame/decoded_blocks.h"

#include <new>

#include "sail/core/base/environment.h"

namespace receiver {
namespace {

// No block is larger than the first one.
size_t largest_block(const sail::BlockGrid& grid, codecs::CodecId codec) {
  const sail::Rect rect = grid.block_rect(0, 0);
  return plain_bytes(codec, rect.width, rect.height);
}

}  // namespace

DecodedBlocks::DecodedBlocks(const sail::BlockGrid& grid, codecs::CodecId codec)
    : block_bytes_(largest_block(grid, codec)),
      pools_(grid.count()),
      grid_(grid),
      last_(grid.count()) {}

size_t DecodedBlocks::memory(const sail::BlockGrid& grid, codecs::CodecId codec) {
  return grid.count() * largest_block(grid, codec);
}

void DecodedBlocks::begin(const sail::BlockGrid& grid, codecs::PictureColor color) {
  if (grid == grid_ && color == color_) return;
  grid_ = grid;
  color_ = color;
  for (Block& block : last_) block = {};
}

PlainBlockRef DecodedBlocks::take(size_t block) {
  sail::SharedPool<PlainBlock>& pool = pools_[block];
  PlainBlockRef plain = pool.take();
  if (plain) return plain;
  if (!sail::has_memory_headroom(block_bytes_)) return {};
  try {
    pool.grow(block_bytes_);
    return pool.take();
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace receiver
