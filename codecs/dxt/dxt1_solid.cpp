#include "codecs/dxt/dxt1_solid.h"

namespace codecs {
namespace {

constexpr int expand(int value, int bits) {
  return value << (8 - bits) | value >> (2 * bits - 8);
}

// For each value, the pair whose (2 · near + far) / 3 is nearest; among equals the closest pair,
// because decoders differ least for it.
constexpr SolidEndpoints best_pairs(int bits) {
  constexpr int kNone = 256;
  SolidEndpoints pairs{};
  std::array<int, 256> spread{};
  for (int& s : spread) s = kNone;
  for (int near = 0; near < 1 << bits; ++near) {
    for (int far = 0; far < 1 << bits; ++far) {
      const auto value = static_cast<size_t>((2 * expand(near, bits) + expand(far, bits)) / 3);
      const int distance = near > far ? near - far : far - near;
      if (distance < spread[value]) {
        spread[value] = distance;
        pairs[value] = static_cast<uint32_t>(near | far << 16);
      }
    }
  }
  SolidEndpoints best{};
  for (size_t value = 0; value < 256; ++value) {
    size_t below = value, above = value;
    while (below > 0 && spread[below] == kNone) --below;
    while (above < 255 && spread[above] == kNone) ++above;
    best[value] = pairs[value - below <= above - value ? below : above];
  }
  return best;
}

}  // namespace

constexpr SolidEndpoints kSolid5Bits = best_pairs(5);
constexpr SolidEndpoints kSolid6Bits = best_pairs(6);

}  // namespace codecs
