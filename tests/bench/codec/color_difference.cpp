#include "tests/bench/codec/color_difference.h"

#include <cmath>
#include <numbers>

namespace bench {
namespace {

struct Lab {
  double light;
  double a;
  double b;
};

Lab lab_of(const codecs::Rgb& color) {
  const auto linear = [](double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  const auto curve = [](double t) {
    return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  };
  const double r = linear(color[0]), g = linear(color[1]), b = linear(color[2]);
  const double x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const double y = curve(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  const double z = curve((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double seventh_root(double chroma) {
  const double power = std::pow(chroma, 7);
  return std::sqrt(power / (power + std::pow(25, 7)));
}

constexpr double kTurn = 2 * std::numbers::pi;

double hue_of(double a, double b) {
  const double angle = std::atan2(b, a);
  return angle < 0 ? angle + kTurn : angle;
}

}  // namespace

double delta_e(const codecs::Rgb& first, const codecs::Rgb& second) {
  const Lab one = lab_of(first), two = lab_of(second);
  const double scale =
      1.5 - 0.5 * seventh_root((std::hypot(one.a, one.b) + std::hypot(two.a, two.b)) / 2);
  const double a1 = one.a * scale, a2 = two.a * scale;
  const double c1 = std::hypot(a1, one.b), c2 = std::hypot(a2, two.b);
  const double h1 = hue_of(a1, one.b), h2 = hue_of(a2, two.b);
  const bool grey = c1 * c2 == 0;
  double turn = grey ? 0 : h2 - h1;
  double hue = grey ? h1 + h2 : (h1 + h2) / 2;
  if (std::abs(turn) > kTurn / 2) {
    turn += turn > 0 ? -kTurn : kTurn;
    hue += hue < kTurn / 2 ? kTurn / 2 : -kTurn / 2;
  }
  constexpr double kDegree = std::numbers::pi / 180;
  const double light = (one.light + two.light) / 2 - 50, chroma = (c1 + c2) / 2;
  const double t = 1 - 0.17 * std::cos(hue - 30 * kDegree) + 0.24 * std::cos(2 * hue) +
                   0.32 * std::cos(3 * hue + 6 * kDegree) - 0.20 * std::cos(4 * hue - 63 * kDegree);
  const double of_light =
      (two.light - one.light) / (1 + 0.015 * light * light / std::sqrt(20 + light * light));
  const double of_chroma = (c2 - c1) / (1 + 0.045 * chroma);
  const double of_hue = 2 * std::sqrt(c1 * c2) * std::sin(turn / 2) / (1 + 0.015 * chroma * t);
  const double blue = (hue / kDegree - 275) / 25;
  const double rotation =
      -2 * seventh_root(chroma) * std::sin(60 * kDegree * std::exp(-blue * blue));
  return std::sqrt(of_light * of_light + of_chroma * of_chroma + of_hue * of_hue +
                   rotation * of_chroma * of_hue);
}

}  // namespace bench
