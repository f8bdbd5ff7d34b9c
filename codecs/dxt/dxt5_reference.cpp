// DXT5 and DXT5-YCoCg, which stores Y as alpha.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "codecs/dxt/dxt1_block.h"
#include "codecs/dxt/dxt1_solid.h"
#include "codecs/dxt/dxt_fit.h"
#include "codecs/dxt/ycocg_fit.h"
#include "codecs/simd/kernels.h"

namespace codecs::reference {
namespace {

// A step's index in a block of eight levels: alpha0, alpha1, then the levels between.
constexpr uint8_t kAlphaIndex[8] = {0, 2, 3, 4, 5, 6, 7, 1};

// The sixteen values of an alpha block, row by row.
struct AlphaTexels {
  uint8_t at[16];
};

// The four colours of a DXT5 colour block: B, G, R, 0.
struct FourColours {
  uint8_t at[4][4];
};

// Steps down from `high` to `low`, 0 … 7.
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

// Encodes eight bytes with eight levels from `high` (alpha0) down to `low`.
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

namespace {

struct YCoCgTexels {
  uint8_t co[16];
  uint8_t cg[16];
  AlphaTexels y;
};

YCoCgTexels load(const PixelStrip& strip, int block) {
  YCoCgTexels texels;
  for (int i = 0; i < 16; ++i) {
    const uint8_t* pixel = strip.rows[i / 4] + ptrdiff_t{16} * block + ptrdiff_t{4} * (i % 4);
    const bool rgba = strip.order == ChannelOrder::kRgba;
    const int red = pixel[rgba ? 0 : 2], green = pixel[1], blue = pixel[rgba ? 2 : 0];
    const int middle = (red + blue) >> 1;
    texels.y.at[i] = static_cast<uint8_t>((middle + green + 1) >> 1);
    texels.co[i] = static_cast<uint8_t>((256 + red - blue) >> 1);
    texels.cg[i] = static_cast<uint8_t>((256 + green - middle) >> 1);
  }
  return texels;
}

// Extremes of Co, Cg and Y, one byte each.
int32_t box_of(const YCoCgTexels& texels, bool greatest) {
  const auto extreme = [greatest](const uint8_t(&values)[16]) {
    const auto [least, most] = std::minmax_element(std::begin(values), std::end(values));
    return greatest ? *most : *least;
  };
  return extreme(texels.co) | extreme(texels.cg) << 8 | extreme(texels.y.at) << 16;
}

// About 128 times the covariance of Co and Cg: Co is halved to fit vectors of bytes.
int32_t covariance(const YCoCgTexels& texels) {
  int products = 0, co_sum = 0, cg_sum = 0;
  for (int i = 0; i < 16; ++i) {
    const int co = texels.co[i] >> 1, cg = texels.cg[i] - 128;
    products += co * cg;
    co_sum += co;
    cg_sum += cg;
  }
  return 16 * products - co_sum * cg_sum;
}

uint32_t chroma_indices(const YCoCgTexels& texels, int32_t endpoints, int32_t scale) {
  const auto search = chroma_search(endpoints, scale);
  const int middle = static_cast<int16_t>(search.middle & 0xffff);
  const int inner = static_cast<int16_t>(search.inner & 0xffff);
  uint32_t indices = 0;
  for (int i = 0; i < 16; ++i) {
    const int t = static_cast<int8_t>(search.weights & 0xff) * texels.co[i] +
                  static_cast<int8_t>(search.weights >> 8 & 0xff) * texels.cg[i] - middle;
    const uint32_t nearer_colour1 = t < 0;
    const uint32_t is_inner = std::abs(t) < inner;
    indices |= (nearer_colour1 | is_inner << 1) << (2 * i);
  }
  return indices;
}

// Position of each index from colour1 to colour0, in thirds.
constexpr int kThirds[4] = {3, 0, 2, 1};

YCoCgSums<int32_t> sums_of(const YCoCgTexels& texels, uint32_t indices, const AlphaTexels& steps) {
  YCoCgSums<int32_t> sums{};
  for (int i = 0; i < 16; ++i) {
    const int p = kThirds[indices >> (2 * i) & 3], q = steps.at[i];
    sums.p_co += p * texels.co[i];
    sums.p_cg += p * texels.cg[i];
    sums.p_p += p * p;
    sums.p += p;
    sums.co += texels.co[i];
    sums.cg += texels.cg[i];
    sums.q_y += q * texels.y.at[i];
    sums.q_q += q * q;
    sums.q += q;
    sums.y += texels.y.at[i];
  }
  return sums;
}

void encode(const YCoCgTexels& texels, bool refit, uint8_t* out) {
  const int32_t least = box_of(texels, false), greatest = box_of(texels, true);
  const int32_t scale = chroma_scale(least, greatest);
  YCoCgEnds<int32_t> ends{box_chroma(least, greatest, covariance(texels), scale),
                          box_luma(least, greatest)};
  uint32_t indices = chroma_indices(texels, ends.chroma, scale);
  if (refit) {
    const AlphaTexels steps = alpha_steps(texels.y, ends.luma & 0xff, ends.luma >> 8);
    ends = refit_ycocg(ends, sums_of(texels, indices, steps), scale);
    indices = chroma_indices(texels, ends.chroma, scale);
  }
  const uint64_t luma = encode_alpha(texels.y, ends.luma & 0xff, ends.luma >> 8);
  Dxt1Block chroma{static_cast<uint32_t>(ends.chroma), indices};
  if (is_solid(chroma.endpoints)) {
    chroma = solid_chroma(static_cast<uint32_t>(least), static_cast<uint32_t>(greatest),
                          static_cast<uint32_t>(scale));
  }
  std::memcpy(out, &luma, sizeof(luma));
  std::memcpy(out + sizeof(luma), &chroma, sizeof(chroma));
}

void encode_ycocg_strip(const PixelStrip& strip, bool refit, uint8_t* blocks) {
  for (int i = 0; i < strip.blocks; ++i) {
    encode(load(strip, i), refit, blocks + kDxt5BlockBytes * static_cast<size_t>(i));
  }
}

}  // namespace

void ycocg_encode_fast(const PixelStrip& strip, uint8_t* blocks) {
  encode_ycocg_strip(strip, false, blocks);
}
void ycocg_encode_good(const PixelStrip& strip, uint8_t* blocks) {
  encode_ycocg_strip(strip, true, blocks);
}

void ycocg_decode(const uint8_t* blocks, int count, uint8_t* pixels, ptrdiff_t stride) {
  for (int i = 0; i < count; ++i, blocks += kDxt5BlockBytes, pixels += 16) {
    const AlphaTexels luma = decode_alpha(blocks);
    Dxt1Block block;
    std::memcpy(&block, blocks + 8, sizeof(block));
    const FourColours colours = four_colours(block.endpoints);
    ChromaOffsets<int32_t> offsets[4];
    for (int k = 0; k < 4; ++k) {
      offsets[k] = chroma_offsets<int32_t>(colours.at[k][2], colours.at[k][1], colours.at[k][0]);
    }
    for (int texel = 0; texel < 16; ++texel) {
      const auto& offset = offsets[block.indices >> (2 * texel) & 3];
      uint8_t* out = pixels + stride * (texel / 4) + ptrdiff_t{4} * (texel % 4);
      out[0] = static_cast<uint8_t>(std::clamp(luma.at[texel] + offset.blue, 0, 255));
      out[1] = static_cast<uint8_t>(std::clamp(luma.at[texel] + offset.green, 0, 255));
      out[2] = static_cast<uint8_t>(std::clamp(luma.at[texel] + offset.red, 0, 255));
      out[3] = 255;
    }
  }
}

}  // namespace codecs::reference
