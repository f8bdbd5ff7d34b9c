#include "codecs/color/mixing.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

constexpr int kMixedRows = 3;

Bytes noise_of(int width, std::mt19937& random) {
  Bytes bytes(static_cast<size_t>(width) * kMixedRows * 4);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

TEST(Mixing, EveryByteIsTheRoundedMeanByWeight) {
  std::mt19937 random(7);
  for (const int width : {1, 3, 4, 15, 16, 17, 67}) {
    Bytes first = noise_of(width, random);
    Bytes second = noise_of(width, random);
    first.front() = second.back() = 255;
    first.back() = second.front() = 0;
    for (const int weight : {0, 1, 63, 127, 128, 255, 256}) {
      for (const CpuLevel cpu : available_levels()) {
        // The target's rows are longer.
        Bytes mixed((static_cast<size_t>(width) + 1) * kMixedRows * 4, 9);
        mix_bgra({first.data(), width * 4}, {second.data(), width * 4}, weight, width, kMixedRows,
                 {mixed.data(), (width + 1) * 4}, cpu);
        for (int y = 0; y < kMixedRows; ++y) {
          for (int x = 0; x < 4 * width; ++x) {
            const auto from = static_cast<size_t>(y * width * 4 + x);
            ASSERT_EQ(mixed[static_cast<size_t>(y * (width + 1) * 4 + x)],
                      (first[from] * (256 - weight) + second[from] * weight + 128) / 256)
                << "width " << width << ", weight " << weight << ", level "
                << static_cast<int>(cpu);
          }
          for (int x = 4 * width; x < 4 * width + 4; ++x) {
            ASSERT_EQ(mixed[static_cast<size_t>(y * (width + 1) * 4 + x)], 9) << "the padding";
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace codecs::test
