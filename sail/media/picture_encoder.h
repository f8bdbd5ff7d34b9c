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
// What its pixels, or its blocks, take.
size_t picture_bytes(const Picture& picture);

// The blocks of one picture. Used again for the next one without taking memory anew, but for blocks
// that are longer than any before.
class PictureBlocks {
 public:
  explicit PictureBlocks(const BlockGrid& grid) : grid_(grid), blocks_(grid.count()) {}

  const BlockGrid& grid() const { return grid_; }
  // Different blocks may be put by different threads.
  void put(size_t block, std::span<const uint8_t> bytes) {
    blocks_[block].assign(bytes.begin(), bytes.end());
  }
  // When all blocks are there: one behind another.
  void join();
  // After join().
  std::span<const uint32_t> lengths() const { return lengths_; }
  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  BlockGrid grid_;
  std::vector<std::vector<uint8_t>> blocks_;
  std::vector<uint32_t> lengths_;
  std::vector<uint8_t> bytes_;
};

// What one thread needs. One thread at a time.
class PictureEncoder {
 public:
  explicit PictureEncoder(const CodecSpec& codec);

  // One block of the picture, which has the size that the blocks are for. `step` is the quantiser's
  // of lossy JPEG 2000. Its bytes; 0: it cannot be encoded.
  size_t encode(const Picture& picture, size_t block, float step, PictureBlocks& blocks);

 private:
  CodecSpec codec_;
  codecs::BlockEncoder encoder_;
  std::vector<uint8_t> scratch_;
};

}  // namespace sail
