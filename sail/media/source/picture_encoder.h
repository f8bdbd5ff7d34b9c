// Encodes pictures into pixel blocks as SAIL sends them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/base/image.h"
#include "codecs/picture/block_encoder.h"
#include "sail/core/wall/block_grid.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/media/source/source.h"

namespace sail {

codecs::ImageView view_of(const Picture& picture);
// Size of its pixels, or of its compressed blocks.
size_t picture_bytes(const Picture& picture);

// The blocks of one picture. Reused for the next picture without allocations, unless blocks get
// longer.
class PictureBlocks {
 public:
  explicit PictureBlocks(const BlockGrid& grid) : grid_(grid), blocks_(grid.count()) {}

  const BlockGrid& grid() const { return grid_; }
  // Different blocks may be put from different threads.
  void put(size_t block, std::span<const uint8_t> bytes) {
    blocks_[block].assign(bytes.begin(), bytes.end());
  }
  // Concatenates the blocks. Call when all have been put.
  void join();
  // Valid after join().
  std::span<const uint32_t> lengths() const { return lengths_; }
  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  BlockGrid grid_;
  std::vector<std::vector<uint8_t>> blocks_;
  std::vector<uint32_t> lengths_;
  std::vector<uint8_t> bytes_;
};

// The encoder of one thread. One thread at a time.
class PictureEncoder {
 public:
  explicit PictureEncoder(const CodecSpec& codec);

  // Encodes one block of the picture, whose size must be that of the grid. `step`: quantiser step
  // of lossy JPEG 2000. Returns the block's bytes; 0: failed.
  size_t encode(const Picture& picture, size_t block, float step, PictureBlocks& blocks);

 private:
  CodecSpec codec_;
  codecs::BlockEncoder encoder_;
  std::vector<uint8_t> scratch_;
};

}  // namespace sail
