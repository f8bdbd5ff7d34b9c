// The texel blocks of a frame's pixel blocks, whatever the second stage they came in.
//
// One thread at a time per object.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codecs/second_stage.h"
#include "receiver/frame.h"

namespace receiver {

class TexelBlocks {
 public:
  // The block's codecs::dxt_bytes() bytes, good until the next call; null when what came is no
  // block of the stream's codec. The frame must have the block. Takes memory only for the first
  // block of a second stage, and for blocks larger than any before.
  const uint8_t* of(const Frame& frame, int column, int row);

 private:
  std::unique_ptr<codecs::SecondStage> lz4_;
  std::unique_ptr<codecs::SecondStage> zstd_;
  std::vector<uint8_t> bytes_;
};

}  // namespace receiver
