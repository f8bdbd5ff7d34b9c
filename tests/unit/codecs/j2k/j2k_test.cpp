// JPEG 2000 with both coders.
#include "codecs/j2k/j2k.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "codecs/color/cinema_color.h"
#include "codecs/color/convert.h"
#include "codecs/color/scaling.h"
#include "codecs/picture/block_encoder.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

constexpr CodecId kBothCodecs[] = {CodecId::kJ2k, CodecId::kHtj2k};
constexpr std::array<std::array<int, 2>, 9> kSizes = {
    {{1, 1}, {3, 5}, {2, 2}, {64, 64}, {17, 1}, {1, 40}, {255, 127}, {33, 31}, {130, 66}}};

const char* name(CodecId codec) {
  return codec == CodecId::kJ2k ? "j2k" : "htj2k";
}

struct Encoded {
  Bytes bytes;
  PrefixBytes prefix{};
  std::span<const uint8_t> prefix_of(int reduction) const {
    return std::span(bytes).first(prefix[static_cast<size_t>(reduction)]);
  }
};

Encoded encode_part(CodecId codec, const ImageView& frame, int x, int y, int width, int height,
                    const J2kQuality& quality) {
  Encoded out;
  out.bytes.resize(max_block_bytes(codec, width, height));
  const auto lengths =
      make_j2k_encoder(codec)->encode(frame, x, y, width, height, quality, out.bytes);
  EXPECT_TRUE(lengths) << name(codec) << " " << width << "×" << height;
  if (lengths) out.prefix = *lengths;
  out.bytes.resize(out.prefix[0]);
  return out;
}
Encoded encode_part(CodecId codec, const ImageView& frame, const J2kQuality& quality) {
  return encode_part(codec, frame, 0, 0, frame.width, frame.height, quality);
}

constexpr J2kQuality kLossless{.lossless = true};

J2kTarget target_of(int width, int height, const PictureColor& color, GuardedPixels& pixels) {
  return {.width = width, .height = height, .color = color, .pixels = pixels.target()};
}

Bytes shown(const ImageView& frame) {
  Bytes bgra(static_cast<size_t>(frame.width) * static_cast<size_t>(frame.height) * 4);
  convert_to_bgra(frame, 0, 0, frame.width, frame.height, {bgra.data(), frame.width * 4},
                  CpuLevel::kReference);
  return bgra;
}

double psnr_of(const Bytes& one, const Bytes& other) {
  double squares = 0;
  for (size_t i = 0; i < one.size(); ++i) squares += (one[i] - other[i]) * (one[i] - other[i]);
  return 10 * std::log10(255.0 * 255 * static_cast<double>(one.size()) / squares);
}

TEST(J2k, LosslessKeepsEveryFormat) {
  for (const CodecId codec : kBothCodecs) {
    for (const PixelFormat format : kAllFormats) {
      for (const auto& [width, height] : kSizes) {
        const Frame frame =
            make_frame(make_picture(Content::kPhotograph, width, height), format, 5);
        const Encoded encoded = encode_part(codec, frame.view, kLossless);
        GuardedPixels pixels(width, height);
        ASSERT_TRUE(make_j2k_decoder(codec)->decode(
            encoded.bytes, target_of(width, height, color_of(frame.view), pixels)))
            << name(codec) << " format " << static_cast<int>(format) << " " << width << "×"
            << height;
        EXPECT_TRUE(pixels.guards_untouched());
        ASSERT_EQ(pixels.pixels(), shown(frame.view))
            << name(codec) << " format " << static_cast<int>(format) << " " << width << "×"
            << height;
      }
    }
  }
}

