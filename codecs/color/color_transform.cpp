#include "codecs/color/color_transform.h"

#include <algorithm>
#include <cmath>

namespace codecs {
namespace {

constexpr double kLeastPeak = 100, kMostPeak = 10000;
constexpr double kUsualPeak =
    1000;  // peak of films that state none, and of HLG's reference display
// Dimmer displays than this show HLG as its reference display does, tone-mapped: BT.2390 gives the
// system gamma for brighter ones only.
constexpr double kLeastHlgPeak = 400;
// Share of the greatest saturation that the display can show. Saturation beyond it is compressed.
constexpr double kGamutKnee = 0.9;

using Matrix3 = std::array<Rgb, 3>;

double dot(const Rgb& a, const Rgb& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Rgb cross(const Rgb& a, const Rgb& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Rgb product(const Matrix3& m, const Rgb& v) {
  return {dot(m[0], v), dot(m[1], v), dot(m[2], v)};
}
Matrix3 transposed(const Matrix3& m) {
  return {{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}};
}
Matrix3 inverse(const Matrix3& m) {
  Matrix3 columns = {cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])};
  const double determinant = dot(m[0], columns[0]);
  for (Rgb& column : columns) {
    for (double& value : column) value /= determinant;
  }
  return transposed(columns);
}

// X, Y, Z of a colour with luminance 1.
Rgb xyz_of(double x, double y) {
  return {x / y, 1, (1 - x - y) / y};
}

// Row 1 is the weights of luminance.
Matrix3 rgb_to_xyz(Primaries primaries) {
  Matrix3 columns{};
  switch (primaries) {
    case Primaries::kBt709:
      columns = {xyz_of(0.640, 0.330), xyz_of(0.300, 0.600), xyz_of(0.150, 0.060)};
      break;
    case Primaries::kBt2020:
      columns = {xyz_of(0.708, 0.292), xyz_of(0.170, 0.797), xyz_of(0.131, 0.046)};
      break;
    case Primaries::kP3:
      columns = {xyz_of(0.680, 0.320), xyz_of(0.265, 0.690), xyz_of(0.150, 0.060)};
      break;
  }
  const Rgb amounts = product(inverse(transposed(columns)), xyz_of(0.3127, 0.3290));
  for (size_t i = 0; i < 3; ++i) {
    for (double& value : columns[i]) value *= amounts[i];
  }
  return transposed(columns);
}

constexpr double kPqM1 = 2610.0 / 16384, kPqM2 = 2523.0 / 32;
constexpr double kPqC1 = 3424.0 / 4096, kPqC2 = 2413.0 / 128, kPqC3 = 2392.0 / 128;
constexpr double kPqNits = 10000;

constexpr double kSrgbSlope = 12.92, kSrgbOffset = 0.055, kSrgbLinearSignal = 0.04045;

// P3's red leaves BT.2020 by a thousandth of its light, which is clipped.
bool contains(Primaries display, Primaries film) {
  return display == film || film == Primaries::kBt709 || display == Primaries::kBt2020;
}

}  // namespace

double peak_of(const LightLevels& levels) {
  const auto stated = [](double nits) {
    return nits > 0 ? std::clamp(nits, kLeastPeak, kMostPeak) : 0;
  };
  const double mastering = stated(levels.mastering_peak);
  const double brightest = levels.max_cll >= levels.max_fall ? stated(levels.max_cll) : 0;
  if (mastering > 0 && brightest > 0) return std::min(mastering, brightest);
  return mastering + brightest > 0 ? mastering + brightest : kUsualPeak;
}

double display_light(double signal, double gamma) {
  if (gamma != kSrgbCurve) return std::pow(signal, gamma);
  return signal <= kSrgbLinearSignal ? signal / kSrgbSlope
                                     : std::pow((signal + kSrgbOffset) / (1 + kSrgbOffset), 2.4);
}

double display_signal(double light, double gamma) {
  if (gamma != kSrgbCurve) return std::pow(light, 1 / gamma);
  return light <= kSrgbLinearSignal / kSrgbSlope
             ? kSrgbSlope * light
             : (1 + kSrgbOffset) * std::pow(light, 1 / 2.4) - kSrgbOffset;
}

std::array<Rgb, 3> xyz_to_rgb(Primaries primaries) {
  return inverse(rgb_to_xyz(primaries));
}

double pq_light(double signal) {
  const double power = std::pow(std::clamp(signal, 0.0, 1.0), 1 / kPqM2);
  return kPqNits * std::pow(std::max(power - kPqC1, 0.0) / (kPqC2 - kPqC3 * power), 1 / kPqM1);
}

double pq_signal(double nits) {
  const double power = std::pow(std::clamp(nits / kPqNits, 0.0, 1.0), kPqM1);
  return std::pow((kPqC1 + kPqC2 * power) / (1 + kPqC3 * power), kPqM2);
}

double hlg_scene_light(double signal) {
  constexpr double kA = 0.17883277, kB = 0.28466892, kC = 0.55991073;
  const double value = std::clamp(signal, 0.0, 1.0);
  return value <= 0.5 ? value * value / 3 : (std::exp((value - kC) / kA) + kB) / 12;
}

double hlg_gamma(double peak_nits) {
  return 1.2 * std::pow(1.111, std::log2(peak_nits / 1000));
}

ColorTransform::ColorTransform(const SourceColor& source, const DisplayColor& display)
    : source_(source),
      display_(display),
      source_peak_(source.peak_nits),
      all_fit_(contains(display.primaries, source.primaries)) {
  const Matrix3 source_to_xyz = rgb_to_xyz(source.primaries);
  const Matrix3 columns = transposed(source_to_xyz);
  const Matrix3 from_xyz = xyz_to_rgb(display.primaries);
  to_display_ = transposed({product(from_xyz, columns[0]), product(from_xyz, columns[1]),
                            product(from_xyz, columns[2])});
  source_weights_ = source_to_xyz[1];
  display_weights_ = rgb_to_xyz(display.primaries)[1];
  if (source.transfer == Transfer::kHlg) {
    source_peak_ = display.peak_nits >= kLeastHlgPeak ? display.peak_nits : kUsualPeak;
    gamma_ = hlg_gamma(source_peak_);
  }
  if (source.transfer == Transfer::kSdr) source_peak_ = display.peak_nits;
}

double ColorTransform::brightest_signal() const {
  return source_.transfer == Transfer::kPq ? pq_signal(source_peak_) : 1;
}

Rgb ColorTransform::source_light(const Rgb& signal) const {
  Rgb light{};
  for (size_t i = 0; i < 3; ++i) {
    switch (source_.transfer) {
      case Transfer::kSdr:
        // As for BT.709, the display's own curve: greys stay as they are.
        light[i] = source_peak_ * display_light(std::clamp(signal[i], 0.0, 1.0), display_.gamma);
        break;
      case Transfer::kPq:
        light[i] = std::min(pq_light(signal[i]), source_peak_);
        break;
      case Transfer::kHlg:
        light[i] = hlg_scene_light(signal[i]);
        break;
    }
  }
  if (source_.transfer != Transfer::kHlg) return light;
  const double luminance = dot(source_weights_, light);
  const double gain = luminance > 0 ? source_peak_ * std::pow(luminance, gamma_ - 1) : 0;
  for (double& value : light) value *= gain;
  return light;
}

double ColorTransform::tone_mapped(double signal) const {
  const double range = pq_signal(source_peak_);
  const double most = pq_signal(display_.peak_nits) / range;
  if (most >= 1) return signal;
  const double value = std::min(signal / range, 1.0);
  const double knee = 1.5 * most - 0.5;
  if (value < knee) return signal;
  const double t = (value - knee) / (1 - knee);
  const double t2 = t * t, t3 = t2 * t;
  return range * ((2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) +
                  (-2 * t3 + 3 * t2) * most);
}

Rgb ColorTransform::fitted(const Rgb& light) const {
  const double luminance = dot(display_weights_, light);
  // Relative to what the display can show in this direction from grey.
  double saturation = 0;
  for (const double value : light) {
    const double room = value < luminance ? luminance : 1 - luminance;
    if (room > 1e-9) saturation = std::max(saturation, std::abs(value - luminance) / room);
  }
  double factor = 1;
  if (saturation > kGamutKnee) {
    const double excess = (saturation - kGamutKnee) / (1 - kGamutKnee);
    factor = (kGamutKnee + (1 - kGamutKnee) * excess / (1 + excess)) / saturation;
  }
  Rgb result{};
  for (size_t i = 0; i < 3; ++i) result[i] = luminance + factor * (light[i] - luminance);
  return result;
}

Rgb ColorTransform::show(const Rgb& signal) const {
  Rgb light = source_light(signal);
  const double greatest = std::max({light[0], light[1], light[2]});
  double gain = 1;
  if (source_.transfer != Transfer::kSdr && greatest > 0) {
    gain = pq_light(tone_mapped(pq_signal(greatest))) / greatest;
  }
  for (double& value : light) value *= gain / display_.peak_nits;
  if (source_.primaries != display_.primaries) light = product(to_display_, light);
  if (!all_fit_) light = fitted(light);
  for (double& value : light) {
    value = display_signal(std::clamp(value, 0.0, 1.0), display_.gamma);
  }
  return light;
}

}  // namespace codecs
