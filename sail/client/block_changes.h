// Tells which pixel blocks of a stream's frames have changed, by a 64-bit hash of each block's
// source pixels. Two different contents with the same hash, one chance in 2^64, would go unnoticed
// until the block's next change.
//
// A block that keeps changing, as in a film, is looked at only now and then, so that films do not
// pay for what they have no use for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/image.h"
#include "sail/base/geometry.h"

namespace sail {

class BlockChanges {
 public:
  struct Look {
    size_t block = 0;   // its number in the frame
    Rect source_rect;   // of the image
    bool same = false;  // result: it shows what it showed at the last look
    uint64_t hash = 0;  // of its pixels; as long as it is looked at
    bool due = false;
  };

  // Forgets everything: the next look at each block finds it changed.
  void reset(size_t blocks) { blocks_.assign(blocks, {}); }

  // Looks at neighbours: their rectangles have the same rows, from left to right. Memory is read
  // row by row across all of them, as it lies there. `frame` counts the frames. Different blocks
  // may be looked at by different threads.
  void look(const codecs::ImageView& image, uint64_t frame, std::span<Look> looks);

 private:
  struct Block {
    uint64_t hash = 0;
    bool known = false;   // the hash is that of the last look
    uint8_t changes = 0;  // looks in a row that found it changed
  };

  bool due(const Block& block, uint64_t frame, const Rect& source_rect) const;
  static bool update(Block& block, uint64_t hash);

  std::vector<Block> blocks_;
};

// Sets the hash of those that are due: of their pixels, whatever the strides.
void hash_pixels(const codecs::ImageView& image, std::span<BlockChanges::Look> looks);

}  // namespace sail
