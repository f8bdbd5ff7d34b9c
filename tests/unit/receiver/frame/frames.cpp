#include "tests/unit/receiver/frame/frames.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "codecs/dxt/dxt.h"
#include "codecs/picture/block_encoder.h"
#include "receiver/decode/block_decoder.h"

namespace receiver {
namespace {

// All bytes are valid texel blocks; random ones cover all kinds.
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

// Raw pixels; the fourth byte is unused.
TestFrame raw_frame(const sail::BlockGrid& grid, std::mt19937& random) {
  const auto [width, height] = grid.frame_size();
  TestFrame frame{.grid = grid,
                  .codec = codecs::CodecId::kRaw,
                  .blocks = {},
                  .picture = reference::black_picture(width, height)};
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const sail::Rect rect = grid.block_rect(column, row);
      const auto bytes = noise(static_cast<size_t>(rect.width * rect.height) * 4, random);
      for (size_t i = 0; i < bytes.size(); i += 4) {
        const int pixel = static_cast<int>(i / 4);
        std::copy_n(&bytes[i], 3,
                    frame.picture.at(rect.x + pixel % rect.width, rect.y + pixel / rect.width));
      }
      frame.blocks.push_back(bytes);
    }
  }
  return frame;
}

// A noise picture with its memory.
struct Noise {
  codecs::ImageView view;
  std::vector<uint8_t> planes[3];
};
Noise noise_picture(sail::Size size, std::mt19937& random, const J2kKind& kind) {
  const bool rgb = kind.format == codecs::PixelFormat::kBgra;
  const int sample_bytes = codecs::is_deep(kind.format) ? 2 : 1;
  Noise picture{.view = {.format = kind.format,
                         .width = size.width,
                         .height = size.height,
                         .bits = kind.bits},
                .planes = {}};
  for (int i = 0; i < (rgb ? 1 : 3); ++i) {
    const int width = i == 0 ? size.width : (size.width + 1) / 2;
    const int height = i == 0 ? size.height : (size.height + 1) / 2;
    const int stride = width * (rgb ? 4 : sample_bytes);
    picture.planes[i] = noise(static_cast<size_t>(stride * height), random);
    if (sample_bytes == 2) {
      for (size_t at = 1; at < picture.planes[i].size(); at += 2) {
        picture.planes[i][at] &= static_cast<uint8_t>((1 << (kind.bits - 8)) - 1);
      }
    }
    picture.view.planes[i] = picture.planes[i].data();
    picture.view.strides[i] = stride;
  }
  return picture;
}

}  // namespace

TestFrame j2k_frame(const sail::BlockGrid& grid, std::mt19937& random, const J2kKind& kind) {
  const Noise noise = noise_picture(grid.frame_size(), random, kind);
  const sail::BlockGrid reduced = sail::reduced_grid(grid.frame_size(), grid.block_size(),
                                                     kind.reduction, sail::Scaling::kBlock);
  const auto [width, height] = reduced.frame_size();
  TestFrame frame{.grid = grid,
                  .codec = kind.codec,
                  .blocks = {},
                  .picture = reference::black_picture(width, height),
                  .reduction = kind.reduction,
                  .color = codecs::color_of(noise.view)};
  const auto encoder = codecs::make_j2k_encoder(kind.codec);
  const auto decoder = codecs::make_j2k_decoder(kind.codec);
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const sail::Rect whole = grid.block_rect(column, row);
      const sail::Rect rect = reduced.block_rect(column, row);
      std::vector<uint8_t> bytes(codecs::max_block_bytes(kind.codec, whole.width, whole.height));
      const auto lengths =
          encoder->encode(noise.view, whole.x, whole.y, whole.width, whole.height, {}, bytes);
      EXPECT_TRUE(lengths);
      bytes.resize(lengths.value_or(codecs::PrefixBytes{})[static_cast<size_t>(kind.reduction)]);
      EXPECT_TRUE(decoder->decode(
          bytes, {.width = whole.width,
                  .height = whole.height,
                  .reduction = kind.reduction,
                  .color = frame.color,
                  .frame_x = rect.x,
                  .frame_y = rect.y,
                  .pixels = {frame.picture.at(rect.x, rect.y), ptrdiff_t{width} * 4}}));
      frame.blocks.push_back(std::move(bytes));
    }
  }
  return frame;
}

TestFrame noise_frame(const sail::BlockGrid& grid, std::mt19937& random, codecs::CodecId codec) {
  if (codec == codecs::CodecId::kRaw) return raw_frame(grid, random);
  if (codecs::is_j2k(codec)) return j2k_frame(grid, random, {.codec = codec});
  return frame_of_noise(grid, random, codec, [](std::vector<uint8_t>&) {});
}

TestFrame opaque_noise_frame(const sail::BlockGrid& grid, std::mt19937& random) {
  return frame_of_noise(grid, random, codecs::CodecId::kDxt5, [](std::vector<uint8_t>& bytes) {
    // Both alpha endpoints are 255, and all texels use the first.
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
                                   const FrameKey& key, const sail::StreamCodec& codec,
                                   int reduction, codecs::PictureColor color) {
  const auto rows =
      std::make_shared<sail::BlockRowPools>(grid, [id = codec.id](int width, int height) {
        return codecs::max_block_bytes(id, width, height);
      });
  rows->grow();
  const FrameSource source{.stream = stream, .session = 1, .codec = codec, .grid = grid};
  auto frame = std::make_unique<Frame>(
      source, rows,
      needs_decoding(codec) ? std::make_shared<DecodedBlocks>(grid, codec.id, 4) : nullptr);
  frame->begin(key, reduction, color);
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

void decode(Frame& frame) {
  sail::WorkerPool pool(0);
  BlockDecoder(pool).decode(frame);
}

std::unique_ptr<Frame> received(const TestFrame& frame, uint32_t stream, const FrameKey& key) {
  auto copy =
      empty_frame(frame.grid, stream, key, {.id = frame.codec}, frame.reduction, frame.color);
  for (int row = 0; row < frame.grid.rows(); ++row) {
    for (int column = 0; column < frame.grid.columns(); ++column) {
      put(*copy, column, row, frame.block(column, row));
    }
  }
  if (codecs::is_j2k(frame.codec)) decode(*copy);
  return copy;
}

}  // namespace receiver
