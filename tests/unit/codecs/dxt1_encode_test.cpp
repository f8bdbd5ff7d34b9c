#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "codecs/convert.h"
#include "codecs/dxt.h"
#include "tests/unit/codecs/pictures.h"

namespace codecs::test {
namespace {

constexpr DxtMode kModes[] = {DxtMode::kFast, DxtMode::kGood};
Bytes encode(const Frame& frame, DxtMode mode, CpuLevel cpu) {
  Bytes blocks(dxt_bytes(CodecId::kDxt1, frame.view.width, frame.view.height));
  dxt_encode(CodecId::kDxt1, frame.view, 0, 0, frame.view.width, frame.view.height, mode,
             blocks.data(), cpu);
  return blocks;
}

Bytes decode(const Bytes& blocks, int width, int height) {
  Bytes bgra(static_cast<size_t>(width * height * 4));
  dxt_decode(CodecId::kDxt1, blocks.data(), width, height, 0, 0, width, height,
             {bgra.data(), width * 4}, CpuLevel::kReference);
  return bgra;
}

double encoded_psnr(const Picture& picture, DxtMode mode) {
  const Frame frame = make_frame(picture, PixelFormat::kBgra);
  return psnr(picture, decode(encode(frame, mode, detect_cpu()), picture.width, picture.height));
}

void expect_opaque(const Bytes& blocks) {
  for (size_t i = 0; i < blocks.size(); i += texel_block_bytes(CodecId::kDxt1)) {
    const int colour0 = blocks[i] | blocks[i + 1] << 8;
    const int colour1 = blocks[i + 2] | blocks[i + 3] << 8;
    uint32_t indices = 0;
    std::memcpy(&indices, &blocks[i + 4], 4);
    ASSERT_TRUE(colour0 > colour1 || (colour0 == colour1 && indices == 0)) << "block " << i / 8;
  }
}

TEST(Dxt1Encode, EveryLevelGivesTheBitsOfTheReference) {
  for (const Content content : kAllContents) {
    const Picture picture = make_picture(content, 330, 40);
    for (const PixelFormat format : kAllFormats) {
      const Frame frame = make_frame(picture, format, 5);
      for (const DxtMode mode : kModes) {
        const Bytes expected = encode(frame, mode, CpuLevel::kReference);
        expect_opaque(expected);
        for (const CpuLevel cpu : available_levels()) {
          EXPECT_EQ(encode(frame, mode, cpu), expected)
              << content_name(content) << ", format " << static_cast<int>(format) << ", mode "
              << static_cast<int>(mode) << ", " << cpu_level_name(cpu);
        }
      }
    }
  }
}

// Small ranges at every base level: endpoints that meet, thirds that round.
TEST(Dxt1Encode, EveryLevelAgreesOnNarrowBlocks) {
  Picture picture = make_picture(Content::kNoise, 256, 512);
  for (size_t i = 0; i < picture.rgb.size(); ++i) {
    const size_t y = i / 3 / 256;
    picture.rgb[i] =
        static_cast<uint8_t>(std::min<size_t>(255, y / 2 + picture.rgb[i] % (1 + y % 16)));
  }
  const Frame frame = make_frame(picture, PixelFormat::kRgba);
  for (const DxtMode mode : kModes) {
    const Bytes expected = encode(frame, mode, CpuLevel::kReference);
    expect_opaque(expected);
    for (const CpuLevel cpu : available_levels()) {
      EXPECT_EQ(encode(frame, mode, cpu), expected) << cpu_level_name(cpu);
    }
  }
}

// A picture of any size is the picture with its last column and row repeated. Sizes up to a strip
// (256 pixels) and a little more: what is left of a row may just fill, or just not fill, a group.
TEST(Dxt1Encode, OddSizesRepeatTheEdge) {
  for (int size = 1; size <= 260; ++size) {
    const int height = 1 + (size * 7) % 9;
    const Picture picture = make_picture(Content::kPhotograph, size, height);
    Picture padded{texel_blocks(size) * 4, texel_blocks(height) * 4, {}};
    for (int y = 0; y < padded.height; ++y) {
      for (int x = 0; x < padded.width; ++x) {
        const uint8_t* rgb = picture.at(std::min(x, size - 1), std::min(y, height - 1));
        padded.rgb.insert(padded.rgb.end(), rgb, rgb + 3);
      }
    }
    for (const DxtMode mode : kModes) {
      const Bytes expected =
          encode(make_frame(padded, PixelFormat::kRgba), mode, CpuLevel::kReference);
      for (const PixelFormat format : {PixelFormat::kRgba, PixelFormat::kBgra, PixelFormat::kRgb}) {
        for (const CpuLevel cpu : available_levels()) {
          EXPECT_EQ(encode(make_frame(picture, format, size % 4), mode, cpu), expected)
              << size << "×" << height << ", format " << static_cast<int>(format) << ", "
              << cpu_level_name(cpu);
        }
      }
    }
  }
}

TEST(Dxt1Encode, ARectangleIsThatPartOfTheFrame) {
  const int width = 301, height = 75;
  const Picture picture = make_picture(Content::kPhotograph, width, height);
  for (const PixelFormat format : kAllFormats) {
    const Frame frame = make_frame(picture, format);
    for (const CpuLevel cpu : available_levels()) {
      const Bytes whole = encode(frame, DxtMode::kFast, cpu);
      for (const auto& [x, y, w, h] : {std::array{0, 0, 128, 64}, std::array{128, 0, 128, 64},
                                       std::array{256, 64, 45, 11}, std::array{4, 72, 8, 3}}) {
        Bytes part(dxt_bytes(CodecId::kDxt1, w, h) + 8, 0xcc);
        dxt_encode(CodecId::kDxt1, frame.view, x, y, w, h, DxtMode::kFast, part.data(), cpu);
        const size_t row_bytes =
            static_cast<size_t>(texel_blocks(w)) * texel_block_bytes(CodecId::kDxt1);
        for (int row = 0; row < texel_blocks(h); ++row) {
          const size_t from = static_cast<size_t>((y / 4 + row) * texel_blocks(width) + x / 4) *
                              texel_block_bytes(CodecId::kDxt1);
          EXPECT_EQ(
              std::memcmp(&part[row_bytes * static_cast<size_t>(row)], &whole[from], row_bytes), 0)
              << "format " << static_cast<int>(format) << ", row " << row;
        }
        EXPECT_TRUE(std::all_of(part.end() - 8, part.end(), [](uint8_t b) { return b == 0xcc; }));
      }
    }
  }
}

TEST(Dxt1Encode, AlphaAndBytesBetweenRowsHaveNoEffect) {
  const Picture picture = make_picture(Content::kPhotograph, 64, 16);
  Frame frame = make_frame(picture, PixelFormat::kRgba, 8);
  for (const CpuLevel cpu : available_levels()) {
    const Bytes expected = encode(frame, DxtMode::kGood, cpu);
    Frame other = make_frame(picture, PixelFormat::kRgba, 8);
    for (size_t i = 3; i < other.planes[0].size(); i += 4) other.planes[0][i] ^= 0x9d;
    EXPECT_EQ(encode(other, DxtMode::kGood, cpu), expected) << cpu_level_name(cpu);
  }
}

// Squared error of the best block of one colour, found by trying all.
int best_channel_error(int value, int bits) {
  const auto expand = [bits](int v) { return v << (8 - bits) | v >> (2 * bits - 8); };
  int best = 1 << 16;
  for (int a = 0; a < 1 << bits; ++a) {
    for (int b = 0; b < 1 << bits; ++b) {
      const int error = (2 * expand(a) + expand(b)) / 3 - value;
      best = std::min(best, error * error);
    }
  }
  return best;
}

TEST(Dxt1Encode, SolidBlocksAreTheBestThereAre) {
  int best5[256], best6[256];
  for (int v = 0; v < 256; ++v) {
    best5[v] = best_channel_error(v, 5);
    best6[v] = best_channel_error(v, 6);
  }
  Picture picture{1024, 16, Bytes(size_t{1024} * 16 * 3)};
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 1024; ++x) {
      uint8_t* rgb = picture.rgb.data() + (y * 1024 + x) * 3;
      const int v = x / 4;
      rgb[0] = static_cast<uint8_t>(v);
      rgb[1] = static_cast<uint8_t>(y / 4 * 61 + v * 3);
      rgb[2] = static_cast<uint8_t>(255 - v * 5);
    }
  }
  for (const DxtMode mode : kModes) {
    const Bytes blocks = encode(make_frame(picture, PixelFormat::kRgba), mode, detect_cpu());
    expect_opaque(blocks);
    const Bytes bgra = decode(blocks, 1024, 16);
    for (size_t i = 0; i < bgra.size() / 4; ++i) {
      const uint8_t* rgb = &picture.rgb[i * 3];
      int error = 0;
      for (size_t c = 0; c < 3; ++c) {
        const int difference = bgra[4 * i + 2 - c] - rgb[c];
        error += difference * difference;
      }
      ASSERT_EQ(error, best5[rgb[0]] + best6[rgb[1]] + best5[rgb[2]]) << "pixel " << i;
    }
  }
}

