// DXT1 encoder: solid blocks, YUV, and quality.
#include <algorithm>
#include <utility>

#include "codecs/color/convert.h"
#include "tests/unit/codecs/dxt/dxt_coding.h"

namespace codecs::test {
namespace {

Bytes encode_dxt1(const Frame& frame, DxtMode mode, CpuLevel cpu) {
  return encode(CodecId::kDxt1, frame, mode, cpu);
}

double encoded_psnr(const Picture& picture, DxtMode mode) {
  const Frame frame = make_frame(picture, PixelFormat::kBgra);
  return psnr(picture, decode(CodecId::kDxt1, encode_dxt1(frame, mode, detect_cpu()), picture.width,
                              picture.height));
}

// Squared error of the best block of one colour, found by brute force.
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
  for (const DxtMode mode : kQuickModes) {
    const Bytes blocks = encode_dxt1(make_frame(picture, PixelFormat::kRgba), mode, detect_cpu());
    expect_opaque(blocks);
    const Bytes bgra = decode(CodecId::kDxt1, blocks, 1024, 16);
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

// The encoder fits 4:2:0 in YUV. Returns the quality gain in dB over encoding the converted frame,
// both compared with the converted frame.
double gain_of_yuv(const Frame& frame) {
  const int width = frame.view.width, height = frame.view.height;
  Bytes bgra(static_cast<size_t>(width * height * 4));
  convert_to_bgra(frame.view, 0, 0, width, height, {bgra.data(), width * 4}, detect_cpu());
  Picture converted{width, height, {}};
  for (size_t i = 0; i < bgra.size(); i += 4) {
    converted.rgb.insert(converted.rgb.end(), {bgra[i + 2], bgra[i + 1], bgra[i]});
  }
  const Bytes blocks = encode_dxt1(frame, DxtMode::kFast, detect_cpu());
  return psnr(converted, decode(CodecId::kDxt1, blocks, width, height)) -
         encoded_psnr(converted, DxtMode::kFast);
}

constexpr ColorMatrix kMatrices[] = {ColorMatrix::kBt601, ColorMatrix::kBt709};
constexpr ColorRange kRanges[] = {ColorRange::kLimited, ColorRange::kFull};

// Real photographs gain up to 0.2 dB; this synthetic one has far more chroma noise.
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

// Random bytes, mostly outside the RGB cube, at every CPU level and in every matrix.
TEST(Dxt1Encode, EveryLevelAgreesOnYuvThatIsNoColour) {
  const Picture noise = make_picture(Content::kNoise, 256, 128);
  for (const PixelFormat format : {PixelFormat::kI420, PixelFormat::kNv12}) {
    Frame frame = make_frame(noise, format);
    size_t at = 0;
    for (Bytes& plane : frame.planes) {
      // Alternates wide and narrow ranges around every level.
      for (uint8_t& byte : plane) {
        const uint8_t random = noise.rgb[at++ % noise.rgb.size()];
        byte = at / 512 % 2 == 0 ? random : static_cast<uint8_t>(at / 1024 + random % 9);
      }
    }
    for (const ColorMatrix matrix : kMatrices) {
      for (const ColorRange range : kRanges) {
        frame.view.matrix = matrix;
        frame.view.range = range;
        const Bytes expected = encode_dxt1(frame, DxtMode::kFast, CpuLevel::kReference);
        expect_opaque(expected);
        for (const CpuLevel cpu : available_levels()) {
          EXPECT_EQ(encode_dxt1(frame, DxtMode::kFast, cpu), expected) << cpu_level_name(cpu);
        }
      }
    }
  }
}

// Edges repeat as in other formats. In planar formats, the last chroma column and row repeat too.
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
    const Bytes expected = encode_dxt1(padded, DxtMode::kFast, CpuLevel::kReference);
    for (const PixelFormat format : {PixelFormat::kI420, PixelFormat::kNv12}) {
      for (const CpuLevel cpu : available_levels()) {
        EXPECT_EQ(encode_dxt1(make_frame(picture, format, size % 4), DxtMode::kFast, cpu), expected)
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
