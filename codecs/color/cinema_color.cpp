#include "codecs/color/cinema_color.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "codecs/simd/sample_kernels.h"

namespace codecs {
namespace {

constexpr double kPeakRatio = 52.37 / 48;
constexpr double kCinemaGamma = 2.6;
constexpr int kLightSteps = 65535;
constexpr float kHalfStep = 0.5F;  // makes truncation round; light is never negative

constexpr float kXyzToRgb[3][3] = {
    {3.2404542F, -1.5371385F, -0.4985314F},
    {-0.9692660F, 1.8760108F, 0.0415560F},
    {0.0556434F, -0.2040259F, 1.0572252F},
};

constexpr double kRgbToXyz[3][3] = {
    {0.4124564, 0.3575761, 0.1804375},
    {0.2126729, 0.7151522, 0.0721750},
    {0.0193339, 0.1191920, 0.9503041},
};

double display_level(double light, const DisplayColor& display) {
  if (display != DisplayColor()) return display_signal(light, display.gamma);
  return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

double light_of(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}

}  // namespace

CinemaColor::CinemaColor(int bits, const DisplayColor& display)
    : bits_(bits), display_color_(display), linear_(size_t{1} << bits), display_(kLightSteps + 1) {
  const auto matrix = xyz_to_rgb(display.primaries);
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      to_rgb_[i][k] = display.primaries == Primaries::kBt709 ? kXyzToRgb[i][k]
                                                             : static_cast<float>(matrix[i][k]);
    }
  }
  const auto most = static_cast<double>(linear_.size() - 1);
  for (size_t i = 0; i < linear_.size(); ++i) {
    linear_[i] =
        static_cast<float>(kPeakRatio * std::pow(static_cast<double>(i) / most, kCinemaGamma));
  }
  for (size_t i = 0; i < display_.size(); ++i) {
    display_[i] =
        static_cast<float>(255 * display_level(static_cast<double>(i) / kLightSteps, display));
  }
}

void CinemaColor::show_row(const uint16_t* const xyz[3], int count, const float* dither,
                           uint8_t* bgra) const {
  for (int i = 0; i < count; ++i, bgra += 4) {
    const float x = linear_[xyz[0][i]], y = linear_[xyz[1][i]], z = linear_[xyz[2][i]];
    for (int c = 0; c < 3; ++c) {
      const float* row = to_rgb_[c];
      const float light = std::clamp(row[0] * x + row[1] * y + row[2] * z, 0.0F, 1.0F);
      const auto step = static_cast<size_t>(light * kLightSteps + kHalfStep);
      bgra[2 - c] = static_cast<uint8_t>(display_[step] + dither[i]);
    }
    bgra[3] = 255;
  }
}

CinemaCode::CinemaCode() {
  for (size_t i = 0; i < light_.size(); ++i) light_[i] = light_of(static_cast<double>(i) / 255);
}

double CinemaCode::of(const uint8_t* bgr, int component) const {
  const double* row = kRgbToXyz[component];
  const double light = row[0] * light_[bgr[2]] + row[1] * light_[bgr[1]] + row[2] * light_[bgr[0]];
  return std::pow(light / kPeakRatio, 1 / kCinemaGamma);
}

void fill_dither(int y, std::span<float> dither) {
  static_assert(kDitherRows == kDitherSide);
  constexpr float kLevels = kDitherSide * kDitherSide;
  for (size_t x = 0; x < dither.size(); ++x) {
    const int value = bayer(static_cast<int>(x % kDitherSide), y % kDitherSide);
    dither[x] = (static_cast<float>(value) + 0.5F) / kLevels;
  }
}

}  // namespace codecs
