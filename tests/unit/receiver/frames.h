// Frames of noise for tests: compressed block by block as SAIL does it, and decoded again by the
// plain decoder, which is what the wall must show.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "receiver/frame.h"
#include "tests/support/reference_wall.h"

namespace receiver {

struct TestFrame {
  sail::BlockGrid grid;
  std::vector<std::vector<uint8_t>> blocks;  // row by row
  reference::Picture picture;                // decoded

  const std::vector<uint8_t>& block(int column, int row) const {
    return blocks[static_cast<size_t>(row) * static_cast<size_t>(grid.columns()) +
                  static_cast<size_t>(column)];
  }
};

TestFrame noise_frame(const sail::BlockGrid& grid, std::mt19937& random);

// In a receiver's memory, with all its blocks.
std::unique_ptr<Frame> received(const TestFrame& frame, uint32_t stream, const FrameKey& key);

}  // namespace receiver
