// Sub-bands of a component (ISO/IEC 15444-1, Annexes B and E): their sizes and how they are
// quantised. Internal to codecs/.
#pragma once

#include <cstdint>

namespace codecs {

constexpr int kMostJ2kLevels = 32;

// Kinds of bands: bit 0: high across, bit 1: high down. A resolution has kind 0, the lowest, or 1 …
// 3.
enum BandKind { kLowLow = 0, kHighLow = 1, kLowHigh = 2, kHighHigh = 3 };

// Where a sample of a picture that is halved `level` times, or a band of that level, begins: an
// edge of the component, `at`, there (B-14, B-15). `high`: in the band's high direction.
constexpr int64_t ceil_halved(int64_t at, int level) {
  return (at + (int64_t{1} << level) - 1) >> level;
}
constexpr int64_t band_edge(int64_t at, int level, bool high) {
  if (level == 0) return at;
  return ceil_halved(at - (high ? int64_t{1} << (level - 1) : 0), level);
}

// How a band's samples are quantised, as QCD has it.
struct BandQuantiser {
  int exponent = 0;
  int mantissa = 0;  // of 2^11

  // The step where samples have `bits` bits and the band is of that kind (E-3).
  float step(int bits, BandKind kind) const;
};

// Of the 9/7 transform: the squared error is the same wherever a step is taken. `step` of the
// samples' whole range; `level`: 1 for the largest. No finer than 2^-most_exponent of the band's
// range.
BandQuantiser lossy_quantiser(float step, int level, BandKind kind, int most_exponent);
// Of the 5/3 transform: the bits that its largest samples have, with `guard_bits` of them.
BandQuantiser lossless_quantiser(int bits, bool color_transform, int level, BandKind kind);
constexpr int kGuardBits = 1;

// How many bit-planes a band may have (E-2).
constexpr int band_planes(const BandQuantiser& quantiser, int guard_bits) {
  return guard_bits + quantiser.exponent - 1;
}

// What the samples of a band of the 9/7 transform are to be multiplied by, before the inverse
// steps, in place of a multiplication after each level: the bands' gains of F.3.8.2, of one
// direction. Forward it is the inverse. The size of the component at `level` − 1 in that direction
// is `count`, from an even or odd place.
double band_gain(bool high, int count, bool begins_odd);

}  // namespace codecs
