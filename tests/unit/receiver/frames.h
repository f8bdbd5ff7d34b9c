// Frames of noise for tests: compressed block by block as SAIL does it, and decoded again by the
// plain decoder, which is what the wall must show.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "receiver/frame.h"
#include "tests/support/reference_wall.h"

namespace receiver {

struct TestFrame {
  sail::BlockGrid grid;
  codecs::CodecId codec = codecs::CodecId::kDxt1;
  std::vector<std::vector<uint8_t>> blocks;  // row by row
  reference::Picture picture;                // decoded

  const std::vector<uint8_t>& block(int column, int row) const {
    return blocks[index(column, row)];
  }
  size_t index(int column, int row) const {
    return static_cast<size_t>(row) * static_cast<size_t>(grid.columns()) +
           static_cast<size_t>(column);
  }
};

TestFrame noise_frame(const sail::BlockGrid& grid, std::mt19937& random,
                      codecs::CodecId codec = codecs::CodecId::kDxt1);
// DXT5 with nothing to see through.
TestFrame opaque_noise_frame(const sail::BlockGrid& grid, std::mt19937& random);

// A frame in a receiver's memory without any block yet.
std::unique_ptr<Frame> empty_frame(const TestFrame& frame, uint32_t stream, const FrameKey& key);
// Puts the blocks that are wanted into the frame, as if they came with the frame numbered
// `version`.
template <class Wanted>
void put_blocks(const TestFrame& from, uint64_t version, const Wanted& wanted, Frame& frame) {
  for (int row = 0; row < from.grid.rows(); ++row) {
    for (int column = 0; column < from.grid.columns(); ++column) {
      if (!wanted(column, row)) continue;
      const auto& bytes = from.block(column, row);
      sail::BlockRow& blocks = frame.fresh_row(row);
      std::copy(bytes.begin(), bytes.end(), blocks.space().begin());
      blocks.add(column, version, bytes.size());
    }
  }
}
// With all its blocks.
std::unique_ptr<Frame> received(const TestFrame& frame, uint32_t stream, const FrameKey& key);

}  // namespace receiver
