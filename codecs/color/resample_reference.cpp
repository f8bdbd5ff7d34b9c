#include "codecs/color/resample.h"
#include "codecs/simd/kernels_reference.h"

namespace codecs::reference {
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