// 4:2:0 is fitted in YUV: how far its blocks are from what convert.h makes of the frame, in dB,
// less how far those of the converted frame are.
double gain_of_yuv(const Frame& frame) {
  const int width = frame.view.width, height = frame.view.height;
  Bytes bgra(static_cast<size_t>(width * height * 4));
  convert_to_bgra(frame.view, 0, 0, width, height, {bgra.data(), width * 4}, detect_cpu());
  Picture converted{width, height, {}};
  for (size_t i = 0; i < bgra.size(); i += 4) {
    converted.rgb.insert(converted.rgb.end(), {bgra[i + 2], bgra[i + 1], bgra[i]});
  }
  const Bytes blocks = encode(frame, DxtMode::kFast, detect_cpu());
  return psnr(converted, decode(blocks, width, height)) - encoded_psnr(converted, DxtMode::kFast);
}

constexpr ColorMatrix kMatrices[] = {ColorMatrix::kBt601, ColorMatrix::kBt709};
constexpr ColorRange kRanges[] = {ColorRange::kLimited, ColorRange::kFull};

// Real photographs gain up to 0.2 dB; this drawn one has far more noise in its colours.
TEST(Dxt1Encode, YuvLosesLittleAgainstItsConversion) {
  for (const auto& [content, least_gain] :
       {std::pair{Content::kPhotograph, -1.0}, std::pair{Content::kGradient, -0.3},
        std::pair{Content::kTwoColours, -1.0}, std::pair{Content::kText, -1.0}}) {
    Frame frame = make_frame(make_picture(content, 512, 256), PixelFormat::kI420);
    for (const ColorMatrix matrix : kMatrices) {
      for (const ColorRange range : kRanges) {
        frame.view.matrix = matrix;
        frame.view.range = range;
        EXPECT_GE(gain_of_yuv(frame), least_gain)
            << content_name(content) << ", matrix " << static_cast<int>(matrix) << ", range "
            << static_cast<int>(range);
      }
    }
  }
}