TEST(J2k, APrefixHoldsTheReducedPicture) {
  for (const CodecId codec : kBothCodecs) {
    for (const PixelFormat format : {PixelFormat::kBgra, PixelFormat::kNv12, PixelFormat::kI422}) {
      for (const auto& [width, height] : kSizes) {
        for (const bool lossless : {true, false}) {
          const Frame frame = make_frame(make_picture(Content::kPhotograph, width, height), format);
          const Encoded encoded = encode_part(codec, frame.view, {lossless, 1.0F / 128});
          const auto decoder = make_j2k_decoder(codec);
          for (int reduction = 0; reduction <= kMaxReduction; ++reduction) {
            const int w = reduced_side(width, reduction), h = reduced_side(height, reduction);
            GuardedPixels whole(w, h), part(w, h);
            J2kTarget target = target_of(width, height, color_of(frame.view), whole);
            target.reduction = reduction;
            const std::string what = std::string(name(codec)) + " " + std::to_string(width) + "×" +
                                     std::to_string(height) + " by " + std::to_string(reduction) +
                                     " format " + std::to_string(static_cast<int>(format));
            ASSERT_TRUE(decoder->decode(encoded.bytes, target)) << what;
            target.pixels = part.target();
            ASSERT_TRUE(decoder->decode(encoded.prefix_of(reduction), target)) << what;
            EXPECT_EQ(whole.pixels(), part.pixels()) << what;
            EXPECT_TRUE(part.guards_untouched());
            if (reduction > 0) {
              EXPECT_LT(encoded.prefix[static_cast<size_t>(reduction)],
                        encoded.prefix[static_cast<size_t>(reduction) - 1]);
            }
          }
        }
      }
    }
  }
}

TEST(J2k, LosslessKeepsEveryDepth) {
  for (const CodecId codec : kBothCodecs) {
    for (const PixelFormat format : kDeepFormats) {
      for (const int bits : {9, 10, 12, 16}) {
        for (const ColorMatrix matrix : {ColorMatrix::kBt709, ColorMatrix::kBt2020}) {
          for (const auto& [width, height] : {std::array{3, 5}, std::array{161, 75}}) {
            const DeepFrame frame = make_deep_frame(format, bits, width, height, matrix);
            const Encoded encoded = encode_part(codec, frame.view, kLossless);
            GuardedPixels pixels(width, height);
            J2kTarget target = target_of(width, height, color_of(frame.view), pixels);
            target.frame_x = 13;
            target.frame_y = 6;
            ASSERT_TRUE(make_j2k_decoder(codec)->decode(encoded.bytes, target));
            EXPECT_TRUE(pixels.guards_untouched());
            ASSERT_TRUE(shows(pixels, frame.view, target.frame_x, target.frame_y))
                << name(codec) << " format " << static_cast<int>(format) << ", " << bits << " bits";
          }
        }
      }
    }
  }
}

TEST(J2k, ColourMatricesAndRanges) {
  for (const ColorMatrix matrix :
       {ColorMatrix::kBt601, ColorMatrix::kBt709, ColorMatrix::kBt2020}) {
    for (const ColorRange range : {ColorRange::kLimited, ColorRange::kFull}) {
      for (const PixelFormat format : {PixelFormat::kI444, PixelFormat::kI444Deep}) {
        const DeepFrame frame = make_deep_frame(format, 10, 70, 50, matrix, range);
        const Encoded encoded = encode_part(CodecId::kHtj2k, frame.view, kLossless);
        GuardedPixels pixels(70, 50);
        ASSERT_TRUE(make_j2k_decoder(CodecId::kHtj2k)
                        ->decode(encoded.bytes, target_of(70, 50, color_of(frame.view), pixels)));
        EXPECT_TRUE(shows(pixels, frame.view, 0, 0));
      }
    }
  }
}

TEST(J2k, DigitalCinemaIsShownInDisplayColours) {
  const DeepFrame frame = make_deep_frame(PixelFormat::kRgbDeep, 12, 96, 64, ColorMatrix::kXyz);
  for (const CodecId codec : kBothCodecs) {
    const Encoded encoded = encode_part(codec, frame.view, kLossless);
    GuardedPixels pixels(96, 64);
    ASSERT_TRUE(make_j2k_decoder(codec)->decode(encoded.bytes,
                                                target_of(96, 64, color_of(frame.view), pixels)));
    EXPECT_TRUE(shows(pixels, frame.view, 0, 0));
  }
}

