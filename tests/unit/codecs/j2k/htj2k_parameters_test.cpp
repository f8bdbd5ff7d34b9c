// High throughput with random parameters: size, depth, sampling, levels, code-block, J2K tile,
// precinct and order. OpenJPEG is the reference decoder: OpenJPH 0.9 transforms some of the
// smallest bands wrongly, so its codestreams are legal, but show another picture.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "codecs/j2k/j2k.h"
#include "codecs/picture/block_encoder.h"
#include "tests/unit/codecs/color/pictures.h"
#include "tests/unit/codecs/htj2k/openjph_peer.h"
#include "tests/unit/codecs/j2k/htj2k_streams.h"

namespace codecs::test {
namespace {

class RandomCoding {
 public:
  explicit RandomCoding(unsigned seed) : random_(seed) {}

  // A random size from 1 to `most`, small and large ones equally likely.
  int side(int most) {
    const double log = std::log2(most + 1) * uniform_(random_);
    return std::min(static_cast<int>(std::exp2(log)), most);
  }
  OpenJphCoding coding(int width, int height) {
    constexpr const char* kOrders[] = {"LRCP", "RLCP", "RPCL", "PCRL", "CPRL"};
    OpenJphCoding coding{.levels = below(7), .order = kOrders[below(5)]};
    const int width_log2 = 2 + below(9);
    coding.block_width = 1 << width_log2;
    coding.block_height = 4 << below(std::min(9, 11 - width_log2));
    if (below(3) == 0) {
      coding.tile_width = std::max(side(width), (width + 7) / 8);
      coding.tile_height = std::max(side(height), (height + 7) / 8);
    }
    if (below(2) == 0) {
      coding.precincts.resize(static_cast<size_t>(1 + below(coding.levels + 1)));
      for (auto& [across, down] : coding.precincts) {
        across = 16 << below(5);
        down = 16 << below(5);
      }
    }
    return coding;
  }
  DeepFrame frame(int most_side) {
    const int width = side(most_side), height = side(most_side);
    if (below(2) == 0) {
      return make_deep_frame(kDeepFormats[below(std::size(kDeepFormats))], 9 + below(8), width,
                             height, ColorMatrix::kBt709, ColorRange::kFull);
    }
    const Content content = kAllContents[below(std::size(kAllContents))];
    Frame frame = make_frame(make_picture(content, width, height),
                             kAllFormats[below(std::size(kAllFormats))]);
    DeepFrame moved;
    moved.view = frame.view;
    for (int i = 0; i < 3; ++i) {
      moved.planes[i] = std::move(frame.planes[i]);
      moved.view.planes[i] = moved.planes[i].data();
    }
    return moved;
  }
  int below(size_t end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

 private:
  std::mt19937 random_;
  std::uniform_real_distribution<double> uniform_{0, 1};
};

std::string what(const ImageView& frame, const OpenJphCoding& coding) {
  std::string text = std::to_string(frame.width) + "×" + std::to_string(frame.height) + " format " +
                     std::to_string(static_cast<int>(frame.format)) + ", " +
                     std::to_string(frame.bits) + " bits, " + std::to_string(coding.levels) +
                     " levels, blocks of " + std::to_string(coding.block_width) + "×" +
                     std::to_string(coding.block_height) + ", " + coding.order + ", tiles of " +
                     std::to_string(coding.tile_width) + "×" + std::to_string(coding.tile_height);
  for (const auto& [across, down] : coding.precincts)
    text += ", precincts of " + std::to_string(across) + "×" + std::to_string(down);
  return text;
}

// Returns empty bytes if the encoder fails.
Bytes encode_whole(J2kEncoder& encoder, const ImageView& frame, const J2kQuality& quality) {
  // Tiles and precincts of a few samples have headers as large as their data.
  constexpr size_t kHeaders = 1 << 20;
  Bytes out(max_block_bytes(CodecId::kHtj2k, frame.width, frame.height) + kHeaders);
  const auto prefix = encoder.encode(frame, 0, 0, frame.width, frame.height, quality, out);
  out.resize(prefix ? prefix->front() : 0);
  return out;
}

// An error of one in a sample becomes larger in the colours.
int most_off(const ImageView& frame) {
  return color_of(frame).matrix == ColorMatrix::kRgb ? 1 : 3;
}

TEST(Htj2kParameters, WhatOpenJphWritesShowsWhatOpenJpegShows) {
  RandomCoding random(1);
  const auto theirs = make_openjpeg_decoder();
  const auto levels = available_levels();
  int read = 0;
  constexpr int kTries = 160;
  for (int i = 0; i < kTries; ++i) {
    const DeepFrame frame = random.frame(600);
    const OpenJphCoding coding = random.coding(frame.view.width, frame.view.height);
    SCOPED_TRACE(what(frame.view, coding));
    const bool lossless = i % 2 == 0;
    const Bytes bytes = encode_whole(*make_openjph_encoder(coding), frame.view,
                                     {.lossless = lossless, .step = 1.0F / 200});
    ASSERT_FALSE(bytes.empty());
    const Bytes shown = decode(*theirs, bytes, frame.view);
    const Bytes ours = decode(*make_htj2k_decoder(levels[static_cast<size_t>(i) % levels.size()]),
                              bytes, frame.view);
    if (shown.empty() && ours.empty()) continue;  // beyond the limits of both
    ++read;
    EXPECT_LE(greatest_difference(ours, shown), lossless ? 0 : most_off(frame.view));
  }
  EXPECT_GT(read, kTries * 9 / 10);
}

TEST(Htj2kParameters, WhatIsEncodedLosslessComesBack) {
  RandomCoding random(2);
  const auto theirs = make_openjpeg_decoder();
  const auto levels = available_levels();
  for (int i = 0; i < 60; ++i) {
    const DeepFrame frame = random.frame(600);
    SCOPED_TRACE(what(frame.view, {}));
    const CpuLevel cpu = levels[static_cast<size_t>(i) % levels.size()];
    const Bytes bytes = encode_whole(*make_htj2k_encoder(cpu), frame.view, {.lossless = true});
    const Bytes ours = decode(*make_htj2k_decoder(cpu), bytes, frame.view);
    ASSERT_FALSE(ours.empty());
    EXPECT_EQ(ours, decode(*theirs, bytes, frame.view));
  }
}

// Compares the PSNR with OpenJPH's codestream of the same size.
TEST(Htj2kParameters, LossyIsAsGoodAsOpenJphsOfAsManyBytes) {
  // OpenJPH 0.9 writes one tile-part.
  constexpr size_t kTilePartHeaders = 14 * kJ2kLevels;
  RandomCoding random(3);
  const auto decoder = make_openjph_decoder();
  const auto ours = make_htj2k_encoder(detect_cpu());
  const auto theirs = make_openjph_encoder();
  const auto squares = [](const Bytes& one, const Bytes& other) {
    double sum = 0;
    for (size_t i = 0; i < one.size(); ++i) sum += (one[i] - other[i]) * (one[i] - other[i]);
    return sum;
  };
  for (int i = 0; i < 24; ++i) {
    const int width = 200 + random.below(400), height = 150 + random.below(450);
    const PixelFormat formats[] = {PixelFormat::kRgbDeep, PixelFormat::kI420Deep,
                                   PixelFormat::kI444};
    const DeepFrame frame = make_deep_frame(formats[i % 3], i % 2 == 0 ? 10 : 12, width, height);
    const float step = 1.0F / static_cast<float>(40 << random.below(3));
    SCOPED_TRACE(testing::Message() << what(frame.view, {}) << ", step " << step);
    const Bytes truth =
        decode(*decoder, encode_whole(*ours, frame.view, {.lossless = true}), frame.view);
    const Bytes other = encode_whole(*theirs, frame.view, {.step = step});
    const size_t room = other.size() + kTilePartHeaders;
    Bytes one;
    float fine = step / 2, coarse = step * 2;
    for (int turn = 0; turn < 14; ++turn) {
      const float middle = std::sqrt(fine * coarse);
      const Bytes tried = encode_whole(*ours, frame.view, {.step = middle});
      (tried.size() > room ? fine : coarse) = middle;
      if (tried.size() <= room) one = tried;
    }
    ASSERT_FALSE(one.empty());
    const double more_db = 10 * std::log10(squares(decode(*decoder, other, frame.view), truth) /
                                           squares(decode(*decoder, one, frame.view), truth));
    EXPECT_GT(more_db, -0.05);
  }
}

}  // namespace
}  // namespace codecs::test
