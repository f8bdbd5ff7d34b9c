// JPEG 2000 through both libraries.
#include "codecs/j2k.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "codecs/block_encoder.h"
#include "codecs/convert.h"
#include "tests/unit/codecs/deep_pictures.h"
#include "tests/unit/codecs/pictures.h"

namespace codecs::test {
namespace {

constexpr CodecId kCodecs[] = {CodecId::kJ2k, CodecId::kHtj2k};
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

Encoded encode(CodecId codec, const ImageView& frame, int x, int y, int width, int height,
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
Encoded encode(CodecId codec, const ImageView& frame, const J2kQuality& quality) {
  return encode(codec, frame, 0, 0, frame.width, frame.height, quality);
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

TEST(J2k, LosslessKeepsEveryFormat) {
  for (const CodecId codec : kCodecs) {
    for (const PixelFormat format : kAllFormats) {
      for (const auto& [width, height] : kSizes) {
        const Frame frame =
            make_frame(make_picture(Content::kPhotograph, width, height), format, 5);
        const Encoded encoded = encode(codec, frame.view, kLossless);
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
  for (const CodecId codec : kCodecs) {
    for (const PixelFormat format : {PixelFormat::kBgra, PixelFormat::kNv12, PixelFormat::kI422}) {
      for (const auto& [width, height] : kSizes) {
        for (const bool lossless : {true, false}) {
          const Frame frame = make_frame(make_picture(Content::kPhotograph, width, height), format);
          const Encoded encoded = encode(codec, frame.view, {lossless, 1.0F / 128});
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
  for (const CodecId codec : kCodecs) {
    for (const PixelFormat format : kDeepFormats) {
      for (const int bits : {9, 10, 12, 16}) {
        for (const ColorMatrix matrix : {ColorMatrix::kBt709, ColorMatrix::kBt2020}) {
          for (const auto& [width, height] : {std::array{3, 5}, std::array{161, 75}}) {
            const DeepFrame frame = make_deep_frame(format, bits, width, height, matrix);
            const Encoded encoded = encode(codec, frame.view, kLossless);
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

}  // namespace
}  // namespace codecs::test
