#include "codecs/simd/kernels_reference.h"

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

}  // namespace codecs::reference
