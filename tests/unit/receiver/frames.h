// Frames of noise for tests: compressed block by block as SAIL does it, and decoded again by the
// plain decoder, which is what the wall must show.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <span>
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
    return blocks[static_cast<size_t>(row) * static_cast<size_t>(grid.columns()) +
                  static_cast<size_t>(column)];
  }
};

TestFrame noise_frame(const sail::BlockGrid& grid, std::mt19937& random,
                      codecs::CodecId codec = codecs::CodecId::kDxt1);
// DXT5 with nothing to see through.
TestFrame opaque_noise_frame(const sail::BlockGrid& grid, std::mt19937& random);

size_t block_bytes(const sail::BlockGrid& grid, int column, int row);

// In a receiver's memory, without blocks.
std::unique_ptr<Frame> empty_frame(const sail::BlockGrid& grid, uint32_t stream,
                                   const FrameKey& key, const sail::StreamCodec& codec = {});
// A block, as it comes with this frame; or as it came with an earlier one.
void put(Frame& frame, int column, int row, std::span<const uint8_t> bytes);
void put(Frame& frame, int column, int row, std::span<const uint8_t> bytes, uint64_t version);

// In a receiver's memory, with all its blocks.
std::unique_ptr<Frame> received(const TestFrame& frame, uint32_t stream, const FrameKey& key);

}  // namespace receiver
