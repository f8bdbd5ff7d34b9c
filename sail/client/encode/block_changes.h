// Detects which pixel blocks of a stream's frames have changed, by a 64-bit hash of each block's
// source pixels. A change is missed if both contents have the same hash (probability 2^-64), until
// the block changes again.
//
// A block that keeps changing, as in a video, is hashed only in some frames. This saves the cost of
// hashing where unchanged blocks are rare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/base/image.h"
#include "sail/core/base/geometry.h"

namespace sail {

class BlockChanges {
 public:
  struct BlockCheck {
    size_t block = 0;   // index in the frame
    Rect source_rect;   // position in the image
    bool same = false;  // result: unchanged since the previous find_changes()
    uint64_t hash = 0;  // hash of the pixels; valid during find_changes()
    bool due = false;
  };

  // Discards all hashes: the next find_changes() finds every block changed.
  void reset(size_t blocks) { blocks_.assign(blocks, {}); }

  // Compares neighbouring blocks. The rectangles are on the same rows, sorted from left to right.
  // Memory is read row by row across all of them, in address order. `frame` is a running frame
  // count. Different threads may call this for different blocks at the same time.
  void find_changes(const codecs::ImageView& image, uint64_t frame, std::span<BlockCheck> looks);

 private:
  struct Block {
    uint64_t hash = 0;
    bool known = false;   // `hash` is from the previous find_changes()
    uint8_t changes = 0;  // consecutive comparisons that found a change
  };

  bool due(const Block& block, uint64_t frame, const Rect& source_rect) const;
  static bool update(Block& block, uint64_t hash);

  std::vector<Block> blocks_;
};

// Hashes the pixels of the blocks that are due. The result does not depend on strides.
void hash_pixels(const codecs::ImageView& image, std::span<BlockChanges::BlockCheck> looks);

}  // namespace sail
