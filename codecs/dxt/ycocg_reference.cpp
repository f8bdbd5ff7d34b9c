#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "codecs/dxt/dxt1_block.h"
#include "codecs/dxt/dxt5_reference.h"
#include "codecs/dxt/ycocg_decode.h"
#include "codecs/dxt/ycocg_fit.h"
#include "codecs/dxt/ycocg_solid.h"
#include "codecs/simd/kernels_reference.h"

namespace codecs::reference {
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

void encode_strip(const PixelStrip& strip, bool refit, uint8_t* blocks) {
  for (int i = 0; i < strip.blocks; ++i) {
    encode(load(strip, i), refit, blocks + kDxt5BlockBytes * static_cast<size_t>(i));
  }
}

}  // namespace

void ycocg_encode_fast(const PixelStrip& strip, uint8_t* blocks) {
  encode_strip(strip, false, blocks);
}
void ycocg_encode_good(const PixelStrip& strip, uint8_t* blocks) {
  encode_strip(strip, true, blocks);
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
