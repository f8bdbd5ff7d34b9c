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
    // Both ends of alpha are 255, and all texels have one of them.
    constexpr uint8_t kOpaque[8] = {255, 255};
    for (size_t at = 0; at < bytes.size(); at += 16) {
      std::copy(std::begin(kOpaque), std::end(kOpaque), &bytes[at]);
    }
  });
}

std::unique_ptr<Frame> empty_frame(const TestFrame& frame, uint32_t stream, const FrameKey& key) {
  auto rows = std::make_shared<sail::BlockRowPools>(frame.grid, [&](int width, int height) {
    return codecs::dxt_bytes(frame.codec, width, height);
  });
  rows->grow();
  auto empty = std::make_unique<Frame>(
      FrameSource{.stream = stream, .session = 1, .codec = {.id = frame.codec}, .grid = frame.grid},
      std::move(rows));
  empty->begin(key, 0);
  return empty;
}

std::unique_ptr<Frame> received(const TestFrame& frame, uint32_t stream, const FrameKey& key) {
  auto copy = empty_frame(frame, stream, key);
  put_blocks(
      frame, key.number, [](int, int) { return true; }, *copy);
  return copy;
}

}  // namespace receiver
