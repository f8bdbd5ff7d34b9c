#include <algorithm>
#include <utility>

#include "codecs/simd/kernels.h"

namespace codecs::reference {
namespace {

int cube_position(const ColorCube& cube, int32_t sample) {
  constexpr int kHalf = 1 << (ColorCube::kShift - 1);
  const int last = ((cube.side - 1) << ColorCube::kFractionBits) - 1;
  return std::min((cube.gain * sample + kHalf) >> ColorCube::kShift, last);
}

// One way from a cube's corner to the opposite one, along the edges.
struct CubePath {
  int node;
  int steps[3];    // from corner to corner
  int weights[4];  // weights of the corners
};

CubePath cube_path(const ColorCube& cube, const int32_t sample[3]) {
  constexpr int kOne = 1 << ColorCube::kFractionBits;
  const int strides[3] = {cube.side * cube.side, cube.side, 1};
  CubePath path{};
  int fractions[3];
  for (int axis = 0; axis < 3; ++axis) {
    const int position = cube_position(cube, sample[axis]);
    path.node += (position >> ColorCube::kFractionBits) * strides[axis];
    fractions[axis] = position & (kOne - 1);
    path.steps[axis] = axis;
  }
  if (fractions[path.steps[0]] < fractions[path.steps[1]]) std::swap(path.steps[0], path.steps[1]);
  if (fractions[path.steps[1]] < fractions[path.steps[2]]) std::swap(path.steps[1], path.steps[2]);
  if (fractions[path.steps[0]] < fractions[path.steps[1]]) std::swap(path.steps[0], path.steps[1]);
  int rest = kOne;
  for (int i = 0; i < 3; ++i) {
    const int fraction = fractions[path.steps[i]];
    path.weights[i] = rest - fraction;
    rest = fraction;
    path.steps[i] = strides[path.steps[i]];
  }
  path.weights[3] = rest;
  return path;
}

}  // namespace

void map_colors(const ColorCube& cube, SampleRows<int32_t> samples, int count,
                int16_t* const levels[3]) {
  for (int i = 0; i < count; ++i) {
    const int32_t sample[3] = {samples[0][i], samples[1][i], samples[2][i]};
    const CubePath path = cube_path(cube, sample);
    int sums[3] = {};
    int node = path.node;
    for (int corner = 0; corner < 4; ++corner) {
      const int16_t* value = cube.nodes + ptrdiff_t{ColorCube::kNodeWords} * node;
      for (int c = 0; c < 3; ++c) sums[c] += value[c] * path.weights[corner];
      if (corner < 3) node += path.steps[corner];
    }
    constexpr int kHalf = 1 << (ColorCube::kFractionBits - 1);
    for (int c = 0; c < 3; ++c) {
      levels[c][i] = static_cast<int16_t>((sums[c] + kHalf) >> ColorCube::kFractionBits);
    }
  }
}

}  // namespace codecs::reference
