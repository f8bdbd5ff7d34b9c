// Tells which pixel blocks of a stream's frames have changed, by a 64-bit hash of each block's
// source pixels. Two different contents with the same hash, one chance in 2^64, would go unnoticed
// until the block's next change.
//
// A block that keeps changing, as in a film, is looked at only now and then, so that films do not
// pay for what they have no use for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codecs/image.h"
#include "sail/base/geometry.h"

namespace sail {

class BlockChanges {
 public:
  // Forgets everything: the next look at each block finds it changed.
  void reset(size_t blocks) { blocks_.assign(blocks, {}); }

  // Whether the block shows what it showed at the last look. source_rect lies in the image.
  // `frame` counts the frames. Different blocks may be looked at by different threads.
  bool same(size_t block, const codecs::ImageView& image, const Rect& source_rect, uint64_t frame);

 private:
  struct Block {
    uint64_t hash = 0;
    bool known = false;   // the hash is that of the last look
    uint8_t changes = 0;  // looks in a row that found it changed
  };
  std::vector<Block> blocks_;
};

// Of the pixels alone, whatever their stride.
uint64_t hash_pixels(const codecs::ImageView& image, const Rect& source_rect);

}  // namespace sail
