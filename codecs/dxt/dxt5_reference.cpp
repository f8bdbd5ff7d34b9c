#include "codecs/dxt/dxt5_reference.h"

#include <algorithm>
#include <cstring>

#include "codecs/dxt/dxt1_block.h"
#include "codecs/dxt/dxt5_fit.h"
#include "codecs/simd/kernels_reference.h"

namespace codecs::reference {
namespace {

// A step's index in a block of eight levels: alpha0, alpha1, then the levels between.
constexpr uint8_t kAlphaIndex[8] = {0, 2, 3, 4, 5, 6, 7, 1};

AlphaTexels load_alpha(const PixelStrip& strip, int block) {
  AlphaTexels texels;
  for (int i = 0; i < 16; ++i) {
    texels.at[i] = strip.rows[i / 4][ptrdiff_t{16} * block + ptrdiff_t{4} * (i % 4) + 3];
  }
  return texels;
}

// No inset: opaque and transparent texels stay exact.
void encode_strip(const PixelStrip& strip, EncodeStrip encode_colours, uint8_t* blocks) {
  uint8_t colours[kStripBlocks * kDxt1BlockBytes];
  encode_colours(strip, colours);
  for (int i = 0; i < strip.blocks; ++i, blocks += kDxt5BlockBytes) {
    const AlphaTexels texels = load_alpha(strip, i);
    const auto [low, high] = std::minmax_element(std::begin(texels.at), std::end(texels.at));
    const uint64_t alpha = encode_alpha(texels, *high, *low);
    std::memcpy(blocks, &alpha, sizeof(alpha));
    std::memcpy(blocks + sizeof(alpha), colours + ptrdiff_t{kDxt1BlockBytes} * i, kDxt1BlockBytes);
  }
}

}  // namespace

AlphaTexels alpha_steps(const AlphaTexels& texels, int high, int low) {
  const auto search = alpha_search<int32_t>(high, low);
  AlphaTexels steps;
  for (int i = 0; i < 16; ++i) {
    const int d = std::max(high - texels.at[i], 0);
    const int step = (8 * d + search.bias) * search.multiplier >> 16;
    steps.at[i] = static_cast<uint8_t>(std::min(step, kAlphaSteps));
  }
  return steps;
}

uint64_t encode_alpha(const AlphaTexels& texels, int high, int low) {
  const AlphaTexels steps = alpha_steps(texels, high, low);
  uint64_t block = static_cast<uint64_t>(high | low << 8);
  for (int i = 0; i < 16; ++i) {
    block |= uint64_t{kAlphaIndex[steps.at[i]]} << (16 + 3 * i);
  }
  return block;
}

AlphaTexels decode_alpha(const uint8_t* block) {
  uint64_t bits;
  std::memcpy(&bits, block, sizeof(bits));
  const int alpha0 = block[0], alpha1 = block[1];
  const int steps = alpha0 > alpha1 ? 7 : 5;
  int levels[8] = {alpha0, alpha1, 0, 0, 0, 0, 0, 255};
  for (int i = 1; i < steps; ++i) levels[1 + i] = ((steps - i) * alpha0 + i * alpha1) / steps;
  AlphaTexels texels;
  for (int i = 0; i < 16; ++i) {
    texels.at[i] = static_cast<uint8_t>(levels[bits >> (16 + 3 * i) & 7]);
  }
  return texels;
}

FourColours four_colours(uint32_t endpoints) {
  FourColours colours{};
  for (int c = 0; c < 3; ++c) {
    const int e0 = expand_565(static_cast<int>(endpoints & 0xffff), c, ChannelOrder::kBgra);
    const int e1 = expand_565(static_cast<int>(endpoints >> 16), c, ChannelOrder::kBgra);
    colours.at[0][c] = static_cast<uint8_t>(e0);
    colours.at[1][c] = static_cast<uint8_t>(e1);
    colours.at[2][c] = static_cast<uint8_t>((2 * e0 + e1) / 3);
    colours.at[3][c] = static_cast<uint8_t>((e0 + 2 * e1) / 3);
  }
  return colours;
}

void dxt5_encode_fast(const PixelStrip& strip, uint8_t* blocks) {
  encode_strip(strip, dxt1_encode_fast, blocks);
}
void dxt5_encode_good(const PixelStrip& strip, uint8_t* blocks) {
  encode_strip(strip, dxt1_encode_good, blocks);
}

void dxt5_decode(const uint8_t* blocks, int count, uint8_t* pixels, ptrdiff_t stride) {
  for (int i = 0; i < count; ++i, blocks += kDxt5BlockBytes, pixels += 16) {
    const AlphaTexels alpha = decode_alpha(blocks);
    Dxt1Block block;
    std::memcpy(&block, blocks + 8, sizeof(block));
    const FourColours colours = four_colours(block.endpoints);
    for (int texel = 0; texel < 16; ++texel) {
      uint8_t* out = pixels + stride * (texel / 4) + ptrdiff_t{4} * (texel % 4);
      std::memcpy(out, colours.at[block.indices >> (2 * texel) & 3], 3);
      out[3] = alpha.at[texel];
    }
  }
}

}  // namespace codecs::reference
