#include <algorithm>
#include <cstddef>

#include "codecs/simd/prism_kernels.h"

namespace codecs::reference {
namespace {

constexpr int kPrismOne = 1 << ColorPrisms::kFractionBits;

int prism_position(int32_t sum, int steps) {
  return std::clamp(sum >> ColorPrisms::kShift, 0, (steps << ColorPrisms::kFractionBits) - 1);
}

int luma_position(const ColorPrisms& prisms, int32_t sample) {
  return prism_position(prisms.luma_gain * sample + prisms.luma_offset, prisms.luma_nodes - 1);
}
void place_luma8(const ColorPrisms& prisms, const uint8_t* samples, int count, int32_t* positions) {
  for (int i = 0; i < count; ++i) positions[i] = luma_position(prisms, samples[i]);
}
void place_luma16(const ColorPrisms& prisms, const uint8_t* samples, int count,
                  int32_t* positions) {
  for (int i = 0; i < count; ++i) {
    const int sample = samples[2 * i] | samples[2 * i + 1] << 8;
    positions[i] = luma_position(prisms, sample & prisms.sample_mask);
  }
}

void average_luma(const int32_t* upper, const int32_t* lower, int count, int32_t* positions) {
  for (int i = 0; i < count; ++i) {
    positions[i] = (upper[2 * i] + upper[2 * i + 1] + lower[2 * i] + lower[2 * i + 1] + 2) / 4;
  }
}

void place_chroma(const ColorPrisms& prisms, const int32_t* cb, const int32_t* cr, int count,
                  int32_t* nodes, int16_t* weights) {
  for (int i = 0; i < count; ++i, weights += ColorPrisms::kCorners) {
    int cell[2], fraction[2];
    for (int axis = 0; axis < 2; ++axis) {
      const int position =
          prism_position(prisms.chroma_gains[axis][0] * cb[i] +
                             prisms.chroma_gains[axis][1] * cr[i] + prisms.chroma_offsets[axis],
                         ColorPrisms::kChromaCells);
      cell[axis] = position >> ColorPrisms::kFractionBits;
      fraction[axis] = position & (kPrismOne - 1);
    }
    nodes[i] = (cell[0] * ColorPrisms::kChromaCells + cell[1]) * prisms.luma_nodes;
    const auto [least, greatest] = std::minmax(fraction[0], fraction[1]);
    weights[0] = static_cast<int16_t>(kPrismOne - greatest);
    weights[1] = static_cast<int16_t>(fraction[0] - least);
    weights[2] = static_cast<int16_t>(fraction[1] - least);
    weights[3] = static_cast<int16_t>(least);
  }
}

// The level of sample i, whose corners begin with the word `first` of `words` in each node.
uint8_t prism_level(const int16_t* nodes, int words, int first, const PrismRow& row, int i,
                    int chroma_sample) {
  const int position = row.luma[i];
  const int16_t* corners =
      nodes +
      ptrdiff_t{words} * (row.nodes[chroma_sample] + (position >> ColorPrisms::kFractionBits)) +
      first;
  const int16_t* weights = row.weights + ptrdiff_t{ColorPrisms::kCorners} * chroma_sample;
  int levels[2] = {};
  for (int upper = 0; upper < 2; ++upper) {
    int sum = 0;
    for (int c = 0; c < ColorPrisms::kCorners; ++c) sum += corners[words * upper + c] * weights[c];
    levels[upper] = sum >> ColorPrisms::kFractionBits;
  }
  const int fraction = position & (kPrismOne - 1);
  const int sum = levels[0] * (kPrismOne - fraction) + levels[1] * fraction;
  return static_cast<uint8_t>((sum + row.dither[i % kDitherPeriod]) >>
                              (ColorPrisms::kFractionBits + ColorPrisms::kLevelBits));
}

template <int kPixels>
void map_luma(const ColorPrisms& prisms, const PrismRow& row, uint8_t* luma) {
  for (int i = 0; i < row.count; ++i) {
    luma[i] = prism_level(prisms.luma, ColorPrisms::kCorners, 0, row, i, i / kPixels);
  }
}

void map_chroma(const ColorPrisms& prisms, const PrismRow& row, uint8_t* cb, uint8_t* cr) {
  constexpr int kWords = 2 * ColorPrisms::kCorners;
  for (int i = 0; i < row.count; ++i) {
    cb[i] = prism_level(prisms.chroma, kWords, 0, row, i, i);
    cr[i] = prism_level(prisms.chroma, kWords, ColorPrisms::kCorners, row, i, i);
  }
}

}  // namespace

const PrismKernels kPrismKernels = {.place_luma8 = place_luma8,
                                    .place_luma16 = place_luma16,
                                    .average_luma = average_luma,
                                    .place_chroma = place_chroma,
                                    .map_luma = map_luma<1>,
                                    .map_luma_pairs = map_luma<2>,
                                    .map_chroma = map_chroma};

}  // namespace codecs::reference
