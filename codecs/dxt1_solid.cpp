#include "codecs/dxt1_solid.h"

#include <algorithm>
#include <array>

namespace codecs {
namespace {

struct EndpointPair {
  uint8_t near;  // counts twice
  uint8_t far;
};

constexpr int expand(int value, int bits) {
  return value << (8 - bits) | value >> (2 * bits - 8);
}

// For every 8-bit value the pair whose (2 · near + far) / 3 comes nearest, of those the closest
// pair: decoders differ least there.
constexpr std::array<EndpointPair, 256> best_pairs(int bits) {
  constexpr int kNone = 256;
  std::array<EndpointPair, 256> pairs{};
  std::array<int, 256> spread{};
  for (int& s : spread) s = kNone;
  for (int near = 0; near < 1 << bits; ++near) {
    for (int far = 0; far < 1 << bits; ++far) {
      const auto value = static_cast<size_t>((2 * expand(near, bits) + expand(far, bits)) / 3);
      const int distance = near > far ? near - far : far - near;
      if (distance < spread[value]) {
        spread[value] = distance;
        pairs[value] = {static_cast<uint8_t>(near), static_cast<uint8_t>(far)};
      }
    }
  }
  std::array<EndpointPair, 256> best{};
  for (size_t value = 0; value < 256; ++value) {
    size_t below = value, above = value;
    while (below > 0 && spread[below] == kNone) --below;
    while (above < 255 && spread[above] == kNone) ++above;
    best[value] = pairs[value - below <= above - value ? below : above];
  }
  return best;
}

constexpr auto kBest5 = best_pairs(5);
constexpr auto kBest6 = best_pairs(6);

}  // namespace

Dxt1Block solid_block(uint32_t least, uint32_t greatest, ChannelOrder order) {
  EndpointPair pair[3];
  for (int c = 0; c < 3; ++c) {
    const auto value = static_cast<size_t>((byte_of(least, c) + byte_of(greatest, c) + 1) >> 1);
    pair[c] = c == 1 ? kBest6[value] : kBest5[value];
  }
  if (order == ChannelOrder::kBgra) std::swap(pair[0], pair[2]);
  const uint32_t near =
      static_cast<uint32_t>(pair[0].near << 11 | pair[1].near << 5 | pair[2].near);
  const uint32_t far = static_cast<uint32_t>(pair[0].far << 11 | pair[1].far << 5 | pair[2].far);
  if (near == far) return {near | far << 16, 0};
  // Four-colour blocks want colour0 > colour1; the other way round the same colour is index 3.
  if (near > far) return {near | far << 16, 0xaaaaaaaa};
  return {far | near << 16, 0xffffffff};
}

}  // namespace codecs
