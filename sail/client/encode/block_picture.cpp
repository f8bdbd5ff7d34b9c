#include "sail/client/encode/block_picture.h"

#include "codecs/picture/block_picture.h"

namespace sail {

void picture_from_blocks(const EncodedFrame& frame, const StreamCodec& codec, Size size,
                         std::span<uint8_t> rgb) {
  const BlockGrid& grid = frame.grid();
  const auto block = [&frame](int column, int row) -> std::span<const uint8_t> {
    const BlockRowRef& blocks = frame.row(row);
    if (!blocks || !blocks->has(column)) return {};
    return blocks->block(column);
  };
  codecs::sample_blocks({.codec = codec.id,
                         .compression = codec.compression,
                         .color = frame.color(),
                         .width = grid.frame_size().width,
                         .height = grid.frame_size().height,
                         .block_width = grid.block_size().width,
                         .block_height = grid.block_size().height,
                         .block = block},
                        size.width, size.height, rgb);
}

}  // namespace sail
