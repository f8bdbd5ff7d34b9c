// DXT1, DXT5 and DXT5-YCoCg: every kernel against the reference, and quality.
#include <squish.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "tests/unit/codecs/dxt/dxt_coding.h"

namespace codecs::test {
namespace {

enum class Alpha { kRamp, kNoise, kMask, kNarrow };
constexpr Alpha kAlphas[] = {Alpha::kRamp, Alpha::kNoise, Alpha::kMask, Alpha::kNarrow};

uint8_t alpha_at(Alpha alpha, int x, int y) {
  const uint32_t random = static_cast<uint32_t>(x * 7919 + y * 104729) * 2654435761U >> 24;
  switch (alpha) {
    case Alpha::kRamp:
      return static_cast<uint8_t>(x * 2 + y);
    case Alpha::kNoise:
      return static_cast<uint8_t>(random);
    case Alpha::kMask:
      return (x / 5 + y / 3) % 2 == 0 ? 0 : 255;
    case Alpha::kNarrow:
      return static_cast<uint8_t>(std::min<uint32_t>(
          255, static_cast<uint32_t>(y) * 4 + random % (1 + static_cast<uint32_t>(x / 4 % 20))));
  }
  return 0;
}

// For formats with four bytes a pixel: BGRA and RGBA.
void set_alpha(Frame& frame, Alpha alpha) {
  for (int y = 0; y < frame.view.height; ++y) {
    for (int x = 0; x < frame.view.width; ++x) {
      frame.planes[0][static_cast<size_t>(frame.view.strides[0] * y + 4 * x + 3)] =
          alpha_at(alpha, x, y);
    }
  }
}

void expect_same_at_every_level(const Frame& frame, const char* what) {
  for (const CodecId codec : kDxtCodecs) {
    for (const DxtMode mode : kQuickModes) {
      const Bytes expected = encode(codec, frame, mode, CpuLevel::kReference);
      if (codec == CodecId::kDxt1) expect_opaque(expected);
      for (const CpuLevel cpu : available_levels()) {
        EXPECT_EQ(encode(codec, frame, mode, cpu), expected)
            << what << ", codec " << static_cast<int>(codec) << ", format "
            << static_cast<int>(frame.view.format) << ", mode " << static_cast<int>(mode) << ", "
            << cpu_level_name(cpu);
      }
    }
  }
}

// The corners of the colour cube and the colours between each pair.
Picture saturated_picture() {
  const auto corner = [](int i, int channel) {
    constexpr int kLevels[] = {0, 85, 170, 255};
    return kLevels[i >> (2 * channel) & 3];
  };
  Picture picture{512, 512, Bytes(size_t{512} * 512 * 3)};
  for (int y = 0; y < 512; ++y) {
    for (int x = 0; x < 512; ++x) {
      // An 8 × 8 cell for each pair of 64 colours: a flat block, a ramp, an edge, dots.
      const int a = x / 8, b = y / 8, u = x % 8, v = y % 8;
      const int step =
          u < 4 ? (v < 4 ? 0 : u * 2 + 1) : (v < 4 ? (u < 6 ? 0 : 7) : (u + v) % 2 * 7);
      for (int c = 0; c < 3; ++c) {
        picture.rgb[static_cast<size_t>((y * 512 + x) * 3 + c)] =
            static_cast<uint8_t>((corner(a, c) * (7 - step) + corner(b, c) * step) / 7);
      }
    }
  }
  return picture;
}

TEST(DxtEncode, EveryLevelGivesTheBitsOfTheReference) {
  for (const Content content : kAllContents) {
    const Picture picture = make_picture(content, 330, 40);
    for (const PixelFormat format : kAllFormats) {
      expect_same_at_every_level(make_frame(picture, format, 5), content_name(content));
    }
  }
  expect_same_at_every_level(make_frame(saturated_picture(), PixelFormat::kRgba), "saturated");
}

TEST(DxtEncode, EveryLevelAgreesOnAlpha) {
  for (const Alpha alpha : kAlphas) {
    for (const PixelFormat format : {PixelFormat::kRgba, PixelFormat::kBgra}) {
      Frame frame = make_frame(make_picture(Content::kPhotograph, 300, 64), format);
      set_alpha(frame, alpha);
      expect_same_at_every_level(frame, "alpha");
    }
  }
}

// Small ranges at every base level: endpoints coincide, steps are rounded.
TEST(DxtEncode, EveryLevelAgreesOnNarrowBlocks) {
  Picture picture = make_picture(Content::kNoise, 256, 512);
  for (size_t i = 0; i < picture.rgb.size(); ++i) {
    const size_t y = i / 3 / 256;
    picture.rgb[i] =
        static_cast<uint8_t>(std::min<size_t>(255, y / 2 + picture.rgb[i] % (1 + y % 16)));
  }
  expect_same_at_every_level(make_frame(picture, PixelFormat::kBgra), "narrow");
}

// A picture of any size equals the picture with its last column and row repeated. Sizes just above
// a strip (256 pixels) test whether the remainder fills a group.
TEST(DxtEncode, OddSizesRepeatTheEdge) {
  for (int size = 1; size <= 260; ++size) {
    const int height = 1 + (size * 7) % 9;
    const Picture picture = make_picture(Content::kPhotograph, size, height);
    Picture padded{texel_blocks(size) * 4, texel_blocks(height) * 4, {}};
    Bytes alpha;
    for (int y = 0; y < padded.height; ++y) {
      for (int x = 0; x < padded.width; ++x) {
        const int in_x = std::min(x, size - 1), in_y = std::min(y, height - 1);
        const uint8_t* rgb = picture.at(in_x, in_y);
        padded.rgb.insert(padded.rgb.end(), rgb, rgb + 3);
        alpha.push_back(alpha_at(Alpha::kNoise, in_x, in_y));
      }
    }
    for (const PixelFormat format : {PixelFormat::kRgba, PixelFormat::kBgra, PixelFormat::kRgb}) {
      Frame frame = make_frame(picture, format, size % 4);
      Frame whole = make_frame(padded, PixelFormat::kRgba);
      const bool opaque = format == PixelFormat::kRgb;
      if (!opaque) set_alpha(frame, Alpha::kNoise);
      for (size_t i = 0; i < alpha.size(); ++i)
        whole.planes[0][4 * i + 3] = opaque ? 255 : alpha[i];
      for (const CodecId codec : kDxtCodecs) {
        for (const DxtMode mode : kQuickModes) {
          const Bytes expected = encode(codec, whole, mode, CpuLevel::kReference);
          for (const CpuLevel cpu : available_levels()) {
            EXPECT_EQ(encode(codec, frame, mode, cpu), expected)
                << size << "×" << height << ", codec " << static_cast<int>(codec) << ", format "
                << static_cast<int>(format) << ", " << cpu_level_name(cpu);
          }
        }
      }
    }
  }
}

TEST(DxtEncode, ARectangleIsThatPartOfTheFrame) {
  const int width = 301, height = 75;
  const Picture picture = make_picture(Content::kPhotograph, width, height);
  for (const CodecId codec : kDxtCodecs) {
    for (const PixelFormat format : kAllFormats) {
      const Frame frame = make_frame(picture, format);
      for (const CpuLevel cpu : available_levels()) {
        const Bytes whole = encode(codec, frame, DxtMode::kFast, cpu);
        for (const auto& [x, y, w, h] : {std::array{0, 0, 128, 64}, std::array{128, 0, 128, 64},
                                         std::array{256, 64, 45, 11}, std::array{4, 72, 8, 3}}) {
          Bytes part(dxt_bytes(codec, w, h) + 16, 0xcc);
          dxt_encode(codec, frame.view, x, y, w, h, DxtMode::kFast, part.data(), cpu);
          const size_t row_bytes = static_cast<size_t>(texel_blocks(w)) * texel_block_bytes(codec);
          for (int row = 0; row < texel_blocks(h); ++row) {
            const size_t from = static_cast<size_t>((y / 4 + row) * texel_blocks(width) + x / 4) *
                                texel_block_bytes(codec);
            EXPECT_EQ(
                std::memcmp(&part[row_bytes * static_cast<size_t>(row)], &whole[from], row_bytes),
                0)
                << "format " << static_cast<int>(format) << ", row " << row;
          }
          EXPECT_TRUE(
              std::all_of(part.end() - 16, part.end(), [](uint8_t b) { return b == 0xcc; }));
        }
      }
    }
  }
}

TEST(DxtEncode, ARowOfRectanglesHasTheBitsOfEach) {
  const int width = 445, height = 70;
  const Picture picture = make_picture(Content::kPhotograph, width, height);
  for (const CodecId codec : kDxtCodecs) {
    for (const PixelFormat format : kAllFormats) {
      const Frame frame = make_frame(picture, format);
      for (const auto& [piece, x, y, h] : {std::array{128, 0, 0, 64}, std::array{128, 128, 64, 6},
                                           std::array{64, 64, 0, 8}, std::array{36, 4, 4, 12}}) {
        std::vector<Bytes> pieces, expected;
        std::vector<uint8_t*> places;
        for (int left = x; left < width; left += piece) {
          const int w = std::min(piece, width - left);
          pieces.emplace_back(dxt_bytes(codec, w, h));
          places.push_back(pieces.back().data());
          expected.emplace_back(dxt_bytes(codec, w, h));
          dxt_encode(codec, frame.view, left, y, w, h, DxtMode::kFast, expected.back().data(),
                     detect_cpu());
        }
        dxt_encode_row(codec, frame.view, x, y, piece, width, h, DxtMode::kFast, places,
                       detect_cpu());
        EXPECT_EQ(pieces, expected) << "format " << static_cast<int>(format) << ", " << piece;
      }
    }
  }
}

// DXT5 has the same colours as DXT1, and ignores alpha for them.
TEST(Dxt5Encode, ColoursAreThoseOfDxt1) {
  const Frame frame = make_frame(make_picture(Content::kPhotograph, 256, 64), PixelFormat::kRgba);
  for (const DxtMode mode : kQuickModes) {
    const Bytes dxt1 = encode(CodecId::kDxt1, frame, mode, detect_cpu());
    const Bytes dxt5 = encode(CodecId::kDxt5, frame, mode, detect_cpu());
    for (size_t i = 0; i < dxt1.size() / 8; ++i) {
      ASSERT_EQ(std::memcmp(&dxt1[8 * i], &dxt5[16 * i + 8], 8), 0) << "block " << i;
    }
  }
}

TEST(DxtEncode, AlphaAndBytesBetweenRowsHaveNoEffectButOnDxt5) {
  const Frame frame = make_frame(make_picture(Content::kPhotograph, 64, 16), PixelFormat::kRgba, 8);
  Frame other = frame;
  other.view.planes[0] = other.planes[0].data();
  for (size_t i = 3; i < other.planes[0].size(); i += 4) other.planes[0][i] ^= 0x9d;
  for (const CodecId codec : {CodecId::kDxt1, CodecId::kDxt5YCoCg}) {
    for (const CpuLevel cpu : available_levels()) {
      EXPECT_EQ(encode(codec, other, DxtMode::kGood, cpu),
                encode(codec, frame, DxtMode::kGood, cpu))
          << cpu_level_name(cpu);
    }
  }
}

TEST(Dxt5Encode, FormatsWithoutAlphaAreOpaque) {
  const Picture picture = make_picture(Content::kPhotograph, 67, 13);
  for (const PixelFormat format : {PixelFormat::kRgb, PixelFormat::kNv12, PixelFormat::kI420,
                                   PixelFormat::kNv16, PixelFormat::kI422}) {
    const Bytes bgra = decode(
        CodecId::kDxt5,
        encode(CodecId::kDxt5, make_frame(picture, format), DxtMode::kFast, detect_cpu()), 67, 13);
    for (size_t i = 3; i < bgra.size(); i += 4) ASSERT_EQ(bgra[i], 255) << "pixel " << i / 4;
  }
}

// Extremes are exact, other values within half a step plus rounding.
TEST(Dxt5Encode, AlphaIsAsNearAsItsStepsAllow) {
  for (const Alpha alpha : kAlphas) {
    Frame frame = make_frame(make_picture(Content::kFlat, 256, 64), PixelFormat::kBgra);
    set_alpha(frame, alpha);
    const Bytes bgra = decode(CodecId::kDxt5,
                              encode(CodecId::kDxt5, frame, DxtMode::kFast, detect_cpu()), 256, 64);
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 256; ++x) {
        int low = 255, high = 0;
        for (int i = 0; i < 16; ++i) {
          const int value = alpha_at(alpha, x / 4 * 4 + i % 4, y / 4 * 4 + i / 4);
          low = std::min(low, value);
          high = std::max(high, value);
        }
        const int expected = alpha_at(alpha, x, y);
        const int got = bgra[static_cast<size_t>((y * 256 + x) * 4 + 3)];
        if (expected == low || expected == high) {
          ASSERT_EQ(got, expected) << x << "," << y;
        } else {
          ASSERT_LE(std::abs(got - expected), (high - low) / 14 + 2) << x << "," << y;
        }
      }
    }
  }
}

