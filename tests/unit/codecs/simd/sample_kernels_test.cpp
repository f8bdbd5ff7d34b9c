// Compares the loops of every CPU level with the reference, with rows at odd addresses.
#include "codecs/simd/sample_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "codecs/simd/kernels.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

constexpr int kCounts[] = {1, 2, 3, 7, 15, 16, 17, 31, 33, 63, 64, 65, 257, 512};

// `bytes` bytes of noise, in memory of exactly that size.
Bytes noise(int bytes, unsigned seed = 1) {
  std::minstd_rand random(seed);
  Bytes out(static_cast<size_t>(bytes));
  for (uint8_t& byte : out) byte = static_cast<uint8_t>(random() >> 8);
  return out;
}

template <class Visit>
void for_each_count(Visit visit) {
  const SampleKernels& reference = *kernels_for(CpuLevel::kReference).samples;
  for (const CpuLevel cpu : available_levels()) {
    const SampleKernels& kernels = *kernels_for(cpu).samples;
    EXPECT_EQ(kernels.level, cpu);
    for (const int count : kCounts) {
      SCOPED_TRACE(std::string(cpu_level_name(cpu)) + ", " + std::to_string(count));
      visit(reference, kernels, count);
    }
  }
}

struct Lines {
  explicit Lines(int count) : memory(static_cast<size_t>(count) * 3) {
    for (int i = 0; i < 3; ++i) lines[i] = memory.data() + ptrdiff_t{count} * i;
  }
  std::vector<int32_t> memory;
  int32_t* lines[3];
};

TEST(SampleKernels, SamplesBecomeLines) {
  for_each_count([](const SampleKernels& reference, const SampleKernels& kernels, int count) {
    const Bytes bytes = noise(count * 6);
    const auto expect_same = [&](auto run) {
      Lines expected(count), got(count);
      run(reference, expected);
      run(kernels, got);
      EXPECT_EQ(got.memory, expected.memory);
    };
    expect_same([&](const SampleKernels& k, Lines& out) {
      k.widen8(bytes.data(), count, out.lines[0]);
      k.widen8_pairs(bytes.data(), count, out.lines[1]);
      k.widen16(bytes.data(), count, 0xfff, out.lines[2]);
    });
    expect_same(
        [&](const SampleKernels& k, Lines& out) { k.split_rgba(bytes.data(), count, out.lines); });
    expect_same(
        [&](const SampleKernels& k, Lines& out) { k.split_bgra(bytes.data(), count, out.lines); });
    expect_same(
        [&](const SampleKernels& k, Lines& out) { k.split_rgb(bytes.data(), count, out.lines); });
    expect_same([&](const SampleKernels& k, Lines& out) {
      k.split_rgb16(bytes.data(), count, 0x3ff, out.lines);
    });
  });
}

TEST(SampleKernels, ALineIsWhatTheBytesSay) {
  const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const SampleKernels& kernels = *kernels_for(CpuLevel::kReference).samples;
  Lines out(2);
  kernels.split_rgba(bytes, 2, out.lines);
  EXPECT_EQ(out.memory, (std::vector<int32_t>{1, 5, 2, 6, 3, 7}));
  kernels.split_bgra(bytes, 2, out.lines);
  EXPECT_EQ(out.memory, (std::vector<int32_t>{3, 7, 2, 6, 1, 5}));
  kernels.split_rgb(bytes, 2, out.lines);
  EXPECT_EQ(out.memory, (std::vector<int32_t>{1, 4, 2, 5, 3, 6}));
  kernels.split_rgb16(bytes, 2, 0xffff, out.lines);
  EXPECT_EQ(out.memory, (std::vector<int32_t>{0x201, 0x807, 0x403, 0xa09, 0x605, 0xc0b}));
  kernels.widen8_pairs(bytes + 1, 2, out.lines[0]);
  EXPECT_EQ(out.memory[1], 4);
}

TEST(SampleKernels, LinesBecomeSamplesWithinTheirRange) {
  for_each_count([](const SampleKernels& reference, const SampleKernels& kernels, int count) {
    std::vector<int32_t> line(static_cast<size_t>(count));
    std::minstd_rand random(3);
    for (int32_t& value : line) value = static_cast<int32_t>(random() % 140000) - 40000;
    Bytes narrow(line.size()), narrow_expected(line.size());
    std::vector<uint16_t> wide(line.size()), wide_expected(line.size());
    kernels.narrow8(line.data(), count, narrow.data());
    reference.narrow8(line.data(), count, narrow_expected.data());
    EXPECT_EQ(narrow, narrow_expected);
    kernels.narrow16(line.data(), count, 4095, wide.data());
    reference.narrow16(line.data(), count, 4095, wide_expected.data());
    EXPECT_EQ(wide, wide_expected);
    for (size_t i = 0; i < line.size(); ++i) {
      EXPECT_EQ(narrow[i], std::clamp(line[i], 0, 255));
      EXPECT_EQ(wide[i], std::clamp(line[i], 0, 4095));
    }
    std::vector<uint16_t> twice(line.size());
    kernels.repeat16(wide.data(), count, twice.data());
    for (size_t i = 0; i < line.size(); ++i) EXPECT_EQ(twice[i], wide[i / 2]);
  });
}

TEST(SampleKernels, PixelsHaveTheBitsOfTheReference) {
  for_each_count([](const SampleKernels& reference, const SampleKernels& kernels, int count) {
    const Bytes bytes = noise(count * 6);
    std::vector<uint16_t> deep(static_cast<size_t>(count) * 3);
    for (size_t i = 0; i < deep.size(); ++i) {
      deep[i] = static_cast<uint16_t>((bytes[2 * i] | bytes[2 * i + 1] << 8) & 0xfff);
    }
    std::vector<float> dither(static_cast<size_t>(count));
    for (size_t i = 0; i < dither.size(); ++i) dither[i] = static_cast<float>(i % 64) / 64;
    std::vector<int32_t> lines(bytes.begin(), bytes.end());
    for (int32_t& value : lines) value = value * 3 - 250;  // some outside a byte's range
    const int32_t* const rows[] = {lines.data(), lines.data() + count, lines.data() + 2 * count};
    const uint16_t* const deep_rows[] = {deep.data(), deep.data() + count, deep.data() + 2 * count};
    const DeepYuvMatrix matrix{256, 2048, 0.0728F, 0.112F, -0.0133F, -0.0333F, 0.132F};
    const auto expect_same = [&](auto run) {
      GuardedPixels expected(count, 1), got(count, 1);
      run(reference, expected.target().pixels);
      run(kernels, got.target().pixels);
      EXPECT_EQ(got.pixels(), expected.pixels());
      EXPECT_TRUE(got.guards_untouched());
    };
    expect_same([&](const SampleKernels& k, uint8_t* bgra) { k.merge_rgb(rows, count, bgra); });
    expect_same([&](const SampleKernels& k, uint8_t* bgra) {
      k.merge_deep_rgb(deep_rows, count, 255.0F / 4095, dither.data(), bgra);
    });
    expect_same([&](const SampleKernels& k, uint8_t* bgra) {
      k.merge_deep_yuv(deep_rows, count, matrix, dither.data(), bgra);
    });
  });
}

}  // namespace
}  // namespace codecs::test
