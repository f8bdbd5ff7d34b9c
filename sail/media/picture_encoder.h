// Pictures into the pixel blocks that SAIL sends for them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/block_encoder.h"
#include "codecs/image.h"
#include "sail/media/source.h"
#include "sail/wall/block_grid.h"
#include "sail/wire/codec_name.h"

namespace sail {

codecs::ImageView view_of(const Picture& picture);

// The blocks of one picture. Memory is taken once, for the largest that they can be.
class PictureBlocks {
 public:
  PictureBlocks(const BlockGrid& grid, const StreamCodec& codec);

  // Rows of blocks may be encoded by different threads.
  int rows() const { return grid_.rows(); }
  // When all rows are there: moves them together.
  void close_gaps();
  // After close_gaps().
  std::span<const uint32_t> lengths() const { return lengths_; }
  std::span<const uint8_t> bytes() const { return std::span(bytes_).first(used_); }

 private:
  friend class PictureEncoder;

  BlockGrid grid_;
  std::vector<uint32_t> lengths_;
  std::vector<size_t> row_offsets_;  // where each row begins before the gaps are closed
  std::vector<uint8_t> bytes_;
  size_t used_ = 0;
};

// What one thread needs. One thread at a time.
class PictureEncoder {
 public:
  explicit PictureEncoder(const CodecSpec& codec);

  // One row of the picture's blocks. The picture has the size that the blocks are for.
  void encode_row(const Picture& picture, int row, PictureBlocks& blocks);

 private:
  CodecSpec codec_;
  codecs::BlockEncoder encoder_;
};

}  // namespace sail
