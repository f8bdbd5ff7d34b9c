#include "codecs/j2k/htj2k_bands.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace codecs {
namespace {

constexpr int kMantissaBits = 11;
constexpr double kScale = 1.230174104914001;  // K of F.3.8.2

// Norms of the 9/7 synthesis filters, low and high, for levels 1 … 8 (the high filter with gain 1
// at the highest frequency); from then on, each level's norm is about √2 times the previous one.
constexpr double kLowNorms[] = {1.0,    1.4021, 2.0304, 2.9012, 4.1153,
                                5.8245, 8.2388, 11.652, 16.479};
constexpr double kHighNorms[] = {1.4425, 1.9669, 2.8839, 4.1475, 5.8946, 8.3472, 11.809, 16.701};

double low_norm(int level) {
  const int known = std::min(level, static_cast<int>(std::size(kLowNorms)) - 1);
  return kLowNorms[known] * std::pow(std::sqrt(2.0), level - known);
}
double high_norm(int level) {
  const int known = std::min(level, static_cast<int>(std::size(kHighNorms)));
  return kHighNorms[known - 1] * std::pow(std::sqrt(2.0), level - known);
}

}  // namespace

float BandQuantiser::step(int bits, BandKind kind) const {
  const int gain = (kind & 1) + (kind >> 1);
  return static_cast<float>(
      std::ldexp(1 + std::ldexp(mantissa, -kMantissaBits), bits + gain - exponent));
}

BandQuantiser lossy_quantiser(float step, int level, BandKind kind, int most_exponent) {
  const double across = (kind & 1) != 0 ? high_norm(level) : low_norm(level);
  const double down = (kind & 2) != 0 ? high_norm(level) : low_norm(level);
  double wanted = static_cast<double>(step) / (across * down);
  BandQuantiser quantiser;
  while (wanted < 1 && quantiser.exponent < most_exponent) {
    ++quantiser.exponent;
    wanted *= 2;
  }
  constexpr int kWhole = 1 << kMantissaBits;
  const double mantissa = std::round((std::clamp(wanted, 1.0, 2.0) - 1) * kWhole);
  quantiser.mantissa = std::min(static_cast<int>(mantissa), kWhole - 1);
  return quantiser;
}

BandQuantiser lossless_quantiser(int bits, bool color_transform, int level, BandKind kind) {
  // Bits added by the gains of the 5/3 transform: the sums of its filters' absolute values are
  // below 2² at level 1 and below 2³ afterwards; in the lowest band below 2² at any level.
  const int grows = kind == kLowLow || level == 1 ? 2 : level <= 5 ? 3 : 4;
  return {.exponent = bits + (color_transform ? 1 : 0) + grows - kGuardBits};
}

double band_gain(bool high, int count, bool begins_odd) {
  if (count == 1) return begins_odd ? 0.5 : 1;
  return high ? 1 / kScale : kScale;
}

}  // namespace codecs
