// Interpolation in a ColorCube for any vector width.
#pragma once

#include "codecs/simd/kernels.h"

namespace codecs {

template <class V>
struct CubeVectors {
  using Reg = typename V::Reg;
  using Cube = ColorCube;
  static constexpr int kPixels = V::kBytes / 4;

  static Reg position(const Cube& cube, Reg samples) {
    const Reg sum =
        V::add32(V::multiply32(samples, V::all32(cube.gain)), V::all32(1 << (Cube::kShift - 1)));
    const Reg last = V::all32(((cube.side - 1) << Cube::kFractionBits) - 1);
    return V::min32(V::template shift_right32<Cube::kShift>(sum), last);
  }

  // The stride of the first axis that is not excluded.
  static Reg stride_of(Reg not_first, Reg not_second, const int32_t strides[3]) {
    const Reg later = V::bit_or(V::and_not(not_second, V::all32(strides[1])),
                                V::bit_and(not_second, V::all32(strides[2])));
    return V::bit_or(V::and_not(not_first, V::all32(strides[0])), V::bit_and(not_first, later));
  }

  // Where the first three corners of each colour's path are, in nodes times kNodeWords; the last
  // one is always equally far from the first. And the weights of two corners each.
  struct Paths {
    alignas(V::kBytes) int32_t corners[3][kPixels];
    Reg first_weights;
    Reg last_weights;
  };

  static void find(const Cube& cube, const Reg samples[3], Paths& paths) {
    const int32_t strides[3] = {Cube::kNodeWords * cube.side * cube.side,
                                Cube::kNodeWords * cube.side, Cube::kNodeWords};
    constexpr int kOne = 1 << Cube::kFractionBits;
    Reg fractions[3];
    Reg node = V::zero();
    for (int axis = 0; axis < 3; ++axis) {
      const Reg at = position(cube, samples[axis]);
      fractions[axis] = V::bit_and(at, V::all32(kOne - 1));
      node = V::add32(node, V::multiply32(V::template shift_right32<Cube::kFractionBits>(at),
                                          V::all32(strides[axis])));
    }
    const Reg greatest = V::max32(V::max32(fractions[0], fractions[1]), fractions[2]);
    const Reg least = V::min32(V::min32(fractions[0], fractions[1]), fractions[2]);
    const Reg middle = V::sub32(V::add32(V::add32(fractions[0], fractions[1]), fractions[2]),
                                V::add32(greatest, least));
    const Reg first = stride_of(V::greater32(greatest, fractions[0]),
                                V::greater32(greatest, fractions[1]), strides);
    const Reg last =
        stride_of(V::greater32(fractions[0], least), V::greater32(fractions[1], least), strides);
    V::store(paths.corners[0], node);
    V::store(paths.corners[1], V::add32(node, first));
    V::store(paths.corners[2],
             V::add32(node, V::sub32(V::all32(strides[0] + strides[1] + strides[2]), last)));
    paths.first_weights = V::bit_or(V::sub32(V::all32(kOne), greatest),
                                    V::template shift_left32<16>(V::sub32(greatest, middle)));
    paths.last_weights = V::bit_or(V::sub32(middle, least), V::template shift_left32<16>(least));
  }

  // Sums of pixel kPixel of each lane: three levels and 0.
  template <int kPixel>
  static Reg blend(const Cube& cube, const Paths& paths) {
    const ptrdiff_t across = ptrdiff_t{Cube::kNodeWords} * (cube.side * cube.side + cube.side + 1);
    const Reg a = V::load_quads(cube.nodes, paths.corners[0] + kPixel);
    const Reg b = V::load_quads(cube.nodes, paths.corners[1] + kPixel);
    const Reg c = V::load_quads(cube.nodes, paths.corners[2] + kPixel);
    const Reg d = V::load_quads(cube.nodes + across, paths.corners[0] + kPixel);
    constexpr int kOrder = kPixel * 0x55;
    const Reg first =
        V::multiply_pairs16(V::low16(a, b), V::template shuffle32<kOrder>(paths.first_weights));
    const Reg last =
        V::multiply_pairs16(V::low16(c, d), V::template shuffle32<kOrder>(paths.last_weights));
    const Reg half = V::all32(1 << (Cube::kFractionBits - 1));
    return V::template shift_right32<Cube::kFractionBits>(V::add32(V::add32(first, last), half));
  }

  // Words of kPixels pixels: in each lane, four of the first result and four of the second; four of
  // the third and zeros.
  struct Words {
    Reg first_two;
    Reg third;
  };
  static Words interpolate(const Cube& cube, SampleRows<int32_t> samples, ptrdiff_t at) {
    const Reg pixels[3] = {V::load(samples[0] + at), V::load(samples[1] + at),
                           V::load(samples[2] + at)};
    Paths paths;
    find(cube, pixels, paths);
    const Reg even = V::pack32(blend<0>(cube, paths), blend<1>(cube, paths));
    const Reg odd = V::pack32(blend<2>(cube, paths), blend<3>(cube, paths));
    const Reg low = V::low16(even, odd), high = V::high16(even, odd);
    return {V::low16(low, high), V::high16(low, high)};
  }

  static void run(const Cube& cube, SampleRows<int32_t> samples, ptrdiff_t at,
                  int16_t* const levels[3]) {
    const Words a = interpolate(cube, samples, at);
    const Words b = interpolate(cube, samples, at + kPixels);
    V::store(levels[0] + at, V::by_qword(V::low64(a.first_two, b.first_two)));
    V::store(levels[1] + at, V::by_qword(V::high64(a.first_two, b.first_two)));
    V::store(levels[2] + at, V::by_qword(V::low64(a.third, b.third)));
  }
};

// The last vector is shifted back to overlap pixels already done.
template <class V>
void map_colors(const ColorCube& cube, SampleRows<int32_t> samples, int count,
                int16_t* const levels[3]) {
  constexpr int kStep = 2 * CubeVectors<V>::kPixels;
  if (count < kStep) return reference::map_colors(cube, samples, count, levels);
  for (int i = 0; i < count; i += kStep) {
    CubeVectors<V>::run(cube, samples, i + kStep <= count ? i : count - kStep, levels);
  }
}

}  // namespace codecs
