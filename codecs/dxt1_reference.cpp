#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "codecs/dxt.h"
#include "codecs/dxt1_block.h"
#include "codecs/dxt1_fit.h"
#include "codecs/dxt1_solid.h"
#include "codecs/kernels_reference.h"

namespace codecs::reference {
namespace {

// The sixteen pixels of a texel block, row by row.
struct Texels {
  uint8_t at[16][4];
};

Texels load(const PixelStrip& strip, int block) {
  Texels texels;
  for (int row = 0; row < 4; ++row) {
    std::memcpy(texels.at[4 * row], strip.rows[row] + ptrdiff_t{16} * block, 16);
  }
  return texels;
}

int average(int a, int b) {
  return (a + b + 1) >> 1;
}

// Whether one channel falls where the other rises: the sign of their covariance over the block, its
// rows averaged in pairs and halved so that vector code can work on bytes.
bool falls_against(const Texels& texels, int channel, int other) {
  int products = 0, sum = 0, other_sum = 0;
  for (int pair = 0; pair < 16; pair += 8) {
    for (int x = 0; x < 4; ++x) {
      const uint8_t* upper = texels.at[pair + x];
      const uint8_t* lower = texels.at[pair + 4 + x];
      const int value = average(upper[channel], lower[channel]) >> 1;
      const int other_value = average(upper[other], lower[other]) >> 1;
      products += value * other_value;
      sum += value;
      other_sum += other_value;
    }
  }
  return 8 * products < sum * other_sum;
}

uint32_t falls_of(const Texels& texels) {
  return uint32_t{falls_against(texels, 0, 1)} << kChannel0Falls |
         uint32_t{falls_against(texels, 2, 1)} << kChannel2Falls |
         uint32_t{falls_against(texels, 0, 2)} << kChannels02Fall;
}

uint32_t box_of(const Texels& texels, bool greatest) {
  uint32_t box = 0;
  for (int c = 0; c < 3; ++c) {
    int value = texels.at[0][c];
    for (const auto& texel : texels.at) {
      value = greatest ? std::max<int>(value, texel[c]) : std::min<int>(value, texel[c]);
    }
    box |= static_cast<uint32_t>(value) << (8 * c);
  }
  return box;
}

uint32_t indices_of(const Texels& texels, uint32_t endpoints, ChannelOrder order) {
  const auto search = index_search(static_cast<int32_t>(endpoints), order);
  const int middle = static_cast<int16_t>(search.middle & 0xffff);
  const int inner = static_cast<int16_t>(search.inner & 0xffff);
  uint32_t indices = 0;
  for (int i = 0; i < 16; ++i) {
    int t = -middle;
    for (int c = 0; c < 3; ++c) {
      t += static_cast<int8_t>(search.weights >> (8 * c) & 0xff) * texels.at[i][c];
    }
    const uint32_t nearer_colour1 = t < 0;
    const uint32_t is_inner = std::abs(t) < inner;
    indices |= (nearer_colour1 | is_inner << 1) << (2 * i);
  }
  return indices;
}

// How far each index lies from colour1 towards colour0, in thirds.
constexpr int kThirds[4] = {3, 0, 2, 1};

RefitSums<int32_t> refit_sums(const Texels& texels, uint32_t indices) {
  RefitSums<int32_t> sums{};
  for (int i = 0; i < 16; ++i) {
    const int thirds = kThirds[indices >> (2 * i) & 3];
    for (int c = 0; c < 3; ++c) {
      sums.weighted[c] += thirds * texels.at[i][c];
      sums.plain[c] += texels.at[i][c];
    }
    sums.weighted[3] += thirds * thirds;
    sums.plain[3] += thirds;
  }
  return sums;
}

Dxt1Block encode(const Texels& texels, bool refit, ChannelOrder order) {
  const uint32_t least = box_of(texels, false);
  const uint32_t greatest = box_of(texels, true);
  int32_t endpoints =
      box_endpoints(static_cast<int32_t>(least), static_cast<int32_t>(greatest),
                    static_cast<int32_t>(falls_of(texels)), refit ? kGoodInset : kFastInset, order);
  uint32_t indices = indices_of(texels, static_cast<uint32_t>(endpoints), order);
  if (refit) {
    endpoints = refit_endpoints(endpoints, refit_sums(texels, indices), order);
    indices = indices_of(texels, static_cast<uint32_t>(endpoints), order);
  }
  const Dxt1Block block{static_cast<uint32_t>(endpoints), indices};
  return is_solid(block.endpoints) ? solid_block(least, greatest, order) : block;
}

void encode_strip(const PixelStrip& strip, bool refit, uint8_t* blocks) {
  for (int i = 0; i < strip.blocks; ++i) {
    const Dxt1Block block = encode(load(strip, i), refit, strip.order);
    std::memcpy(blocks + kDxt1BlockBytes * static_cast<size_t>(i), &block, sizeof(block));
  }
}

}  // namespace

void dxt1_encode_fast(const PixelStrip& strip, uint8_t* blocks) {
  encode_strip(strip, false, blocks);
}
void dxt1_encode_good(const PixelStrip& strip, uint8_t* blocks) {
  encode_strip(strip, true, blocks);
}

void dxt1_decode(const uint8_t* blocks, int count, uint8_t* pixels, ptrdiff_t stride) {
  for (int i = 0; i < count; ++i, blocks += kDxt1BlockBytes, pixels += 16) {
    Dxt1Block block;
    std::memcpy(&block, blocks, sizeof(block));
    const int colour0 = static_cast<int>(block.endpoints & 0xffff);
    const int colour1 = static_cast<int>(block.endpoints >> 16);
    uint8_t palette[4][4];
    for (int c = 0; c < 3; ++c) {
      const int e0 = expand_565(colour0, c, ChannelOrder::kBgra);
      const int e1 = expand_565(colour1, c, ChannelOrder::kBgra);
      const bool four_colours = colour0 > colour1;
      palette[0][c] = static_cast<uint8_t>(e0);
      palette[1][c] = static_cast<uint8_t>(e1);
      palette[2][c] = static_cast<uint8_t>(four_colours ? (2 * e0 + e1) / 3 : (e0 + e1) / 2);
      palette[3][c] = static_cast<uint8_t>(four_colours ? (e0 + 2 * e1) / 3 : 0);
    }
    for (auto& entry : palette) entry[3] = 255;
    for (int texel = 0; texel < 16; ++texel) {
      std::memcpy(pixels + stride * (texel / 4) + ptrdiff_t{4} * (texel % 4),
                  palette[block.indices >> (2 * texel) & 3], 4);
    }
  }
}

}  // namespace codecs::reference
