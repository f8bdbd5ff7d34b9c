// Noise frames for tests: compressed block by block as SAIL does, and decoded again by the
// reference decoder, whose result the wall must show.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "receiver/frame/frame.h"
#include "tests/support/reference_wall.h"

namespace receiver {

struct TestFrame {
  sail::BlockGrid grid;  // of the full-size frame
  codecs::CodecId codec = codecs::CodecId::kDxt1;
  std::vector<std::vector<uint8_t>> blocks;  // row by row
  reference::Picture picture;                // decoded
  int reduction = 0;
  codecs::PictureColor color{};

  const std::vector<uint8_t>& block(int column, int row) const {
    return blocks[static_cast<size_t>(row) * static_cast<size_t>(grid.columns()) +
                  static_cast<size_t>(column)];
  }
};

TestFrame noise_frame(const sail::BlockGrid& grid, std::mt19937& random,
                      codecs::CodecId codec = codecs::CodecId::kDxt1);
// Any JPEG 2000 format, lossy noise.
struct J2kKind {
  codecs::CodecId codec = codecs::CodecId::kHtj2k;
  codecs::PixelFormat format = codecs::PixelFormat::kBgra;  // or kI420, kI420Deep
  int bits = 8;
  int reduction = 0;
};
TestFrame j2k_frame(const sail::BlockGrid& grid, std::mt19937& random, const J2kKind& kind = {});
// DXT5 noise without transparency.
TestFrame opaque_noise_frame(const sail::BlockGrid& grid, std::mt19937& random);

size_t block_bytes(const sail::BlockGrid& grid, int column, int row);

// A frame in a receiver's memory, without blocks.
std::unique_ptr<Frame> empty_frame(const sail::BlockGrid& grid, uint32_t stream,
                                   const FrameKey& key, const sail::StreamCodec& codec = {},
                                   int reduction = 0, codecs::PictureColor color = {});
// Adds a block as received with this frame; with `version`, as received with an earlier one.
void put(Frame& frame, int column, int row, std::span<const uint8_t> bytes);
void put(Frame& frame, int column, int row, std::span<const uint8_t> bytes, uint64_t version);

// Decodes codecs that need it, as a receiver does before it shows the frame.
void decode(Frame& frame);

// A frame in a receiver's memory, with all its blocks, decoded.
std::unique_ptr<Frame> received(const TestFrame& frame, uint32_t stream, const FrameKey& key);

}  // namespace receiver
