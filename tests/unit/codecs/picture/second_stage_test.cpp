#include "codecs/picture/second_stage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "codecs/dxt/dxt.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

constexpr Compression kStages[] = {Compression::kLz4, Compression::kZstd};

// One encoded block as sent to the wall.
Bytes pixel_block(Content content, uint32_t seed = 1) {
  const Frame frame = make_frame(make_picture(content, 128, 64, seed), PixelFormat::kBgra);
  Bytes blocks(dxt_bytes(CodecId::kDxt1, 128, 64));
  dxt_encode(CodecId::kDxt1, frame.view, 0, 0, 128, 64, DxtMode::kGood, blocks.data(),
             detect_cpu());
  return blocks;
}

// Returns exactly the compressed bytes, so that reads beyond them are detected; empty if not
// smaller.
Bytes compress(SecondStage& stage, const Bytes& in) {
  Bytes out(in.size());
  out.resize(stage.compress(in, out));
  out.shrink_to_fit();
  return out;
}

TEST(SecondStage, NoneIsNoObject) {
  EXPECT_EQ(make_second_stage(Compression::kNone), nullptr);
}

TEST(SecondStage, ComesBackAsItWas) {
  for (const Compression compression : kStages) {
    const auto stage = make_second_stage(compression);
    for (const Content content :
         {Content::kFlat, Content::kGradient, Content::kTwoColours, Content::kText}) {
      const Bytes in = pixel_block(content);
      const Bytes small = compress(*stage, in);
      ASSERT_FALSE(small.empty()) << content_name(content);
      ASSERT_LT(small.size(), in.size());
      Bytes out(in.size());
      EXPECT_TRUE(stage->decompress(small, out));
      EXPECT_EQ(out, in) << content_name(content);
    }
  }
}

TEST(SecondStage, WhatIsNotSmallerIsRefused) {
  for (const Compression compression : kStages) {
    const auto stage = make_second_stage(compression);
    const Bytes noise = make_picture(Content::kNoise, 64, 32).rgb;
    EXPECT_TRUE(compress(*stage, noise).empty());
    EXPECT_TRUE(compress(*stage, Bytes{}).empty());
    EXPECT_TRUE(compress(*stage, Bytes{7}).empty());
    // Never writes beyond the given room, however compressible the data is.
    Bytes guarded(4096, 0xcc);
    const Bytes zeros(4096, 0);
    EXPECT_EQ(stage->compress(zeros, std::span(guarded).first(4)), 0U);
    EXPECT_TRUE(
        std::all_of(guarded.begin() + 4, guarded.end(), [](uint8_t b) { return b == 0xcc; }));
  }
}

TEST(SecondStage, OnlyTheExactSizeIsTaken) {
  for (const Compression compression : kStages) {
    const auto stage = make_second_stage(compression);
    const Bytes in = pixel_block(Content::kText);
    const Bytes small = compress(*stage, in);
    for (const size_t size : {size_t{0}, size_t{1}, in.size() - 1, in.size() + 1, in.size() * 2}) {
      Bytes out(size);
      EXPECT_FALSE(stage->decompress(small, out)) << size;
    }
    Bytes out(in.size());
    EXPECT_FALSE(stage->decompress({}, out));
    EXPECT_TRUE(stage->decompress(small, out)) << "works on after refusals";
    EXPECT_EQ(out, in);
  }
}

TEST(SecondStage, DamagedBytesAreRefusedOrGiveOtherBytes) {
  for (const Compression compression : kStages) {
    const auto stage = make_second_stage(compression);
    const Bytes in = pixel_block(Content::kText);
    const Bytes small = compress(*stage, in);
    for (size_t cut = 0; cut < small.size(); cut += 1 + cut / 7) {
      const Bytes begin(small.begin(), small.begin() + static_cast<ptrdiff_t>(cut));
      Bytes out(in.size());
      EXPECT_FALSE(stage->decompress(begin, out)) << cut;
    }
    for (size_t i = 0; i < small.size(); i += 3) {
      Bytes damaged = small;
      damaged[i] ^= 0x41;
      Bytes out(in.size());
      stage->decompress(damaged, out);  // any result is fine, but it must stay within its buffers
    }
  }
}

TEST(SecondStage, TwoZstdFramesAreNotOne) {
  const auto stage = make_second_stage(Compression::kZstd);
  const Bytes half(1000, 3);
  Bytes twice = compress(*stage, half);
  twice.insert(twice.end(), twice.begin(), twice.begin() + static_cast<ptrdiff_t>(twice.size()));
  Bytes out(2000);
  EXPECT_FALSE(stage->decompress(twice, out));
}

// One object for blocks of all sizes, the largest last.
TEST(SecondStage, AnObjectServesManyBlocks) {
  for (const Compression compression : kStages) {
    const auto stage = make_second_stage(compression);
    for (uint32_t round = 0; round < 20; ++round) {
      const Bytes in(64U << (round / 2), static_cast<uint8_t>(round));
      const Bytes small = compress(*stage, in);
      ASSERT_FALSE(small.empty());
      Bytes out(in.size());
      ASSERT_TRUE(stage->decompress(small, out));
      EXPECT_EQ(out, in);
    }
  }
}

}  // namespace
}  // namespace codecs::test
