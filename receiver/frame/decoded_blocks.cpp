#include "receiver/frame/decoded_blocks.h"

#include <new>
#include <utility>

#include "sail/core/base/environment.h"

namespace receiver {
namespace {

// No block is larger than the first one.
size_t largest_block(const sail::BlockGrid& grid, codecs::CodecId codec) {
  const sail::Rect rect = grid.block_rect(0, 0);
  return plain_bytes(codec, rect.width, rect.height);
}

// The only block of a carried stream's frame is as large as the frame.
PictureMemory::Shape shared_shape(const sail::BlockGrid& grid, codecs::CodecId codec,
                                  size_t versions) {
  if (!codecs::is_carried(codec)) return {};
  const sail::Rect rect = grid.block_rect(0, 0);
  return {.unit_bytes = codecs::max_block_bytes(codec, rect.width, rect.height),
          .picture_bytes = largest_block(grid, codec),
          .pictures = versions};
}

}  // namespace

DecodedBlocks::DecodedBlocks(const sail::BlockGrid& grid, codecs::CodecId codec, size_t versions)
    : block_bytes_(largest_block(grid, codec)),
      shape_(shared_shape(grid, codec, versions)),
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
  if (shape_.pictures > 0) return take_shared(pool);
  try {
    pool.grow(block_bytes_);
    return pool.take();
  } catch (const std::bad_alloc&) {
    return {};
  }
}

std::optional<codecs::ImageView> DecodedBlocks::carried_picture() const {
  const PlainBlockRef& plain = last_[0].plain;
  if (shape_.pictures == 0 || !plain) return std::nullopt;
  const sail::Size size = grid_.frame_size();
  auto view = codecs::packed_view(plain->format, size.width, size.height, plain->data());
  view.matrix = color_.matrix;
  view.range = color_.range;
  return view;
}

PlainBlockRef DecodedBlocks::take_shared(sail::SharedPool<PlainBlock>& pool) {
  if (!memory_) {
    auto memory = PictureMemory::create(shape_);
    if (!memory) return {};
    memory_ = *std::move(memory);
  }
  if (pool.size() == shape_.pictures) return {};
  pool.grow(*memory_, pool.size());
  return pool.take();
}

}  // namespace receiver
