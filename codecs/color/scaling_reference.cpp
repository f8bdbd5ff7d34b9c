#include "codecs/color/scaling.h"
#include "codecs/simd/kernels.h"

namespace codecs::reference {

void reduce_row(const PixelSquares& squares, uint8_t* bgra) {
  const int side = 1 << squares.reduction;
  const int area = side * side;
  for (int i = 0; i < squares.count; ++i, bgra += 4) {
    int sums[4] = {};
    for (int y = 0; y < side; ++y) {
      const uint8_t* pixel = squares.pixels + squares.stride * y + ptrdiff_t{4} * side * i;
      for (int byte = 0; byte < 4 * side; ++byte) sums[byte % 4] += pixel[byte];
    }
    const int blue = squares.order == ChannelOrder::kBgra ? 0 : 2;
    bgra[0] = static_cast<uint8_t>((sums[blue] + area / 2) / area);
    bgra[1] = static_cast<uint8_t>((sums[1] + area / 2) / area);
    bgra[2] = static_cast<uint8_t>((sums[2 - blue] + area / 2) / area);
    bgra[3] = static_cast<uint8_t>((sums[3] + area / 2) / area);
  }
}

namespace {

uint8_t mix(int a, int b, int weight) {
  return static_cast<uint8_t>((a * (256 - weight) + b * weight + 128) >> 8);
}

}  // namespace

void scale_row(const uint8_t* source, const ColumnTaps& columns, uint8_t* bgra) {
  for (int i = 0; i < columns.count; ++i, bgra += 4) {
    const Tap& tap = columns.taps[i];
    const uint8_t* first = source + ptrdiff_t{4} * tap.first;
    const uint8_t* second = source + ptrdiff_t{4} * tap.second;
    for (int c = 0; c < 4; ++c) bgra[c] = mix(first[c], second[c], tap.weight);
  }
}

void blend_rows(const uint8_t* upper, const uint8_t* lower, int weight, size_t bytes,
                uint8_t* out) {
  for (size_t i = 0; i < bytes; ++i) out[i] = mix(upper[i], lower[i], weight);
}

}  // namespace codecs::reference
