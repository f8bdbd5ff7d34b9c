#include "receiver/texel_blocks.h"

#include "codecs/dxt.h"

namespace receiver {

const uint8_t* TexelBlocks::of(const Frame& frame, int column, int row) {
  const std::span<const uint8_t> block = frame.block(column, row);
  const sail::Rect rect = frame.grid().block_rect(column, row);
  const size_t bytes = codecs::dxt_bytes(frame.codec().id, rect.width, rect.height);
  if (block.size() == bytes) return block.data();

  const codecs::Compression compression = frame.codec().compression;
  auto& stage = compression == codecs::Compression::kLz4 ? lz4_ : zstd_;
  if (!stage) stage = codecs::make_second_stage(compression);
  if (bytes_.size() < bytes) bytes_.resize(bytes);
  return stage->decompress(block, std::span(bytes_).first(bytes)) ? bytes_.data() : nullptr;
}

}  // namespace receiver
