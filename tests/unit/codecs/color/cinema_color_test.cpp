// X'Y'Z' of digital cinema on other displays than sRGB, against the formulas.
#include "codecs/color/cinema_color.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace codecs {
namespace {

constexpr int kCinemaBits = 12;
constexpr uint16_t kMostCode = 4095;

// R, G, B of one pixel.
std::array<int, 3> cinema_shown(const CinemaColor& color, const std::array<uint16_t, 3>& codes) {
  const uint16_t* const xyz[3] = {&codes[0], &codes[1], &codes[2]};
  const float dither = 0.5F;
  uint8_t bgra[4] = {};
  color.show_row(xyz, 1, &dither, bgra);
  return {bgra[2], bgra[1], bgra[0]};
}

// X, Y, Z of light to P3 with the white D65.
constexpr double kXyzToP3[3][3] = {{2.4934969, -0.9313836, -0.4027108},
                                   {-0.8294890, 1.7626641, 0.0236247},
                                   {0.0358458, -0.0761724, 0.9568845}};

TEST(CinemaColor, ADisplaysPrimariesAndCurveAreUsed) {
  const CinemaColor color(kCinemaBits, {Primaries::kP3, 203, 2.2});
  for (const std::array<uint16_t, 3>& codes :
       {std::array<uint16_t, 3>{3000, 2500, 800}, {1200, 1900, 1000}, {2600, 2700, 2800}}) {
    double light[3];
    for (size_t i = 0; i < 3; ++i)
      light[i] = 52.37 / 48 * std::pow(codes[i] / double{kMostCode}, 2.6);
    const auto levels = cinema_shown(color, codes);
    for (size_t i = 0; i < 3; ++i) {
      const double* row = kXyzToP3[i];
      const double value = row[0] * light[0] + row[1] * light[1] + row[2] * light[2];
      EXPECT_NEAR(levels[i], 255 * std::pow(std::clamp(value, 0.0, 1.0), 1 / 2.2), 1);
    }
  }
}

TEST(CinemaColor, ColoursBeyondBt709AreLessSaturatedOnP3) {
  const std::array<uint16_t, 3> red = {3000, 2500, 800};
  const auto usual = cinema_shown(CinemaColor(kCinemaBits), red);
  const auto wide = cinema_shown(CinemaColor(kCinemaBits, {Primaries::kP3, 203, kSrgbCurve}), red);
  EXPECT_GT(usual[0] - usual[1], wide[0] - wide[1]);
}

}  // namespace
}  // namespace codecs
