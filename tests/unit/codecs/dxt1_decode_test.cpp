#include <gtest/gtest.h>
#include <squish.h>

#include <algorithm>
#include <array>

#include "codecs/dxt.h"
#include "tests/unit/codecs/pictures.h"

namespace codecs::test {
namespace {

// Blocks of every kind: four colours, three colours, equal endpoints.
Bytes random_blocks(int width, int height) {
  const Picture noise =
      make_picture(Content::kNoise, texel_blocks(width) * 8 + 8, texel_blocks(height));
  Bytes blocks(noise.rgb.begin(), noise.rgb.begin() + static_cast<ptrdiff_t>(dxt_bytes(
                                                          CodecId::kDxt1, width, height)));
  for (size_t i = 0; i + 24 < blocks.size(); i += 24) {
    blocks[i + 2] = blocks[i];
    if (i % 48 == 0) blocks[i + 3] = blocks[i + 1];
  }
  return blocks;
}

// Tightly packed B, G, R, 255.
Bytes decode_with_squish(const Bytes& blocks, int width, int height) {
  Bytes rgba(static_cast<size_t>(width * height * 4));
  squish::DecompressImage(rgba.data(), width, height, blocks.data(), squish::kDxt1);
  for (size_t i = 0; i < rgba.size(); i += 4) {
    std::swap(rgba[i], rgba[i + 2]);
    rgba[i + 3] = 255;
  }
  return rgba;
}

TEST(Dxt1Decode, EveryLevelEqualsLibsquish) {
  const int width = 1028, height = 64;
  const Bytes blocks = random_blocks(width, height);
  const Bytes expected = decode_with_squish(blocks, width, height);
  for (const CpuLevel cpu : available_levels()) {
    GuardedPixels out(width, height);
    dxt_decode(CodecId::kDxt1, blocks.data(), width, height, 0, 0, width, height, out.target(),
               cpu);
    EXPECT_EQ(out.pixels(), expected) << cpu_level_name(cpu);
    EXPECT_TRUE(out.guards_untouched()) << cpu_level_name(cpu);
  }
}

// All endpoints against each other, channel by channel.
TEST(Dxt1Decode, EveryPairOfEndpointsEqualsLibsquish) {
  const int width = 256, height = 256;
  Bytes blocks(dxt_bytes(CodecId::kDxt1, width, height));
  for (size_t i = 0; i < blocks.size() / 8; ++i) {
    const auto a = static_cast<uint32_t>(i & 63), b = static_cast<uint32_t>(i >> 6);
    const uint32_t colour0 = (a >> 1) << 11 | a << 5 | (b >> 1);
    const uint32_t colour1 = (b >> 1) << 11 | b << 5 | (a >> 1);
    const uint8_t block[] = {static_cast<uint8_t>(colour0),
                             static_cast<uint8_t>(colour0 >> 8),
                             static_cast<uint8_t>(colour1),
                             static_cast<uint8_t>(colour1 >> 8),
                             0xe4,
                             0x1b,
                             0x4e,
                             0xb1};
    std::copy(std::begin(block), std::end(block), &blocks[i * 8]);
  }
  const Bytes expected = decode_with_squish(blocks, width, height);
  for (const CpuLevel cpu : available_levels()) {
    GuardedPixels out(width, height);
    dxt_decode(CodecId::kDxt1, blocks.data(), width, height, 0, 0, width, height, out.target(),
               cpu);
    EXPECT_EQ(out.pixels(), expected) << cpu_level_name(cpu);
  }
}

TEST(Dxt1Decode, EveryCropIsThatPartOfThePicture) {
  for (const auto& [width, height] : {std::array{37, 23}, std::array{301, 18}, std::array{4, 4},
                                      std::array{1, 1}, std::array{3, 37}}) {
    const Bytes blocks = random_blocks(width, height);
    const Bytes whole = decode_with_squish(blocks, width, height);
    for (const CpuLevel cpu : available_levels()) {
      for (int x = 0; x < width; x += 1 + x / 9 * 4) {
        for (int y = 0; y < height; y += 1 + y / 5) {
          for (const int right : {x + 1, (x + width + 1) / 2, width - 1, width}) {
            const int bottom = height - (right + y) % 5;
            if (right <= x || bottom <= y) continue;
            GuardedPixels out(right - x, bottom - y);
            dxt_decode(CodecId::kDxt1, blocks.data(), width, height, x, y, right - x, bottom - y,
                       out.target(), cpu);
            Bytes expected;
            for (int row = y; row < bottom; ++row) {
              const auto from = whole.begin() + (row * width + x) * 4;
              expected.insert(expected.end(), from, from + (right - x) * 4);
            }
            ASSERT_EQ(out.pixels(), expected)
                << cpu_level_name(cpu) << " " << x << "," << y << " to " << right << "," << bottom;
            ASSERT_TRUE(out.guards_untouched()) << cpu_level_name(cpu);
          }
        }
      }
    }
  }
}

TEST(Dxt1Decode, AnEmptyCropWritesNothing) {
  const Bytes blocks = random_blocks(8, 8);
  for (const CpuLevel cpu : available_levels()) {
    GuardedPixels out(8, 8);
    const Bytes before = out.pixels();
    dxt_decode(CodecId::kDxt1, blocks.data(), 8, 8, 3, 3, 0, 5, out.target(), cpu);
    dxt_decode(CodecId::kDxt1, blocks.data(), 8, 8, 3, 3, 5, 0, out.target(), cpu);
    EXPECT_EQ(out.pixels(), before);
  }
}

}  // namespace
}  // namespace codecs::test
