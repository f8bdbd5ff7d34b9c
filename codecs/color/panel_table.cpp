#include "codecs/color/panel_table.h"

#include <algorithm>
#include <cmath>

#include "codecs/simd/kernels.h"

namespace codecs {
namespace {

constexpr int kSignalLevels = 256;
constexpr int kPanelColumns = 256;  // pixels of a piece; its rows stay in the first-level cache
constexpr int kCubeUnit = 1 << PanelTable::kLevelBits;
static_assert(PanelTable::kLevelBits == ColorCube::kLevelBits);
static_assert(PanelTable::kFractionBits == ColorCube::kFractionBits);

// The place of a signal on an axis of the table, in entries.
double lut_place(const ColorLut& lut, size_t channel, double signal) {
  const double low = lut.domain_min[channel];
  const double share = (signal - low) / (lut.domain_max[channel] - low);
  return std::clamp(share, 0.0, 1.0) * (lut.side - 1);
}

double curve_value(const ColorLut& lut, size_t channel, double place) {
  const auto first = std::min(static_cast<size_t>(place), lut.entries.size() - 2);
  const double weight = place - static_cast<double>(first);
  return (1 - weight) * lut.entries[first][channel] + weight * lut.entries[first + 1][channel];
}

int32_t shown_level(double signal) {
  return static_cast<int32_t>(std::lround(std::clamp(signal, 0.0, 1.0) * (kSignalLevels - 1)));
}

// In the order of ColorCube.
std::vector<int16_t> cube_nodes_of(const ColorLut& lut) {
  std::vector<int16_t> nodes(lut.entries.size() * ColorCube::kNodeWords);
  const auto side = static_cast<size_t>(lut.side);
  int16_t* node = nodes.data();
  for (size_t i = 0; i < lut.entries.size(); ++i, node += ColorCube::kNodeWords) {
    const size_t red = i / (side * side), green = i / side % side, blue = i % side;
    const auto& entry = lut.entries[(blue * side + green) * side + red];
    for (size_t c = 0; c < entry.size(); ++c) {
      const double shown = std::clamp(static_cast<double>(entry[c]), 0.0, 1.0);
      node[c] = static_cast<int16_t>(std::lround(shown * (kSignalLevels - 1) * kCubeUnit));
    }
  }
  return nodes;
}

}  // namespace

PanelTable::PanelTable(const std::array<double, 3>& gain, double gamma, const ColorLut* lut) {
  const bool is_cube = lut != nullptr && lut->is_cube;
  if (is_cube) {
    side_ = lut->side;
    nodes_ = cube_nodes_of(*lut);
  }
  constexpr double kStep = 1 << kFractionBits;
  const int32_t last = static_cast<int32_t>(kStep) * (side_ - 1) - 1;
  for (size_t channel = 0; channel < gain.size(); ++channel) {
    for (int level = 0; level < kSignalLevels; ++level) {
      const double stored = static_cast<double>(level) / (kSignalLevels - 1);
      const double signal = std::min(1.0, gain[channel] * std::pow(stored, gamma));
      int32_t& result = curves_[channel][static_cast<size_t>(level)];
      if (lut == nullptr) {
        result = shown_level(signal);
        continue;
      }
      const double place = lut_place(*lut, channel, signal);
      result = is_cube ? std::min(static_cast<int32_t>(std::lround(place * kStep)), last)
                       : shown_level(curve_value(*lut, channel, place));
    }
  }
}

void PanelTable::apply(const BgraTarget& from, const BgraTarget& to, int width, int height,
                       CpuLevel cpu) const {
  const KernelSet& kernels = kernels_for(cpu);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; x += kPanelColumns) {
      const uint8_t* read = from.pixels + y * from.stride + x * kBgraBytes;
      uint8_t* write = to.pixels + y * to.stride + x * kBgraBytes;
      const int count = std::min(kPanelColumns, width - x);
      if (side_ == 0) {
        apply_curves(read, write, count);
      } else {
        apply_cube(read, write, count, kernels);
      }
    }
  }
}

void PanelTable::apply_curves(const uint8_t* from, uint8_t* to, int count) const {
  for (int i = 0; i < count; ++i, from += kBgraBytes, to += kBgraBytes) {
    to[0] = static_cast<uint8_t>(curves_[2][from[0]]);
    to[1] = static_cast<uint8_t>(curves_[1][from[1]]);
    to[2] = static_cast<uint8_t>(curves_[0][from[2]]);
    to[3] = 255;
  }
}

void PanelTable::apply_cube(const uint8_t* from, uint8_t* to, int count,
                            const KernelSet& kernels) const {
  static constexpr auto kRound = [] {
    std::array<int16_t, kPanelColumns> half{};
    half.fill(kCubeUnit / 2);
    return half;
  }();
  int32_t places[3][kPanelColumns];
  int16_t levels[3][kPanelColumns];
  for (int i = 0; i < count; ++i, from += kBgraBytes) {
    for (size_t c = 0; c < 3; ++c) places[c][i] = curves_[c][from[2 - c]];
  }
  const ColorCube cube{.nodes = nodes_.data(), .side = side_, .gain = 1 << ColorCube::kShift};
  const int32_t* const samples[3] = {places[0], places[1], places[2]};
  int16_t* const results[3] = {levels[0], levels[1], levels[2]};
  kernels.map_colors(cube, samples, count, results);
  const int16_t* const rows[3] = {levels[0], levels[1], levels[2]};
  kernels.samples->merge_levels(rows, count, kRound.data(), to);
}

}  // namespace codecs
