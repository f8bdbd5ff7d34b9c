// The exact transform of HDR and wide colours, against the values of its standards.
#include "codecs/color/color_transform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace codecs {
namespace {

constexpr SourceColor kPq1000 = {Primaries::kBt2020, Transfer::kPq, 1000};
constexpr SourceColor kHlgFilm = {Primaries::kBt2020, Transfer::kHlg};
constexpr SourceColor kWideFilm = {Primaries::kBt2020, Transfer::kSdr};

TEST(ColorTransform, CurvesHaveTheStandardsValues) {
  const struct {
    double nits;
    double signal;
  } points[] = {{0, 0}, {100, 0.50808}, {203, 0.58069}, {1000, 0.75183}, {4000, 0.90257}};
  for (const auto& point : points) {
    EXPECT_NEAR(pq_signal(point.nits), point.signal, 0.00001);
    EXPECT_NEAR(pq_light(pq_signal(point.nits)), point.nits, 0.001);
  }
  EXPECT_NEAR(hlg_scene_light(0.5), 1.0 / 12, 1e-9);
  EXPECT_NEAR(hlg_scene_light(0.75), 3.17955 / 12, 1e-5);
  EXPECT_NEAR(hlg_scene_light(1), 1, 1e-6);
  EXPECT_NEAR(hlg_gamma(1000), 1.2, 1e-9);
  EXPECT_NEAR(hlg_gamma(100), 0.846, 0.001);
}

TEST(ColorTransform, WrongStatementsAboutLightAreLimited) {
  EXPECT_EQ(peak_of({}), 1000);
  EXPECT_EQ(peak_of({.mastering_peak = 4'000'000, .max_cll = 0, .max_fall = 0}), 10000);
  EXPECT_EQ(peak_of({.mastering_peak = 1e-9, .max_cll = 0, .max_fall = 0}), 100);
  EXPECT_EQ(peak_of({.mastering_peak = -5, .max_cll = 600, .max_fall = 100}), 600);
  EXPECT_EQ(peak_of({.mastering_peak = 1000, .max_cll = 600, .max_fall = 100}), 600);
  EXPECT_EQ(peak_of({.mastering_peak = 1000, .max_cll = 4000, .max_fall = 100}), 1000);
  EXPECT_EQ(peak_of({.mastering_peak = 1000, .max_cll = 50, .max_fall = 400}), 1000);
}

TEST(ColorTransform, GreysStayGreyAndRiseFromBlackToWhite) {
  for (const SourceColor& source : {kPq1000, kHlgFilm, kWideFilm}) {
    const ColorTransform transform(source, {});
    double before = -1;
    for (int i = 0; i <= 1000; ++i) {
      const double signal = transform.brightest_signal() * i / 1000;
      const Rgb shown = transform.show({signal, signal, signal});
      EXPECT_NEAR(shown[0], shown[1], 1e-9);
      EXPECT_NEAR(shown[2], shown[1], 1e-9);
      EXPECT_GT(shown[1], before);
      before = shown[1];
      if (source.transfer == Transfer::kSdr) {
        EXPECT_NEAR(shown[1], signal, 1e-9);
      }
    }
    EXPECT_NEAR(before, 1, 1e-9);
    EXPECT_NEAR(transform.show({})[1], 0, 1e-9);
    EXPECT_NEAR(transform.show({1, 1, 1})[1], 1, 1e-9);
  }
}

// BT.2390's curve, computed by hand: to 203 cd/m² it leaves 50 of a 1000-nit film as they are.
TEST(ColorTransform, DarkLightIsKeptAndBrightLightIsCompressed) {
  const ColorTransform transform(kPq1000, {});
  const auto light = [&](double nits) {
    const double signal = pq_signal(nits);
    return 203 * std::pow(transform.show({signal, signal, signal})[0], 2.2);
  };
  EXPECT_NEAR(light(1), 1, 1e-6);
  EXPECT_NEAR(light(50), 50, 1e-6);
  EXPECT_NEAR(light(203), 159.1, 0.2);
  // A film without brighter light is shown as it is.
  const ColorTransform dim({Primaries::kBt2020, Transfer::kPq, 203}, {});
  EXPECT_NEAR(dim.show({0.58069, 0.58069, 0.58069})[0], 1, 1e-4);
}

TEST(ColorTransform, HlgWhiteIsThatOfPq) {
  const Rgb hlg = ColorTransform(kHlgFilm, {}).show({0.75, 0.75, 0.75});
  const double white = pq_signal(203);
  EXPECT_NEAR(hlg[0], ColorTransform(kPq1000, {}).show({white, white, white})[0], 0.001);
}

TEST(ColorTransform, ColoursWithinBothPrimariesComeBack) {
  const DisplayColor wide = {Primaries::kBt2020, 203, 2.2};
  const ColorTransform there({Primaries::kBt709, Transfer::kSdr}, wide);
  const ColorTransform back(kWideFilm, {});
  for (const Rgb& color : {Rgb{0.6, 0.5, 0.4}, Rgb{0.4, 0.5, 0.4}, Rgb{0.5, 0.5, 0.6}}) {
    const Rgb again = back.show(there.show(color));
    for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(again[i], color[i], 1e-6);
  }
  // BT.709's red in BT.2020: 0.6274, 0.0691, 0.0164 of linear light.
  const Rgb red = there.show({0.5, 0.3, 0.3});
  const double linear = std::pow(0.3, 2.2) + (std::pow(0.5, 2.2) - std::pow(0.3, 2.2)) * 0.6274;
  EXPECT_NEAR(red[0], std::pow(linear, 1 / 2.2), 1e-4);
}

// Linear light of BT.709 in P3 (white D65) and BT.2020: ITU-R BT.2087 for the latter.
struct WiderDisplay {
  Primaries primaries;
  double matrix[3][3];
};
constexpr WiderDisplay kWiderDisplays[] = {
    {Primaries::kP3, {{0.82246, 0.17754, 0}, {0.03319, 0.96681, 0}, {0.01708, 0.07240, 0.91052}}},
    {Primaries::kBt2020,
     {{0.6274, 0.3293, 0.0433}, {0.0691, 0.9195, 0.0114}, {0.0164, 0.0880, 0.8956}}}};

double srgb_light(double signal) {
  return signal <= 0.04045 ? signal / 12.92 : std::pow((signal + 0.055) / 1.055, 2.4);
}
double srgb_signal(double light) {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

// A wider display shows each colour of BT.709 as it is, at its edge, too.
TEST(ColorTransform, WiderDisplaysShowOrdinaryColoursAlike) {
  for (const WiderDisplay& one : kWiderDisplays) {
    for (const double gamma : {2.2, 2.4, kSrgbCurve}) {
      const ColorTransform transform({Primaries::kBt709, Transfer::kSdr},
                                     {one.primaries, 300, gamma});
      const auto light = [&](double signal) {
        return gamma == kSrgbCurve ? srgb_light(signal) : std::pow(signal, gamma);
      };
      const auto signal = [&](double value) {
        return gamma == kSrgbCurve ? srgb_signal(value) : std::pow(value, 1 / gamma);
      };
      for (int i = 0; i < 6 * 6 * 6; ++i) {
        const Rgb color = {i / 36 / 5.0, i / 6 % 6 / 5.0, i % 6 / 5.0};
        const Rgb shown = transform.show(color);
        for (size_t c = 0; c < 3; ++c) {
          const double* row = one.matrix[c];
          const double exact =
              row[0] * light(color[0]) + row[1] * light(color[1]) + row[2] * light(color[2]);
          EXPECT_NEAR(shown[c], signal(std::clamp(exact, 0.0, 1.0)), 0.004) << i << ", " << gamma;
        }
      }
    }
  }
}

TEST(ColorTransform, ABrighterDisplayCompressesLess) {
  const double signal = pq_signal(400);
  const Rgb grey = {signal, signal, signal};
  const DisplayColor bright{Primaries::kP3, 1000, 2.2};
  const double light = 1000 * std::pow(ColorTransform(kPq1000, bright).show(grey)[0], 2.2);
  EXPECT_NEAR(light, 400, 0.5);
}

// Beyond BT.709, channels keep their order, luminance stays, and no channel is clipped.
TEST(ColorTransform, OtherColoursBecomeGreyerNotOtherHues) {
  const ColorTransform transform(kWideFilm, {});
  for (const Rgb& color : {Rgb{1, 0, 0}, Rgb{0, 1, 0}, Rgb{0, 0, 1}, Rgb{0, 0.8, 0.8}}) {
    const Rgb shown = transform.show(color);
    double luminance = 0, expected = 0;
    const Rgb of_709 = {0.2126, 0.7152, 0.0722}, of_2020 = {0.2627, 0.6780, 0.0593};
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_GT(shown[i], 0);
      EXPECT_LT(shown[i], 1);
      luminance += of_709[i] * std::pow(shown[i], 2.2);
      expected += of_2020[i] * std::pow(color[i], 2.2);
    }
    EXPECT_NEAR(luminance, expected, 1e-4);
    const auto greatest = std::ranges::max_element(color) - color.begin();
    EXPECT_EQ(std::ranges::max_element(shown) - shown.begin(), greatest);
  }
}

}  // namespace
}  // namespace codecs
