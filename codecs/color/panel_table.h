// Changes the pixels of a finished picture for one panel: gain and gamma of each channel, then a
// table as .cube files have it (1-D, or 3-D with tetrahedral interpolation).
//
// All results are integers from tables, so shaders can compute the same bits. Immutable.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"

namespace codecs {

struct KernelSet;

// Signals are 0 … 1.
struct ColorLut {
  static constexpr int kMaxCurveSide = 65536;
  static constexpr int kMaxCubeSide = 65;

  bool is_cube = false;
  int side = 0;  // entries along an axis, at least 2
  std::array<double, 3> domain_min{0, 0, 0};
  std::array<double, 3> domain_max{1, 1, 1};  // greater than domain_min on each axis
  // side or side³ colours, red, green, blue. In a cube red changes fastest, blue slowest.
  std::vector<std::array<float, 3>> entries;
};

class PanelTable {
 public:
  // lut: null for none.
  PanelTable(const std::array<double, 3>& gain, double gamma, const ColorLut* lut);

  // Writes the changed pixels; `from` and `to` may be the same.
  void apply(const BgraTarget& from, const BgraTarget& to, int width, int height,
             CpuLevel cpu) const;

  // --- for shaders
  static constexpr int kFractionBits = 14;  // bits of a position in a cube below one step
  static constexpr int kLevelBits = 7;      // bits of a node below one of 255 levels
  // Three curves, for red, green and blue. They give the result for each level or, with a cube, the
  // position on its axis, which is less than that of the last node.
  const std::array<std::array<int32_t, 256>, 3>& curves() const { return curves_; }
  int cube_side() const { return side_; }  // 0: no cube
  // side³ nodes of red, green, blue and 0; blue changes fastest.
  const std::vector<int16_t>& cube_nodes() const { return nodes_; }

 private:
  void apply_curves(const uint8_t* from, uint8_t* to, int count) const;
  void apply_cube(const uint8_t* from, uint8_t* to, int count, const KernelSet& kernels) const;

  std::array<std::array<int32_t, 256>, 3> curves_;
  int side_ = 0;
  std::vector<int16_t> nodes_;
};

}  // namespace codecs
