// Sub-bands of a component (ISO/IEC 15444-1, Annexes B and E): sizes, quantisation. Internal to
// codecs/.
#pragma once

#include <cstdint>

namespace codecs {

constexpr int kMostJ2kLevels = 32;

// Kinds of bands: bit 0: high horizontally, bit 1: high vertically. The lowest resolution has kind
// 0, the others have kinds 1 … 3.
enum BandKind { kLowLow = 0, kHighLow = 1, kLowHigh = 2, kHighHigh = 3 };

// Position of a component's edge `at` in the picture halved `level` times (ceil_halved), or in a
// band of that level (band_edge, B-14, B-15). `high`: the band is high in that direction.
constexpr int64_t ceil_halved(int64_t at, int level) {
  return (at + (int64_t{1} << level) - 1) >> level;
}
constexpr int64_t band_edge(int64_t at, int level, bool high) {
  if (level == 0) return at;
  return ceil_halved(at - (high ? int64_t{1} << (level - 1) : 0), level);
}

// Quantisation of a band, as in the QCD segment.
struct BandQuantiser {
  int exponent = 0;
  int mantissa = 0;  // in units of 2^-11

  // The step for samples of `bits` bits and a band of that kind (E-3).
  float step(int bits, BandKind kind) const;
};

// For the 9/7 transform: the step has the same effect on the squared error in every band. `step`:
// fraction of the samples' range; `level`: 1 for the largest band. Not finer than 2^-most_exponent
// of the band's range.
BandQuantiser lossy_quantiser(float step, int level, BandKind kind, int most_exponent);
// For the 5/3 transform: the exponent that holds the band's largest samples, given kGuardBits.
BandQuantiser lossless_quantiser(int bits, bool color_transform, int level, BandKind kind);
constexpr int kGuardBits = 1;

// Number of bit-planes of a band (E-2).
constexpr int band_planes(const BandQuantiser& quantiser, int guard_bits) {
  return guard_bits + quantiser.exponent - 1;
}

// Factor for the samples of a 9/7 band before the inverse transform, which replaces a scaling after
// each level: the band's gain of F.3.8.2 in one direction. The forward transform divides by it.
// `count`: size of the component at `level` − 1; `begins_odd`: its first position is odd.
double band_gain(bool high, int count, bool begins_odd);

}  // namespace codecs
