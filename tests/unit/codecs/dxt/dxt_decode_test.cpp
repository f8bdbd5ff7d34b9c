// DXT1, DXT5 and DXT5-YCoCg: every kernel against libsquish or the reference, with any crop.
#include <squish.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/unit/codecs/dxt/dxt_coding.h"

namespace codecs::test {
namespace {

// Blocks of every kind: either order of endpoints, eight and six alpha levels, equal endpoints.
Bytes random_blocks(CodecId codec, int width, int height) {
  const Picture noise =
      make_picture(Content::kNoise, texel_blocks(width) * 8 + 8, texel_blocks(height));
  Bytes blocks(noise.rgb.begin(),
               noise.rgb.begin() + static_cast<ptrdiff_t>(dxt_bytes(codec, width, height)));
  const size_t block = texel_block_bytes(codec);
  for (size_t i = 0; i + 3 * block < blocks.size(); i += 3 * block) {
    if (codec != CodecId::kDxt1) blocks[i + 1] = blocks[i];
    const size_t colours = codec == CodecId::kDxt1 ? i : i + 24;
    blocks[colours + 2] = blocks[colours];
    if (i % (6 * block) == 0) blocks[colours + 3] = blocks[colours + 1];
  }
  return blocks;
}

// DXT1: all pairs of colour endpoints, for each channel.
Bytes all_colour_ends() {
  Bytes blocks(dxt_bytes(CodecId::kDxt1, 256, 256));
  for (size_t i = 0; i < blocks.size() / 8; ++i) {
    const auto a = static_cast<uint32_t>(i & 63), b = static_cast<uint32_t>(i >> 6);
    const uint32_t colour0 = (a >> 1) << 11 | a << 5 | (b >> 1);
    const uint32_t colour1 = (b >> 1) << 11 | b << 5 | (a >> 1);
    const uint32_t bytes[] = {colour0, colour0 >> 8, colour1, colour1 >> 8, 0xe4, 0x1b, 0x4e, 0xb1};
    std::transform(std::begin(bytes), std::end(bytes), &blocks[i * 8],
                   [](uint32_t byte) { return static_cast<uint8_t>(byte); });
  }
  return blocks;
}

// DXT5: all pairs of alpha endpoints, with all eight indices.
Bytes all_alpha_ends() {
  Bytes blocks(dxt_bytes(CodecId::kDxt5, 1024, 1024));
  for (size_t i = 0; i < blocks.size() / 16; ++i) {
    const size_t bytes[] = {i,     i >> 8, 0x88,   0xc6,  0xfa, 0x77, 0x39, 0x05,
                            i * 5, i >> 5, i >> 3, i * 3, 0xe4, 0x1b, 0x4e, 0xb1};
    std::transform(std::begin(bytes), std::end(bytes), &blocks[i * 16],
                   [](size_t byte) { return static_cast<uint8_t>(byte); });
  }
  return blocks;
}

// Packed B, G, R, A. All DXT1 blocks here are opaque.
Bytes decode_with_squish(CodecId codec, const Bytes& blocks, int width, int height) {
  const bool dxt1 = codec == CodecId::kDxt1;
  Bytes rgba(static_cast<size_t>(width * height * 4));
  squish::DecompressImage(rgba.data(), width, height, blocks.data(),
                          dxt1 ? squish::kDxt1 : squish::kDxt5);
  for (size_t i = 0; i < rgba.size(); i += 4) {
    std::swap(rgba[i], rgba[i + 2]);
    if (dxt1) rgba[i + 3] = 255;
  }
  return rgba;
}

void expect_as_squish(CodecId codec, const Bytes& blocks, int width, int height) {
  const Bytes expected = decode_with_squish(codec, blocks, width, height);
  for (const CpuLevel cpu : available_levels()) {
    EXPECT_EQ(decode(codec, blocks, width, height, cpu), expected) << cpu_level_name(cpu);
  }
}

TEST(DxtDecode, EveryLevelEqualsLibsquish) {
  for (const CodecId codec : {CodecId::kDxt1, CodecId::kDxt5}) {
    expect_as_squish(codec, random_blocks(codec, 1028, 64), 1028, 64);
  }
  expect_as_squish(CodecId::kDxt1, all_colour_ends(), 256, 256);
  expect_as_squish(CodecId::kDxt5, all_alpha_ends(), 1024, 1024);
}

// The paper's formula in floating point, over libsquish's palette.
TEST(YCoCgDecode, IsWithinALevelOfTheFormula) {
  const int width = 512, height = 512;
  const Bytes blocks = random_blocks(CodecId::kDxt5, width, height);
  const Bytes palette = decode_with_squish(CodecId::kDxt5, blocks, width, height);
  const Bytes bgra = decode(CodecId::kDxt5YCoCg, blocks, width, height);
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
  for (const Bytes& blocks : {random_blocks(CodecId::kDxt5, 1024, 1024), all_alpha_ends()}) {
    const Bytes expected = decode(CodecId::kDxt5YCoCg, blocks, 1024, 1024);
    for (const CpuLevel cpu : available_levels()) {
      EXPECT_EQ(decode(CodecId::kDxt5YCoCg, blocks, 1024, 1024, cpu), expected)
          << cpu_level_name(cpu);
    }
  }
}

void expect_crop(CodecId codec, const Bytes& blocks, const Bytes& whole, int width, int height,
                 const std::array<int, 4>& edges, CpuLevel cpu) {
  const auto [x, y, right, bottom] = edges;
  GuardedPixels out(right - x, bottom - y);
  dxt_decode(codec, blocks.data(), width, height, x, y, right - x, bottom - y, out.target(), cpu);
  Bytes expected;
  for (int row = y; row < bottom; ++row) {
    const auto from = whole.begin() + (row * width + x) * 4;
    expected.insert(expected.end(), from, from + (right - x) * 4);
  }
  ASSERT_EQ(out.pixels(), expected)
      << cpu_level_name(cpu) << " " << x << "," << y << " to " << right << "," << bottom;
  ASSERT_TRUE(out.guards_untouched()) << cpu_level_name(cpu);
}

TEST(DxtDecode, EveryCropIsThatPartOfThePicture) {
  for (const auto& [width, height] : {std::array{37, 23}, std::array{301, 18}, std::array{4, 4},
                                      std::array{1, 1}, std::array{3, 37}}) {
    for (const CodecId codec : kDxtCodecs) {
      const Bytes blocks = random_blocks(codec, width, height);
      const Bytes whole = decode(codec, blocks, width, height);
      for (const CpuLevel cpu : available_levels()) {
        for (int x = 0; x < width; x += 1 + x / 9 * 4) {
          for (int y = 0; y < height; y += 1 + y / 5) {
            for (const int right : {x + 1, (x + width + 1) / 2, width - 1, width}) {
              const int bottom = height - (right + y) % 5;
              if (right <= x || bottom <= y) continue;
              expect_crop(codec, blocks, whole, width, height, {x, y, right, bottom}, cpu);
            }
          }
        }
      }
    }
  }
}

// A crop's pixels that begin `distance` bytes behind a cache line, among other bytes.
struct AlignedPixels {
  static constexpr int kStride = 20 * 64, kRows = 26, kMargin = 64;
  alignas(64) std::array<uint8_t, kMargin + kStride * kRows> bytes;

