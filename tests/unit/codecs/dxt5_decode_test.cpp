#include <gtest/gtest.h>
#include <squish.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "codecs/dxt.h"
#include "tests/unit/codecs/pictures.h"

namespace codecs::test {
namespace {

constexpr CodecId kCodecs[] = {CodecId::kDxt5, CodecId::kDxt5YCoCg};

// Blocks of every kind: alpha of eight and of six levels, equal ends, colours in either order.
Bytes random_blocks(int width, int height) {
  const Picture noise =
      make_picture(Content::kNoise, texel_blocks(width) * 8 + 8, texel_blocks(height));
  Bytes blocks(noise.rgb.begin(), noise.rgb.begin() + static_cast<ptrdiff_t>(dxt_bytes(
                                                          CodecId::kDxt5, width, height)));
  for (size_t i = 0; i + 48 < blocks.size(); i += 48) {
    blocks[i + 1] = blocks[i];
    blocks[i + 26] = blocks[i + 24];
    if (i % 96 == 0) blocks[i + 27] = blocks[i + 25];
  }
  return blocks;
}

// Every pair of alpha ends, with all eight indices.
Bytes all_alpha_ends() {
  Bytes blocks(dxt_bytes(CodecId::kDxt5, 1024, 1024));
  for (size_t i = 0; i < blocks.size() / 16; ++i) {
    const uint8_t block[] = {static_cast<uint8_t>(i),
                             static_cast<uint8_t>(i >> 8),
                             0x88,
                             0xc6,
                             0xfa,
                             0x77,
                             0x39,
                             0x05,
                             static_cast<uint8_t>(i * 5),
                             static_cast<uint8_t>(i >> 5),
                             static_cast<uint8_t>(i >> 3),
                             static_cast<uint8_t>(i * 3),
                             0xe4,
                             0x1b,
                             0x4e,
                             0xb1};
    std::copy(std::begin(block), std::end(block), &blocks[i * 16]);
  }
  return blocks;
}

// Tightly packed B, G, R, A.
Bytes decode_with_squish(const Bytes& blocks, int width, int height) {
  Bytes rgba(static_cast<size_t>(width * height * 4));
  squish::DecompressImage(rgba.data(), width, height, blocks.data(), squish::kDxt5);
  for (size_t i = 0; i < rgba.size(); i += 4) std::swap(rgba[i], rgba[i + 2]);
  return rgba;
}

Bytes decode(CodecId codec, const Bytes& blocks, int width, int height, CpuLevel cpu) {
  GuardedPixels out(width, height);
  dxt_decode(codec, blocks.data(), width, height, 0, 0, width, height, out.target(), cpu);
  EXPECT_TRUE(out.guards_untouched()) << cpu_level_name(cpu);
  return out.pixels();
}

TEST(Dxt5Decode, EveryLevelEqualsLibsquish) {
  const int width = 1028, height = 64;
  const Bytes blocks = random_blocks(width, height);
  const Bytes expected = decode_with_squish(blocks, width, height);
  for (const CpuLevel cpu : available_levels()) {
    EXPECT_EQ(decode(CodecId::kDxt5, blocks, width, height, cpu), expected) << cpu_level_name(cpu);
  }
}

TEST(Dxt5Decode, EveryPairOfAlphaEndsEqualsLibsquish) {
  const Bytes blocks = all_alpha_ends();
  const Bytes expected = decode_with_squish(blocks, 1024, 1024);
  for (const CpuLevel cpu : available_levels()) {
    EXPECT_EQ(decode(CodecId::kDxt5, blocks, 1024, 1024, cpu), expected) << cpu_level_name(cpu);
  }
}

// The formula of the paper in real numbers, over libsquish's palette.
TEST(YCoCgDecode, IsWithinALevelOfTheFormula) {
  const int width = 512, height = 512;
  const Bytes blocks = random_blocks(width, height);
  const Bytes palette = decode_with_squish(blocks, width, height);
  const Bytes bgra = decode(CodecId::kDxt5YCoCg, blocks, width, height, CpuLevel::kReference);
  for (size_t i = 0; i < bgra.size(); i += 4) {
    const double scale = 1 + palette[i] / 8.0, y = palette[i + 3];
    const double co = (palette[i + 2] - 128) / scale, cg = (palette[i + 1] - 128) / scale;
    const double expected[] = {y - co - cg, y + cg, y + co - cg};
    for (size_t c = 0; c < 3; ++c) {
      ASSERT_NEAR(bgra[i + c], std::clamp(expected[c], 0.0, 255.0), 0.5001) << "pixel " << i / 4;
    }
    ASSERT_EQ(bgra[i + 3], 255);
  }
}

TEST(YCoCgDecode, EveryLevelGivesTheBitsOfTheReference) {
  for (const Bytes& blocks : {random_blocks(1024, 1024), all_alpha_ends()}) {
    const Bytes expected = decode(CodecId::kDxt5YCoCg, blocks, 1024, 1024, CpuLevel::kReference);
    for (const CpuLevel cpu : available_levels()) {
      EXPECT_EQ(decode(CodecId::kDxt5YCoCg, blocks, 1024, 1024, cpu), expected)
          << cpu_level_name(cpu);
    }
  }
}

TEST(Dxt5Decode, EveryCropIsThatPartOfThePicture) {
  for (const auto& [width, height] :
       {std::array{37, 23}, std::array{301, 18}, std::array{4, 4}, std::array{1, 1}}) {
    const Bytes blocks = random_blocks(width, height);
    for (const CodecId codec : kCodecs) {
      const Bytes whole = decode(codec, blocks, width, height, CpuLevel::kReference);
      for (const CpuLevel cpu : available_levels()) {
        for (int x = 0; x < width; x += 1 + x / 9 * 4) {
          for (int y = 0; y < height; y += 1 + y / 5) {
            for (const int right : {x + 1, (x + width + 1) / 2, width}) {
              const int bottom = height - (right + y) % 5;
              if (right <= x || bottom <= y) continue;
              GuardedPixels out(right - x, bottom - y);
              dxt_decode(codec, blocks.data(), width, height, x, y, right - x, bottom - y,
                         out.target(), cpu);
              Bytes expected;
              for (int row = y; row < bottom; ++row) {
                const auto from = whole.begin() + (row * width + x) * 4;
                expected.insert(expected.end(), from, from + (right - x) * 4);
              }
              ASSERT_EQ(out.pixels(), expected) << cpu_level_name(cpu) << " " << x << "," << y
                                                << " to " << right << "," << bottom;
              ASSERT_TRUE(out.guards_untouched()) << cpu_level_name(cpu);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace codecs::test