// The display may change between pictures.
TEST(J2k, DigitalCinemaIsShownInTheColoursOfTheDisplay) {
  const DeepFrame frame = make_deep_frame(PixelFormat::kRgbDeep, 12, 96, 64, ColorMatrix::kXyz);
  const DisplayColor display{Primaries::kP3, 203, 2.2};
  const CinemaColor color(12, display);
  for (const CodecId codec : kBothCodecs) {
    const Encoded encoded = encode_part(codec, frame.view, kLossless);
    const auto decoder = make_j2k_decoder(codec);
    GuardedPixels pixels(96, 64);
    J2kTarget target = target_of(96, 64, color_of(frame.view), pixels);
    target.display = display;
    ASSERT_TRUE(decoder->decode(encoded.bytes, target));
    for (int x = 0; x < 96; ++x) {
      uint16_t samples[3];
      std::memcpy(samples, frame.view.planes[0] + ptrdiff_t{6} * x, sizeof samples);
      for (uint16_t& sample : samples) sample &= 4095;  // see make_deep_frame()
      const uint16_t* const xyz[3] = {&samples[0], &samples[1], &samples[2]};
      const float dither = 0.5F;
      uint8_t bgra[4];
      color.show_row(xyz, 1, &dither, bgra);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(pixels.at(x, 0)[i], bgra[i], 1) << x;
    }
    ASSERT_TRUE(decoder->decode(encoded.bytes, target_of(96, 64, color_of(frame.view), pixels)));
    EXPECT_TRUE(shows(pixels, frame.view, 0, 0));
  }
}

TEST(J2k, BlocksOfAFrameAreDitheredAsOne) {
  const DeepFrame frame = make_deep_frame(PixelFormat::kI420Deep, 10, 128, 64);
  GuardedPixels pixels(128, 64);
  const auto decoder = make_j2k_decoder(CodecId::kHtj2k);
  for (const int x : {0, 36, 70}) {
    for (const int y : {0, 22}) {
      const int width = (x == 0 ? 36 : x == 36 ? 70 : 128) - x, height = (y == 0 ? 22 : 64) - y;
      const Encoded encoded =
          encode_part(CodecId::kHtj2k, frame.view, x, y, width, height, kLossless);
      J2kTarget target = target_of(width, height, color_of(frame.view), pixels);
      target.frame_x = x;
      target.frame_y = y;
      target.pixels.pixels += target.pixels.stride * y + ptrdiff_t{4} * x;
      ASSERT_TRUE(decoder->decode(encoded.bytes, target));
    }
  }
  EXPECT_TRUE(shows(pixels, frame.view, 0, 0));
}

TEST(J2k, LossyQualityFollowsTheStep) {
  const Picture picture = make_picture(Content::kPhotograph, 256, 192);
  for (const CodecId codec : kBothCodecs) {
    for (const PixelFormat format : {PixelFormat::kBgra, PixelFormat::kI420}) {
      const Frame frame = make_frame(picture, format);
      double last = 99;
      size_t last_bytes = SIZE_MAX;
      for (const float step : {1.0F / 128, 1.0F / 64, 1.0F / 16}) {
        const Encoded encoded = encode_part(codec, frame.view, {.step = step});
        GuardedPixels pixels(256, 192);
        ASSERT_TRUE(make_j2k_decoder(codec)->decode(
            encoded.bytes, target_of(256, 192, color_of(frame.view), pixels)));
        const double found = psnr_of(pixels.pixels(), shown(frame.view));
        EXPECT_LT(found, last);
        EXPECT_LT(encoded.bytes.size(), last_bytes);
        // Error of a uniform quantiser, plus a margin for the coders' weighting.
        EXPECT_GT(found, 10.8 - 20 * std::log10(step) - 8) << name(codec) << " " << step;
        last = found;
        last_bytes = encoded.bytes.size();
      }
    }
  }
}

// The smallest bands have only one or two rows or columns.
TEST(J2k, LossyIsRightAtEverySize) {
  const auto encoder = make_j2k_encoder(CodecId::kHtj2k);
  const auto decoder = make_j2k_decoder(CodecId::kHtj2k);
  const auto check = [&](int width, int height) {
    const Frame frame =
        make_frame(make_picture(Content::kGradient, width, height), PixelFormat::kI420);
    Bytes bytes(max_block_bytes(CodecId::kHtj2k, width, height));
    const auto lengths =
        encoder->encode(frame.view, 0, 0, width, height, {.step = 1.0F / 256}, bytes);
    ASSERT_TRUE(lengths);
    GuardedPixels pixels(width, height);
    ASSERT_TRUE(decoder->decode(std::span(bytes).first((*lengths)[0]),
                                target_of(width, height, color_of(frame.view), pixels)));
    EXPECT_GT(psnr_of(pixels.pixels(), shown(frame.view)), 38) << width << "×" << height;
  };
  for (int side = 1; side <= 140; ++side) {
    check(76, side);
    check(side, 76);
    check(side, side);
  }
}

