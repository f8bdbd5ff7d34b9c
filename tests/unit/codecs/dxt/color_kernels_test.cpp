// Compares the conversion of split rows to bytes at every CPU level with the reference.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "codecs/simd/kernels.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

constexpr int kPairs[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 240};
constexpr float kMiddle = 128;

// Levels around the middle, some outside a byte and some near the float limits. Exactly sized
// memory; the even half of each component comes before the odd half.
std::vector<float> make_halves(int pairs) {
  constexpr float kLarge = std::numeric_limits<float>::max() / 16;
  const float kHostile[] = {-128,       -128.5F, 126.5F, 127,     127.5F,
                            3000000000, -3e9F,   kLarge, -kLarge, std::nextafter(-128.5F, 0.0F)};
  std::mt19937 random(static_cast<unsigned>(pairs));
  std::uniform_real_distribution<float> level(-200, 200);
  std::vector<float> halves(static_cast<size_t>(pairs) * 6);
  for (float& half : halves) {
    half = random() % 8 == 0 ? kHostile[random() % std::size(kHostile)] : level(random);
  }
  return halves;
}

template <class Visit>
void for_each_case(Visit visit) {
  const ColorKernels& reference = kernels_for(CpuLevel::kReference).transform->color;
  for (const CpuLevel cpu : available_levels()) {
    for (const int pairs : kPairs) {
      SCOPED_TRACE(std::string(cpu_level_name(cpu)) + ", " + std::to_string(pairs));
      visit(reference, kernels_for(cpu).transform->color, pairs);
    }
  }
}

TEST(ColorKernels, HalvesBecomeBytesAsTheReferenceMakesThem) {
  for_each_case([](const ColorKernels& reference, const ColorKernels& kernels, int pairs) {
    const std::vector<float> halves = make_halves(pairs);
    Bytes expected(static_cast<size_t>(pairs) * 2), got(expected.size());
    const float* const odd = halves.data() + pairs;
    reference.halves_to_bytes(halves.data(), odd, pairs, kMiddle, expected.data());
    kernels.halves_to_bytes(halves.data(), odd, pairs, kMiddle, got.data());
    EXPECT_EQ(got, expected);
  });
}

TEST(ColorKernels, HalvesBecomePixelsAsTheReferenceMakesThem) {
  for_each_case([](const ColorKernels& reference, const ColorKernels& kernels, int pairs) {
    std::vector<float> halves = make_halves(pairs);
    FloatHalves rows{};
    for (int i = 0; i < 3; ++i) {
      rows.even[i] = halves.data() + ptrdiff_t{2} * i * pairs;
      rows.odd[i] = rows.even[i] + pairs;
    }
    Bytes expected(static_cast<size_t>(pairs) * 8), got(expected.size());
    reference.halves_to_bgra(rows, pairs, kMiddle, expected.data());
    kernels.halves_to_bgra(rows, pairs, kMiddle, got.data());
    EXPECT_EQ(got, expected);
  });
}

TEST(ColorKernels, BytesAreCutOffAndKeptWithinTheirRange) {
  const float even[] = {-128, 0.4F, 500}, odd[] = {-300, 0.5F, 126.9F};
  for (const CpuLevel cpu : available_levels()) {
    Bytes got(6);
    kernels_for(cpu).transform->color.halves_to_bytes(even, odd, 3, kMiddle, got.data());
    EXPECT_EQ(got, (Bytes{0, 0, 128, 129, 255, 255})) << cpu_level_name(cpu);
  }
}

}  // namespace
}  // namespace codecs::test
