// What a frame's pixel blocks hold, whatever came of them: texel blocks of DXT, pixels (4 bytes,
// the fourth of which means nothing) of all other codecs.
//
// One thread at a time per object.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codecs/second_stage.h"
#include "receiver/frame.h"

namespace receiver {

class PlainBlocks {
 public:
  struct Block {
    const uint8_t* bytes = nullptr;  // good until the next call; null: there is nothing to show
    bool broken = false;             // what came is no block of the stream's codec
  };
  // Texel blocks or pixels, row by row without gaps. JPEG 2000 must have been decoded, and is never
  // broken: those that could not be read are concealed. Takes memory only for the first block of a
  // second stage, and for blocks larger than any before.
  Block of(const Frame& frame, int column, int row);

 private:
  std::unique_ptr<codecs::SecondStage> lz4_;
  std::unique_ptr<codecs::SecondStage> zstd_;
  std::vector<uint8_t> bytes_;
};

}  // namespace receiver