TEST(J2k, AReducedPictureIsNearTheMeans) {
  const Frame frame = make_frame(make_picture(Content::kPhotograph, 256, 128), PixelFormat::kRgb);
  for (const CodecId codec : kBothCodecs) {
    const Encoded encoded = encode_part(codec, frame.view, {.step = 1.0F / 256});
    GuardedPixels half(128, 64), means(128, 64);
    J2kTarget target = target_of(256, 128, color_of(frame.view), half);
    target.reduction = 1;
    ASSERT_TRUE(make_j2k_decoder(codec)->decode(encoded.prefix_of(1), target));
    reduce_to_bgra(frame.view, 1, 0, 0, 128, 64, means.target(), CpuLevel::kReference);
    EXPECT_GT(psnr_of(half.pixels(), means.pixels()), 20) << name(codec);
  }
}

TEST(J2k, WhatDoesNotFitIsRefusedAndNothingWritten) {
  const Frame frame = make_frame(make_picture(Content::kPhotograph, 96, 64), PixelFormat::kI420);
  for (const CodecId codec : kBothCodecs) {
    const Encoded encoded = encode_part(codec, frame.view, {.step = 1.0F / 64});
    const auto decoder = make_j2k_decoder(codec);
    GuardedPixels pixels(96, 64);
    const Bytes before = pixels.pixels();
    const J2kTarget good = target_of(96, 64, color_of(frame.view), pixels);
    const auto refuses = [&](std::span<const uint8_t> bytes, const J2kTarget& target) {
      return !decoder->decode(bytes, target) && pixels.pixels() == before;
    };
    J2kTarget target = good;
    target.width = 95;
    EXPECT_TRUE(refuses(encoded.bytes, target));
    target = good;
    target.reduction = 6;
    EXPECT_TRUE(refuses(encoded.bytes, target));
    target.reduction = -1;
    EXPECT_TRUE(refuses(encoded.bytes, target));
    target = good;
    target.color.matrix = ColorMatrix::kRgb;  // chroma is subsampled
    EXPECT_TRUE(refuses(encoded.bytes, target));
    EXPECT_TRUE(refuses(encoded.prefix_of(1), good)) << "a prefix of less";
    EXPECT_TRUE(refuses({}, good));
    for (size_t length = 1; length < encoded.bytes.size() - 2; length += 7) {
      EXPECT_TRUE(refuses(std::span(encoded.bytes).first(length), good)) << length;
    }
    EXPECT_TRUE(decoder->decode(encoded.bytes, good)) << "and goes on after all that";
  }
}

TEST(J2k, RoomThatIsTooSmallIsAFailure) {
  const Frame frame = make_frame(make_picture(Content::kNoise, 96, 64), PixelFormat::kBgra);
  for (const CodecId codec : kBothCodecs) {
    const auto encoder = make_j2k_encoder(codec);
    Bytes out(max_block_bytes(codec, 96, 64));
    for (const size_t room : {size_t{0}, size_t{10}, size_t{200}, size_t{5000}}) {
      EXPECT_FALSE(
          encoder->encode(frame.view, 0, 0, 96, 64, kLossless, std::span(out).first(room)));
    }
    EXPECT_TRUE(encoder->encode(frame.view, 0, 0, 96, 64, kLossless, out));
  }
}

TEST(J2k, NoiseFitsIntoMaxBlockBytes) {
  for (const auto& [width, height] : kSizes) {
    DeepFrame frame = make_deep_frame(PixelFormat::kRgbDeep, 16, width, height);
    std::minstd_rand random(5);
    for (uint8_t& byte : frame.planes[0]) byte = static_cast<uint8_t>(random() >> 8);
    for (const CodecId codec : kBothCodecs) encode_part(codec, frame.view, kLossless);
  }
}

}  // namespace
}  // namespace codecs::test