  AlignedPixels() { bytes.fill(0xa5); }
  BgraTarget target(int distance) { return {bytes.data() + kMargin + distance, kStride}; }
};

TEST(DxtDecode, StreamedPixelsAreTheSame) {
  const int width = 301, height = 22;
  for (const CodecId codec : kDxtCodecs) {
    const Bytes blocks = random_blocks(codec, width, height);
    for (const CpuLevel cpu : available_levels()) {
      for (const auto& [x, y, right, bottom] :
           {std::array{0, 0, 301, 22}, std::array{0, 4, 256, 20}, std::array{4, 0, 300, 21},
            std::array{16, 3, 33, 4}, std::array{5, 1, 299, 22}, std::array{8, 8, 23, 12}}) {
        for (const int distance : {0, 4, 16, 60}) {
          AlignedPixels expected, streamed;
          dxt_decode(codec, blocks.data(), width, height, x, y, right - x, bottom - y,
                     expected.target(distance), cpu);
          dxt_decode_streamed(codec, blocks.data(), width, height, x, y, right - x, bottom - y,
                              streamed.target(distance), cpu);
          ASSERT_EQ(streamed.bytes, expected.bytes)
              << cpu_level_name(cpu) << " " << x << "," << y << " to " << right << "," << bottom
              << " at " << distance;
        }
      }
    }
  }
}

TEST(DxtDecode, AnEmptyCropWritesNothing) {
  const Bytes blocks = random_blocks(CodecId::kDxt1, 8, 8);
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