// Co and Cg of saturated colours reach both ends of a byte and must not overflow.
TEST(Dxt5Encode, SaturatedColoursStay) {
  const Picture picture = saturated_picture();
  for (const DxtMode mode : {DxtMode::kFast, DxtMode::kGood, DxtMode::kHigh}) {
    const Bytes blocks =
        encode(CodecId::kDxt5YCoCg, make_frame(picture, PixelFormat::kRgba), mode, detect_cpu());
    const Bytes bgra = decode(CodecId::kDxt5YCoCg, blocks, 512, 512);
    for (int y = 0; y < 512; ++y) {
      for (int x = 0; x < 512; ++x) {
        const uint8_t* rgb = picture.at(x, y);
        const uint8_t* got = &bgra[static_cast<size_t>((y * 512 + x) * 4)];
        const bool flat = x % 8 < 4 && y % 8 < 4;
        for (int c = 0; c < 3; ++c) {
          // A block of two such colours is a diagonal in YCoCg: in the worst case a sixth of the
          // range for each of Co, Cg and Y.
          ASSERT_LE(std::abs(rgb[c] - got[2 - c]), flat ? 5 : 100)
              << "mode " << static_cast<int>(mode) << " at " << x << "," << y;
        }
      }
    }
    EXPECT_GE(psnr(picture, bgra), 30) << "mode " << static_cast<int>(mode);
    RecordProperty("mode" + std::to_string(static_cast<int>(mode)),
                   std::to_string(psnr(picture, bgra)));
  }
}

