#include "tests/unit/receiver/frames.h"

#include <algorithm>

#include "codecs/dxt.h"

namespace receiver {

TestFrame noise_frame(const sail::BlockGrid& grid, std::mt19937& random) {
  const auto [width, height] = grid.frame_size();
  TestFrame frame{.grid = grid, .blocks = {}, .picture = reference::black_picture(width, height)};
  std::uniform_int_distribution<int> byte(0, 255);
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const sail::Rect rect = grid.block_rect(column, row);
      // Any bytes are valid DXT1, and random ones try both kinds of texel block.
      std::vector<uint8_t> bytes(
          codecs::dxt_bytes(codecs::CodecId::kDxt1, rect.width, rect.height));
      std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<uint8_t>(byte(random)); });
      codecs::dxt_decode(codecs::CodecId::kDxt1, bytes.data(), rect.width, rect.height, 0, 0,
                         rect.width, rect.height,
                         {frame.picture.at(rect.x, rect.y), ptrdiff_t{width} * 4},
                         codecs::CpuLevel::kReference);
      frame.blocks.push_back(std::move(bytes));
    }
  }
  return frame;
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
  sail::BlockRow& blocks = frame.fresh_row(row);
  std::copy(bytes.begin(), bytes.end(), blocks.space().begin());
  blocks.add(column, frame.key().number, bytes.size());
}

std::unique_ptr<Frame> received(const TestFrame& frame, uint32_t stream, const FrameKey& key) {
  auto copy = empty_frame(frame.grid, stream, key);
  for (int row = 0; row < frame.grid.rows(); ++row) {
    for (int column = 0; column < frame.grid.columns(); ++column) {
      put(*copy, column, row, frame.block(column, row));
    }
  }
  return copy;
}

}  // namespace receiver
