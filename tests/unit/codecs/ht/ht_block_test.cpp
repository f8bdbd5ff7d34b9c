// The HT block coder alone: lossless round trips, identical bytes and samples at every CPU level.
#include "codecs/ht/ht_block.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <random>
#include <vector>

#include "codecs/simd/kernels.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

struct Side {
  int width;
  int height;
};
constexpr Side kSides[] = {{1, 1},  {1, 5},    {2, 2},    {3, 3},    {4, 4},    {5, 7},   {7, 64},
                           {8, 2},  {16, 16},  {17, 1},   {31, 33},  {63, 9},   {64, 64}, {61, 50},
                           {64, 1}, {32, 128}, {1024, 4}, {4, 1024}, {1023, 3}, {256, 16}};

// Samples of up to `bits` bits; a larger `sparseness` gives more zeros.
template <class Sample>
std::vector<Sample> make_samples(const Side& side, int bits, unsigned sparseness, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Sample> samples(static_cast<size_t>(side.width) * static_cast<size_t>(side.height));
  for (Sample& sample : samples) {
    if (random() % (sparseness + 1) != 0) continue;
    const auto magnitude = static_cast<int64_t>((random() & ((uint32_t{1} << bits) - 1)) >>
                                                random() % static_cast<unsigned>(bits));
    sample = static_cast<Sample>(random() % 2 == 0 ? magnitude : -magnitude);
  }
  return samples;
}

template <class Sample>
std::vector<uint8_t> encode(const Side& side, const std::vector<Sample>& samples) {
  std::vector<uint8_t> out(kHtMostCleanupBytes);
  const HtBlock<const Sample> block{samples.data(), side.width, side.width, side.height};
  out.resize(reference::ht_encode(block, out.data()));
  return out;
}

template <class Sample>
void expect_round_trip(const Side& side, int bits, unsigned sparseness, unsigned seed) {
  SCOPED_TRACE(testing::Message() << side.width << "×" << side.height << ", " << bits
                                  << " bits, sparseness " << sparseness);
  const auto samples = make_samples<Sample>(side, bits, sparseness, seed);
  const auto bytes = encode(side, samples);
  std::vector<Sample> halves(samples.size());
  if (!bytes.empty()) {
    const HtCodedBlock coded{.cleanup = bytes, .planes = bits, .zero_planes = bits - 1};
    ASSERT_TRUE(reference::ht_decode(
        coded, HtBlock<Sample>{halves.data(), side.width, side.width, side.height}));
  }
  for (size_t i = 0; i < samples.size(); ++i) {
    const int64_t sample = samples[i];
    const int64_t expected = sample == 0 ? 0 : sample > 0 ? 2 * sample + 1 : 2 * sample - 1;
    ASSERT_EQ(halves[i], expected) << "sample " << i;
  }
}

TEST(HtBlock, WhatIsEncodedComesBack) {
  unsigned seed = 0;
  for (const Side& side : kSides) {
    for (const unsigned sparseness : {0U, 3U, 40U, 5000U}) {
      for (const int bits : {1, 2, 5, 10, 14}) {
        expect_round_trip<int16_t>(side, bits, sparseness, ++seed);
        expect_round_trip<int32_t>(side, bits, sparseness, ++seed);
      }
      for (const int bits : {15, 20, 30}) {
        expect_round_trip<int32_t>(side, bits, sparseness, ++seed);
      }
    }
  }
}

// Calls check(kernels, side, bits, samples) at all CPU levels for blocks of many kinds.
template <typename Check>
void check_levels(unsigned first_seed, const Check& check) {
  for (const CpuLevel cpu : available_levels()) {
    unsigned seed = first_seed;
    for (const Side& side : kSides) {
      for (const unsigned sparseness : {0U, 1U, 5U, 30U, 300U}) {
        for (const int bits : {1, 3, 7, 11, 14}) {
          SCOPED_TRACE(testing::Message()
                       << cpu_level_name(cpu) << ", " << side.width << "×" << side.height << ", "
                       << bits << " bits, sparseness " << sparseness);
          check(*kernels_for(cpu).ht, side, bits,
                make_samples<int16_t>(side, bits, sparseness, ++seed));
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(HtBlock, EveryLevelWritesTheSameBytes) {
  check_levels(100, [](const HtKernels& kernels, const Side& side, int, const auto& samples) {
    const auto expected = encode(side, samples);
    std::vector<uint8_t> bytes(kHtMostCleanupBytes);
    bytes.resize(
        kernels.encode16({samples.data(), side.width, side.width, side.height}, bytes.data()));
    ASSERT_EQ(bytes, expected);
  });
}

// Noise after the data: broken bytes give the same result at every CPU level.
TEST(HtBlock, EveryLevelReadsTheSameSamples) {
  std::mt19937 random(3);
  check_levels(200, [&](const HtKernels& kernels, const Side& side, int bits, const auto& samples) {
    auto bytes = encode(side, samples);
    std::vector<int16_t> expected(samples.size()), halves(samples.size());
    const auto run = [&](auto decode, std::vector<int16_t>& to, int more, int passes) {
      const HtCodedBlock coded{.cleanup = bytes,
                               .refinement = bytes,
                               .passes = passes,
                               .planes = std::min(bits + more, 14),
                               .zero_planes = bits - 1};
      return decode(coded, {to.data(), side.width, side.width, side.height});
    };
    using Decode = bool (*)(const HtCodedBlock&, const HtBlock<int16_t>&);
    const Decode reference = reference::ht_decode;
    for (int i = 0; i < 20; ++i) {
      const int more = i % 3, passes = 1 + i % 3;
      const bool good = run(reference, expected, more, passes);
      ASSERT_EQ(run(kernels.decode16, halves, more, passes), good) << i;
      if (good) {
        ASSERT_EQ(halves, expected) << i;
      }
      if (bytes.empty()) break;
      bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    }
  });
}

TEST(HtBlock, NothingIsNoBytes) {
  EXPECT_TRUE(encode(Side{64, 64}, std::vector<int16_t>(4096)).empty());
}

TEST(HtBlock, BrokenBytesDoNoHarm) {
  std::mt19937 random(7);
  const Side side{33, 21};
  auto bytes = encode(side, make_samples<int16_t>(side, 9, 2, 5));
  std::vector<int16_t> halves(static_cast<size_t>(side.width * side.height));
  const HtBlock<int16_t> block{halves.data(), side.width, side.width, side.height};
  for (size_t size = 0; size <= bytes.size(); ++size) {
    const std::vector<uint8_t> part(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size));
    reference::ht_decode({.cleanup = part, .planes = 9, .zero_planes = 8}, block);
  }
  for (int i = 0; i < 2000; ++i) {
    std::vector<uint8_t> broken = bytes;
    for (int n = 0; n < 3; ++n) broken[random() % broken.size()] = static_cast<uint8_t>(random());
    reference::ht_decode({.cleanup = broken,
                          .refinement = broken,
                          .passes = 1 + i % 3,
                          .planes = 11,
                          .zero_planes = 8,
                          .stripe_causal = i % 2 == 0},
                         block);
  }
  EXPECT_FALSE(reference::ht_decode({.cleanup = bytes, .planes = 9, .zero_planes = 9}, block));
  EXPECT_FALSE(
      reference::ht_decode({.cleanup = bytes, .passes = 2, .planes = 9, .zero_planes = 8}, block));
  EXPECT_FALSE(reference::ht_decode({.cleanup = bytes, .planes = 9, .zero_planes = 1}, block));
}

}  // namespace
}  // namespace codecs::test
