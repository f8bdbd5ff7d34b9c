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

std::unique_ptr<Frame> received(const TestFrame& frame, uint32_t stream, const FrameKey& key) {
  auto copy = std::make_unique<Frame>(frame.grid, stream, 1);
  copy->begin(key);
  for (int row = 0; row < frame.grid.rows(); ++row) {
    for (int column = 0; column < frame.grid.columns(); ++column) {
      const auto& bytes = frame.block(column, row);
      std::copy(bytes.begin(), bytes.end(), copy->places(row, column, 1).begin());
      copy->mark_here(row, column, 1);
    }
  }
  return copy;
}

}  // namespace receiver
