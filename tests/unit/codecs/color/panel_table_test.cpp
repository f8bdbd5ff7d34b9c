// The table of a panel: curves by their formula, cubes against plain tetrahedral interpolation.
#include "codecs/color/panel_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

using Signal = std::array<double, 3>;  // red, green, blue

constexpr Signal kNoGain{1, 1, 1};

template <typename Value>
ColorLut panel_cube(int side, const Value& value) {
  ColorLut lut{.is_cube = true, .side = side, .entries = {}};
  const auto share = [side](int i) { return static_cast<double>(i) / (side - 1); };
  for (int b = 0; b < side; ++b) {
    for (int g = 0; g < side; ++g) {
      for (int r = 0; r < side; ++r) lut.entries.push_back(value({share(r), share(g), share(b)}));
    }
  }
  return lut;
}

std::array<float, 3> same_colour(const Signal& at) {
  return {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
}

constexpr int kPanelWidth = 531, kPanelHeight = 7;

Bytes panel_noise() {
  std::mt19937 random(5);
  Bytes bgra(size_t{kPanelWidth} * kPanelHeight * 4);
  for (uint8_t& byte : bgra) byte = static_cast<uint8_t>(random());
  for (size_t i = 3; i < bgra.size(); i += 4) bgra[i] = 255;
  return bgra;
}

Bytes panel_shows(const PanelTable& table, Bytes bgra, CpuLevel cpu) {
  const BgraTarget target{bgra.data(), ptrdiff_t{kPanelWidth} * 4};
  table.apply(target, target, kPanelWidth, kPanelHeight, cpu);
  return bgra;
}

int rounded_level(double signal) {
  return static_cast<int>(std::lround(255 * std::clamp(signal, 0.0, 1.0)));
}

TEST(PanelTable, AppliesGainAndGammaToEachChannel) {
  const PanelTable table({1, 0.5, 2}, 2.0, nullptr);
  for (int level = 0; level < 256; ++level) {
    const auto stored = static_cast<uint8_t>(level);
    uint8_t pixel[4] = {stored, stored, stored, 0};
    table.apply({pixel, 4}, {pixel, 4}, 1, 1, detect_cpu());
    const double square = (level / 255.0) * (level / 255.0);
    EXPECT_EQ(pixel[2], rounded_level(square)) << level;
    EXPECT_EQ(pixel[1], rounded_level(0.5 * square)) << level;
    EXPECT_EQ(pixel[0], rounded_level(2 * square)) << level;
    EXPECT_EQ(pixel[3], 255);
  }
}

TEST(PanelTable, AnIdentityChangesNothing) {
  const ColorLut line{.side = 2, .entries = {{0, 0, 0}, {1, 1, 1}}};
  for (const ColorLut& lut : {line, panel_cube(2, same_colour), panel_cube(33, same_colour),
                              panel_cube(65, same_colour)}) {
    EXPECT_EQ(panel_shows(PanelTable(kNoGain, 1, &lut), panel_noise(), detect_cpu()), panel_noise())
        << lut.is_cube << " " << lut.side;
  }
}

TEST(PanelTable, ACurveIsInterpolatedWithinItsDomain) {
  const ColorLut lut{.side = 3,
                     .domain_min = {0.25, 0.25, 0.25},
                     .domain_max = {0.75, 0.75, 0.75},
                     .entries = {{0.1F, 1, 0}, {0.2F, 0, 0}, {0.8F, 0.5F, 2}}};
  const PanelTable table(kNoGain, 1, &lut);
  for (int level = 0; level < 256; ++level) {
    const auto stored = static_cast<uint8_t>(level);
    uint8_t pixel[4] = {stored, stored, stored, 255};
    table.apply({pixel, 4}, {pixel, 4}, 1, 1, detect_cpu());
    const double at = std::clamp(level / 255.0, 0.25, 0.75);
    EXPECT_NEAR(pixel[2], 255 * (at < 0.5 ? 0.1 + 0.4 * (at - 0.25) : 0.2 + 2.4 * (at - 0.5)),
                0.51);
    EXPECT_NEAR(pixel[1], 255 * (at < 0.5 ? 1 - 4 * (at - 0.25) : 2 * (at - 0.5)), 0.51);
    EXPECT_NEAR(pixel[0], 255 * (at < 0.5 ? 0 : std::min(1.0, 8 * (at - 0.5))), 0.51);
  }
}

// Walks from the corner below the colour along the axes, the greatest fraction first.
Signal tetrahedral(const ColorLut& lut, const Signal& at) {
  std::array<int, 3> corner{};
  std::array<double, 3> fraction{};
  std::array<size_t, 3> order{0, 1, 2};
  for (size_t i = 0; i < 3; ++i) {
    const double place = at[i] * (lut.side - 1);
    corner[i] = std::min(static_cast<int>(place), lut.side - 2);
    fraction[i] = place - corner[i];
  }
  std::ranges::sort(order, [&](size_t a, size_t b) { return fraction[a] > fraction[b]; });
  const auto value = [&](size_t channel) {
    const int index = (corner[2] * lut.side + corner[1]) * lut.side + corner[0];
    return static_cast<double>(lut.entries[static_cast<size_t>(index)][channel]);
  };
  Signal sum{};
  for (size_t c = 0; c < 3; ++c) sum[c] = value(c);
  for (const size_t axis : order) {
    Signal before{};
    for (size_t c = 0; c < 3; ++c) before[c] = value(c);
    ++corner[axis];
    for (size_t c = 0; c < 3; ++c) sum[c] += fraction[axis] * (value(c) - before[c]);
  }
  return sum;
}

TEST(PanelTable, ACubeIsInterpolatedByTetrahedra) {
  std::mt19937 random(6);
  std::uniform_real_distribution<float> any(0, 1);
  for (const int side : {2, 5, 65}) {
    const ColorLut lut = panel_cube(side, [&](const Signal&) {
      return std::array<float, 3>{any(random), any(random), any(random)};
    });
    const PanelTable table({1, 0.5, 2}, 1, &lut);
    const Bytes noise = panel_noise();
    const Bytes shown = panel_shows(table, noise, CpuLevel::kReference);
    for (size_t i = 0; i < noise.size(); i += 4) {
      const Signal expected = tetrahedral(
          lut, {noise[i + 2] / 255.0, noise[i + 1] / 510.0, std::min(1.0, 2 * noise[i] / 255.0)});
      for (size_t c = 0; c < 3; ++c) ASSERT_NEAR(shown[i + 2 - c], 255 * expected[c], 0.6) << side;
    }
    for (const CpuLevel cpu : available_levels()) {
      EXPECT_EQ(panel_shows(table, noise, cpu), shown) << cpu_level_name(cpu);
    }
  }
}

}  // namespace
}  // namespace codecs::test
