#include "receiver/plain_blocks.h"

#include "codecs/block_encoder.h"

namespace receiver {

PlainBlocks::Block PlainBlocks::of(const Frame& frame, int column, int row) {
  if (!frame.has(column, row)) return {};
  const auto [codec, compression] = frame.codec();
  if (codecs::is_j2k(codec)) return {.bytes = frame.pixels(column, row)};
  const std::span<const uint8_t> block = frame.block(column, row);
  const sail::Rect rect = frame.grid().block_rect(column, row);
  // Without a second stage a block has this one length.
  const size_t bytes = codecs::max_block_bytes(codec, rect.width, rect.height);
  if (block.size() == bytes) return {.bytes = block.data()};

  auto& stage = compression == codecs::Compression::kLz4 ? lz4_ : zstd_;
  if (!stage) stage = codecs::make_second_stage(compression);
  if (bytes_.size() < bytes) bytes_.resize(bytes);
  if (!stage->decompress(block, std::span(bytes_).first(bytes))) return {.broken = true};
  return {.bytes = bytes_.data()};
}

}  // namespace receiver
