#include "tests/unit/receiver/frames.h"

#include <algorithm>

#include "codecs/dxt.h"

namespace receiver {
namespace {

// Any bytes are valid texel blocks, and random ones try all kinds of them.
std::vector<uint8_t> noise(size_t bytes, std::mt19937& random) {
  std::uniform_int_distribution<int> byte(0, 255);
  std::vector<uint8_t> noise(bytes);
  std::generate(noise.begin(), noise.end(), [&] { return static_cast<uint8_t>(byte(random)); });
  return noise;
}

template <class Change>
TestFrame frame_of_noise(const sail::BlockGrid& grid, std::mt19937& random, codecs::CodecId codec,
                         const Change& change) {
  const auto [width, height] = grid.frame_size();
  TestFrame frame{.grid = grid,
                  .codec = codec,
                  .blocks = {},
                  .picture = reference::black_picture(width, height)};
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const sail::Rect rect = grid.block_rect(column, row);
      auto bytes = noise(codecs::dxt_bytes(codec, rect.width, rect.height), random);
      change(bytes);
      codecs::dxt_decode(codec, bytes.data(), rect.width, rect.height, 0, 0, rect.width,
                         rect.height, {frame.picture.at(rect.x, rect.y), ptrdiff_t{width} * 4},
                         codecs::CpuLevel::kReference);
      frame.blocks.push_back(std::move(bytes));
    }
  }
  return frame;
}

}  // namespace

TestFrame noise_frame(const sail::BlockGrid& grid, std::mt19937& random, codecs::CodecId codec) {
  return frame_of_noise(grid, random, codec, [](std::vector<uint8_t>&) {});
}

TestFrame opaque_noise_frame(const sail::BlockGrid& grid, std::mt19937& random) {
  return frame_of_noise(grid, random, codecs::CodecId::kDxt5, [](std::vector<uint8_t>& bytes) {
    // Both ends of alpha are 255, and all texels have the first.
    constexpr uint8_t kOpaque[8] = {255, 255};
    for (size_t at = 0; at < bytes.size(); at += 16) {
      std::copy(std::begin(kOpaque), std::end(kOpaque), &bytes[at]);
    }
  });
}

size_t block_bytes(const sail::BlockGrid& grid, int column, int row) {
  const sail::Rect rect = grid.block_rect(column, row);
  return codecs::dxt_bytes(codecs::CodecId::kDxt1, rect.width, rect.height);
}

std::unique_ptr<Frame> empty_frame(const sail::BlockGrid& grid, uint32_t stream,
                                   const FrameKey& key, const sail::StreamCodec& codec) {
  const auto rows = std::make_shared<sail::BlockRowPools>(
      grid,
      [id = codec.id](int width, int height) { return codecs::dxt_bytes(id, width, height); });
  rows->grow();
  const FrameSource source{.stream = stream, .session = 1, .codec = codec, .grid = grid};
  auto frame = std::make_unique<Frame>(source, rows);
  frame->begin(key, 0);
  return frame;
}

void put(Frame& frame, int column, int row, std::span<const uint8_t> bytes) {
  put(frame, column, row, bytes, frame.key().number);
}

void put(Frame& frame, int column, int row, std::span<const uint8_t> bytes, uint64_t version) {
  sail::BlockRow& blocks = frame.fresh_row(row);
  std::copy(bytes.begin(), bytes.end(), blocks.space().begin());
  blocks.add(column, version, bytes.size());
}

std::unique_ptr<Frame> received(const TestFrame& frame, uint32_t stream, const FrameKey& key) {
  auto copy = empty_frame(frame.grid, stream, key, {.id = frame.codec});
  for (int row = 0; row < frame.grid.rows(); ++row) {
    for (int column = 0; column < frame.grid.columns(); ++column) {
      put(*copy, column, row, frame.block(column, row));
    }
  }
  return copy;
}

}  // namespace receiver