TEST(Dxt5Encode, QualityIsAsPromised) {
  struct Floor {
    Content content;
    double fast_db;
    double good_db;
    double high_db;
  };
  for (const Floor& floor :
       {Floor{Content::kFlat, 49.8, 49.8, 52.8}, Floor{Content::kGradient, 41.2, 43.3, 44.1},
        Floor{Content::kTwoColours, 29.4, 48.1, 48.4}, Floor{Content::kNoise, 15.3, 16, 16.3},
        Floor{Content::kPhotograph, 44.4, 46.0, 46.4}, Floor{Content::kText, 32, 47, 46.2}}) {
    const Picture picture = make_picture(floor.content, 512, 256);
    const Frame frame = make_frame(picture, PixelFormat::kBgra);
    const auto quality = [&](DxtMode mode) {
      const Bytes blocks = encode(CodecId::kDxt5YCoCg, frame, mode, detect_cpu());
      return psnr(picture, decode(CodecId::kDxt5YCoCg, blocks, 512, 256));
    };
    EXPECT_GE(quality(DxtMode::kFast), floor.fast_db) << content_name(floor.content);
    EXPECT_GE(quality(DxtMode::kGood), floor.good_db) << content_name(floor.content);
    EXPECT_GE(quality(DxtMode::kHigh), floor.high_db) << content_name(floor.content);
  }
}

