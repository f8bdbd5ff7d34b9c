// This project's high-throughput coder against OpenJPH and OpenJPEG, at every CPU level.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "codecs/ht/ht_block.h"
#include "codecs/j2k/j2k.h"
#include "codecs/j2k/j2k_header.h"
#include "codecs/picture/block_encoder.h"
#include "tests/unit/codecs/color/pictures.h"
#include "tests/unit/codecs/htj2k/openjph_peer.h"
#include "tests/unit/codecs/j2k/htj2k_streams.h"

namespace codecs::test {
namespace {

using MakeDecoder = std::unique_ptr<J2kDecoder> (*)();

Bytes encode(J2kEncoder& encoder, const ImageView& frame, const J2kQuality& quality) {
  Bytes out(max_block_bytes(CodecId::kHtj2k, frame.width, frame.height));
  const auto prefix = encoder.encode(frame, 0, 0, frame.width, frame.height, quality, out);
  EXPECT_TRUE(prefix) << frame.width << "×" << frame.height;
  out.resize(prefix ? prefix->front() : 0);
  return out;
}

std::string what(const ImageView& frame) {
  return std::to_string(frame.width) + "×" + std::to_string(frame.height) + " format " +
         std::to_string(static_cast<int>(frame.format));
}

// Sizes that OpenJPH 0.9 also codes correctly.
struct RandomFrames {
  template <class Visit>
  static void visit_all(int count, int least, Visit visit) {
    std::mt19937 random(11);
    const auto side = [&] { return least + static_cast<int>(random() % 330); };
    for (int i = 0; i < count; ++i) {
      const Content content = kAllContents[i % static_cast<int>(std::size(kAllContents))];
      const PixelFormat format = kAllFormats[random() % std::size(kAllFormats)];
      const int width = side(), height = side();
      visit(make_frame(make_picture(content, width, height), format));
    }
  }
};

TEST(Htj2k, WhatIsEncodedLosslessComesBackEverywhere) {
  const auto openjph = make_openjph_decoder();
  const auto openjpeg = make_openjpeg_decoder();
  for (const CpuLevel cpu : available_levels()) {
    const auto encoder = make_htj2k_encoder(cpu);
    const auto decoder = make_htj2k_decoder(cpu);
    RandomFrames::visit_all(40, 33, [&](const Frame& frame) {
      SCOPED_TRACE(what(frame.view));
      const Bytes bytes = encode(*encoder, frame.view, {.lossless = true});
      const Bytes theirs = decode(*openjph, bytes, frame.view);
      EXPECT_FALSE(theirs.empty());
      for (int reduction = 0; reduction <= kMaxReduction; ++reduction) {
        EXPECT_EQ(decode(*decoder, bytes, frame.view, reduction),
                  decode(*openjph, bytes, frame.view, reduction));
      }
      EXPECT_EQ(decode(*openjpeg, bytes, frame.view), theirs);
    });
  }
}

TEST(Htj2k, EverySizeComesBack) {
  const auto encoder = make_htj2k_encoder(detect_cpu());
  const auto decoder = make_htj2k_decoder(detect_cpu());
  const auto openjpeg = make_openjpeg_decoder();
  for (int width = 1; width < 40; width += 3) {
    for (int height = 1; height < 40; ++height) {
      const Frame frame = make_frame(make_picture(Content::kPhotograph, width, height),
                                     height % 2 == 0 ? PixelFormat::kI420 : PixelFormat::kRgb);
      SCOPED_TRACE(what(frame.view));
      const Bytes bytes = encode(*encoder, frame.view, {.lossless = true});
      const Bytes ours = decode(*decoder, bytes, frame.view);
      EXPECT_FALSE(ours.empty());
      EXPECT_EQ(ours, decode(*openjpeg, bytes, frame.view));
    }
  }
}

TEST(Htj2k, WhatOpenJphWritesIsReadAlike) {
  const auto encoder = make_openjph_encoder();
  const auto theirs = make_openjph_decoder();
  for (const CpuLevel cpu : available_levels()) {
    const auto ours = make_htj2k_decoder(cpu);
    RandomFrames::visit_all(40, 70, [&](const Frame& frame) {
      SCOPED_TRACE(what(frame.view));
      const Bytes lossless = encode(*encoder, frame.view, {.lossless = true});
      EXPECT_EQ(decode(*ours, lossless, frame.view), decode(*theirs, lossless, frame.view));
      const Bytes lossy = encode(*encoder, frame.view, {.step = 1.0F / 100});
      // An error of one in a sample becomes larger in the colours.
      const int most = color_of(frame.view).matrix == ColorMatrix::kRgb ? 1 : 3;
      for (int reduction = 0; reduction <= kMaxReduction; ++reduction) {
        EXPECT_LE(greatest_difference(decode(*ours, lossy, frame.view, reduction),
                                      decode(*theirs, lossy, frame.view, reduction)),
                  most);
      }
    });
  }
}

TEST(Htj2k, DeepSamplesComeBack) {
  const auto theirs = make_openjph_decoder();
  for (const CpuLevel cpu : available_levels()) {
    const auto encoder = make_htj2k_encoder(cpu);
    const auto ours = make_htj2k_decoder(cpu);
    for (const PixelFormat format : kDeepFormats) {
      for (const int bits : {9, 10, 12, 16}) {
        const DeepFrame frame = make_deep_frame(format, bits, 161, 75);
        SCOPED_TRACE(what(frame.view));
        const Bytes lossless = encode(*encoder, frame.view, {.lossless = true});
        const Bytes pixels = decode(*ours, lossless, frame.view);
        EXPECT_FALSE(pixels.empty());
        EXPECT_EQ(pixels, decode(*theirs, lossless, frame.view));
        const Bytes lossy = encode(*encoder, frame.view, {.step = 1.0F / 3000});
        EXPECT_LE(greatest_difference(decode(*ours, lossy, frame.view),
                                      decode(*theirs, lossy, frame.view)),
                  1);
      }
    }
  }
}

TEST(Htj2k, LossyIsAsGoodAsOpenJphs) {
  const auto theirs = make_openjph_encoder();
  const auto decoder = make_openjph_decoder();
  const auto squares = [](const Bytes& one, const Bytes& other) {
    double sum = 0;
    for (size_t i = 0; i < one.size(); ++i) sum += (one[i] - other[i]) * (one[i] - other[i]);
    return sum;
  };
  for (const CpuLevel cpu : available_levels()) {
    const auto ours = make_htj2k_encoder(cpu);
    for (const PixelFormat format : {PixelFormat::kBgra, PixelFormat::kI420}) {
      const Frame frame = make_frame(make_picture(Content::kPhotograph, 480, 240), format);
      const Bytes lossless = encode(*ours, frame.view, {.lossless = true});
      const Bytes truth = decode(*decoder, lossless, frame.view);
      for (const float step : {1.0F / 300, 1.0F / 100, 1.0F / 30}) {
        const Bytes one = encode(*ours, frame.view, {.step = step});
        const Bytes other = encode(*theirs, frame.view, {.step = step});
        // OpenJPH 0.9 writes one tile-part.
        constexpr double kTilePartHeaders = 14 * kJ2kLevels;
        EXPECT_LE(static_cast<double>(one.size()),
                  static_cast<double>(other.size()) * 1.001 + kTilePartHeaders);
        EXPECT_LE(squares(decode(*decoder, one, frame.view), truth),
                  squares(decode(*decoder, other, frame.view), truth) * 1.01);
      }
    }
  }
}

// A smooth film at a high rate.
TEST(Htj2k, TheFinestStepsKeepToSamplesOf16Bits) {
  const auto coder = make_htj2k_encoder(detect_cpu());
  const auto decoder = make_htj2k_decoder(detect_cpu());
  for (const PixelFormat format : {PixelFormat::kBgra, PixelFormat::kI420}) {
    const Frame frame = make_frame(make_picture(Content::kGradient, 480, 216), format);
    const Bytes truth =
        decode(*decoder, encode(*coder, frame.view, {.lossless = true}), frame.view);
    const Bytes fine = encode(*coder, frame.view, {.step = 1.0F / 1024});
    const auto header = read_j2k_main_header(fine);
    ASSERT_TRUE(header);
    for (const BandKind kind : {kLowLow, kHighLow, kLowHigh, kHighHigh}) {
      for (int r = kind == kLowLow ? 0 : 1; r <= (kind == kLowLow ? 0 : header->shape.levels); ++r)
        EXPECT_LE(header->coding.planes(0, r, kind), kHtMostPlanes16);
    }
    const Bytes shown = decode(*decoder, fine, frame.view);
    double squares = 0;
    for (size_t i = 0; i < truth.size(); ++i)
      squares += (shown[i] - truth[i]) * (shown[i] - truth[i]);
    // 54 dB
    EXPECT_LE(squares / static_cast<double>(truth.size()), 0.25);
  }
}

TEST(Htj2k, EveryLevelWritesTheSameBytes) {
  const auto reference = make_htj2k_encoder(CpuLevel::kReference);
  RandomFrames::visit_all(12, 20, [&](const Frame& frame) {
    for (const J2kQuality quality : {J2kQuality{.lossless = true}, J2kQuality{.step = 0.01F}}) {
      const Bytes expected = encode(*reference, frame.view, quality);
      for (const CpuLevel cpu : available_levels()) {
        EXPECT_EQ(encode(*make_htj2k_encoder(cpu), frame.view, quality), expected)
            << what(frame.view) << " " << cpu_level_name(cpu);
      }
    }
  });
}

}  // namespace
}  // namespace codecs::test