// Any bytes, most of them outside of the RGB cube, at every level and in every matrix.
TEST(Dxt1Encode, EveryLevelAgreesOnYuvThatIsNoColour) {
  const Picture noise = make_picture(Content::kNoise, 256, 128);
  for (const PixelFormat format : {PixelFormat::kI420, PixelFormat::kNv12}) {
    Frame frame = make_frame(noise, format);
    size_t at = 0;
    for (Bytes& plane : frame.planes) {
      // Runs of wide and narrow ranges around every level.
      for (uint8_t& byte : plane) {
        const uint8_t random = noise.rgb[at++ % noise.rgb.size()];
        byte = at / 512 % 2 == 0 ? random : static_cast<uint8_t>(at / 1024 + random % 9);
      }
    }
    for (const ColorMatrix matrix : kMatrices) {
      for (const ColorRange range : kRanges) {
        frame.view.matrix = matrix;
        frame.view.range = range;
        const Bytes expected = encode(frame, DxtMode::kFast, CpuLevel::kReference);
        expect_opaque(expected);
        for (const CpuLevel cpu : available_levels()) {
          EXPECT_EQ(encode(frame, DxtMode::kFast, cpu), expected) << cpu_level_name(cpu);
        }
      }
    }
  }
}

// As OddSizesRepeatTheEdge, but of planes: chroma of the last column and row is repeated, too.
TEST(Dxt1Encode, OddSizesOfYuvRepeatTheEdge) {
  for (int size = 1; size <= 260; size += size < 70 ? 1 : 19) {
    const int height = 1 + (size * 7) % 9;
    const int width4 = texel_blocks(size) * 4, height4 = texel_blocks(height) * 4;
    const Picture picture = make_picture(Content::kPhotograph, size, height);
    const Frame frame = make_frame(picture, PixelFormat::kI420);
    Frame padded = make_frame(make_picture(Content::kFlat, width4, height4), PixelFormat::kI420);
    for (int p = 0; p < 3; ++p) {
      const int step = p == 0 ? 1 : 2;
      for (int y = 0; y < height4 / step; ++y) {
        for (int x = 0; x < width4 / step; ++x) {
          padded.planes[p][static_cast<size_t>(y * (width4 / step) + x)] =
              frame.view.planes[p][frame.view.strides[p] * std::min(y, (height - 1) / step) +
                                   std::min(x, (size - 1) / step)];
        }
      }
    }
    const Bytes expected = encode(padded, DxtMode::kFast, CpuLevel::kReference);
    for (const PixelFormat format : {PixelFormat::kI420, PixelFormat::kNv12}) {
      for (const CpuLevel cpu : available_levels()) {
        EXPECT_EQ(encode(make_frame(picture, format, size % 4), DxtMode::kFast, cpu), expected)
            << size << "×" << height << ", format " << static_cast<int>(format) << ", "
            << cpu_level_name(cpu);
      }
    }
  }
}

TEST(Dxt1Encode, QualityIsAsPromised) {
  struct Floor {
    Content content;
    double fast_db;
    double good_db;
  };
  for (const Floor& floor :
       {Floor{Content::kGradient, 39.3, 41.8}, Floor{Content::kTwoColours, 30.3, 43},
        Floor{Content::kNoise, 12.4, 13.1}, Floor{Content::kPhotograph, 38.8, 40.2},
        Floor{Content::kText, 31.5, 43.5}}) {
    const Picture picture = make_picture(floor.content, 512, 256);
    const double fast = encoded_psnr(picture, DxtMode::kFast);
    const double good = encoded_psnr(picture, DxtMode::kGood);
    EXPECT_GE(fast, floor.fast_db) << content_name(floor.content);
    EXPECT_GE(good, floor.good_db) << content_name(floor.content);
    EXPECT_GE(good, fast) << content_name(floor.content);
    RecordProperty(content_name(floor.content), std::to_string(fast) + " " + std::to_string(good));
  }
}

}  // namespace
}  // namespace codecs::test