// libsquish decodes our blocks as we do, and its encoder is hardly better.
TEST(Dxt5Encode, LibsquishDecodesItToTheSame) {
  const Picture picture = make_picture(Content::kPhotograph, 256, 128);
  Frame frame = make_frame(picture, PixelFormat::kBgra);
  set_alpha(frame, Alpha::kRamp);
  for (const DxtMode mode : {DxtMode::kFast, DxtMode::kGood, DxtMode::kHigh}) {
    const Bytes blocks = encode(CodecId::kDxt5, frame, mode, detect_cpu());
    Bytes rgba(size_t{256} * 128 * 4);
    squish::DecompressImage(rgba.data(), 256, 128, blocks.data(), squish::kDxt5);
    for (size_t i = 0; i < rgba.size(); i += 4) std::swap(rgba[i], rgba[i + 2]);
    EXPECT_EQ(decode(CodecId::kDxt5, blocks, 256, 128), rgba);
    EXPECT_GE(psnr(picture, rgba), mode == DxtMode::kFast ? 38.8 : 40.2);
  }
}

TEST(DxtHigh, IsNoWorseThanGood) {
  for (const Content content : {Content::kGradient, Content::kNoise, Content::kPhotograph}) {
    const Picture picture = make_picture(content, 128, 128);
    const Frame frame = make_frame(picture, PixelFormat::kRgba);
    for (const CodecId codec : kDxtCodecs) {
      const auto quality = [&](DxtMode mode) {
        return psnr(picture, decode(codec, encode(codec, frame, mode, detect_cpu()), 128, 128));
      };
      EXPECT_GE(quality(DxtMode::kHigh), quality(DxtMode::kGood))
          << content_name(content) << ", codec " << static_cast<int>(codec);
    }
  }
}

// Cropped groups, edges and all formats work as in the other modes.
TEST(DxtHigh, EveryFormatAndOddSizes) {
  const Picture picture = make_picture(Content::kPhotograph, 131, 37);
  for (const PixelFormat format : kAllFormats) {
    const Frame frame = make_frame(picture, format);
    for (const CodecId codec : kDxtCodecs) {
      const Bytes blocks = encode(codec, frame, DxtMode::kHigh, detect_cpu());
      const bool yuv = format >= PixelFormat::kNv12;
      EXPECT_GE(psnr(picture, decode(codec, blocks, 131, 37)), yuv ? 28 : 39)
          << "format " << static_cast<int>(format) << ", codec " << static_cast<int>(codec);
    }
  }
}

}  // namespace
}  // namespace codecs::test
