// A code-block of high-throughput JPEG 2000: untrusted bytes are decoded, and samples are encoded
// and decoded again, at every CPU level. Input: width, height, passes and planes, start of the
// refinement, then the segments or samples.
#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "codecs/simd/kernels.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace codecs;

constexpr size_t kHeadBytes = 6;

template <class Visit>
void for_each_level(Visit visit) {
  for (const CpuLevel level : std::span(kCpuLevels).subspan(1)) {
    if (level <= detect_cpu()) visit(*kernels_for(level).ht);
  }
}

struct Shape {
  int width;
  int height;
  size_t samples() const { return static_cast<size_t>(width) * static_cast<size_t>(height); }
  template <class Sample>
  HtBlock<Sample> block(std::vector<std::remove_const_t<Sample>>& samples) const {
    return {samples.data(), width, width, height};
  }
};

void decode(const HtCodedBlock& coded, const Shape& shape) {
  std::vector<int32_t> wide(shape.samples());
  reference::ht_decode(coded, shape.block<int32_t>(wide));
  if (coded.planes > kHtMostPlanes16) return;
  std::vector<int16_t> expected(shape.samples());
  const bool good = reference::ht_decode(coded, shape.block<int16_t>(expected));
  for_each_level([&](const HtKernels& kernels) {
    std::vector<int16_t> found(shape.samples());
    fuzz::require(kernels.decode16(coded, shape.block<int16_t>(found)) == good,
                  "all levels refuse the same");
    fuzz::require(!good || found == expected, "all levels read the same");
    std::vector<int16_t> other(shape.samples());
    const HtBlock<int16_t> blocks[] = {shape.block<int16_t>(found), shape.block<int16_t>(other)};
    fuzz::require(kernels.decode16_two({coded, coded}, blocks) == good,
                  "two blocks are refused as one is");
    fuzz::require(!good || (found == expected && other == expected), "and read the same");
  });
}

void encode(std::span<const uint8_t> bytes, const Shape& shape) {
  std::vector<int16_t> samples(shape.samples()), found(shape.samples());
  std::memcpy(samples.data(), bytes.data(), std::min(bytes.size(), 2 * samples.size()));
  for (int16_t& sample : samples) sample = static_cast<int16_t>(sample / 4);
  std::vector<uint8_t> out(kHtMostCleanupBytes), same(kHtMostCleanupBytes);
  out.resize(reference::ht_encode(shape.block<const int16_t>(samples), out.data()));
  for_each_level([&](const HtKernels& kernels) {
    std::vector<uint8_t> by(kHtMostCleanupBytes);
    by.resize(kernels.encode16(shape.block<const int16_t>(samples), by.data()));
    fuzz::require(by == out, "all levels write the same");
  });
  const HtCodedBlock coded{
      .cleanup = out, .planes = kHtMostPlanes16, .zero_planes = kHtMostPlanes16 - 1};
  const bool good = reference::ht_decode(coded, shape.block<int16_t>(found));
  fuzz::require(good != out.empty(), "what was written is read");
  for (int16_t& half : found) half = static_cast<int16_t>(half / 2);
  fuzz::require(out.empty() || found == samples, "and comes back");
}

}  // namespace

FUZZ_TARGET(code_block) {
  if (size < kHeadBytes) return 0;
  Shape shape{1 + (data[0] | (data[2] & 1) << 8), 1 + (data[1] | (data[2] & 2) << 7)};
  shape.height = std::min(shape.height, kHtMostSamples / shape.width);
  const std::span<const uint8_t> bytes(data + kHeadBytes, size - kHeadBytes);
  const size_t cleanup = bytes.size() * data[5] / 255;
  const HtCodedBlock coded{.cleanup = bytes.first(cleanup),
                           .refinement = bytes.subspan(cleanup),
                           .passes = 1 + (data[2] >> 2 & 3),
                           .planes = 1 + data[3] % kHtMostPlanes32,
                           .zero_planes = data[4] % kHtMostPlanes32,
                           .stripe_causal = (data[2] & 16) != 0};
  decode(coded, shape);
  encode(bytes, shape);
  return 0;
}
