// Compares each CPU level's forward transform of a row with the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "codecs/simd/kernels.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

constexpr float kNothing = 4711;  // fills places without a sample

// One half of a row with its margins.
struct Half {
  std::vector<float> memory;
  explicit Half(int count)
      : memory(static_cast<size_t>(padded_count(count) + 2 * kRowStep), kNothing) {}
  float* samples() { return memory.data() + kRowStep; }
  std::vector<float> first(int count) { return {samples(), samples() + count}; }
};

TEST(WaveletKernels, RowsAreTransformedAsTheReferenceDoesIt) {
  const auto& reference = kernels_for(CpuLevel::kReference).transform->irreversible;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> level(-128, 128);
  for (int count = 2; count <= 200; ++count) {
    const int odds = count / 2, evens = count - odds;
    Half even(evens), odd(evens);
    std::generate_n(even.samples(), evens, [&] { return level(random); });
    std::generate_n(odd.samples(), odds, [&] { return level(random); });
    const auto transform = [&](const WaveletKernels<float>& kernels) {
      Half from = even, low(evens), high(evens);
      kernels.forward_across({from.samples(), odd.samples(), evens, odds}, low.samples(),
                             high.samples());
      return std::pair(low.first(evens), high.first(odds));
    };
    const auto expected = transform(reference);
    for (const CpuLevel cpu : available_levels()) {
      EXPECT_EQ(transform(kernels_for(cpu).transform->irreversible), expected)
          << cpu_level_name(cpu) << ", " << count;
    }
  }
}

}  // namespace
}  // namespace codecs::test
