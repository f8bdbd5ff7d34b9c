#include "codecs/dxt/squish_encode.h"

#include <squish.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "codecs/dxt/dxt1_block.h"

namespace codecs {
namespace {

// In libsquish's order: R, G, B, A.
Texels load(const PixelStrip& strip, int block) {
  Texels texels = load_texels(strip, block);
  if (strip.order == ChannelOrder::kBgra) {
    for (auto& texel : texels.at) std::swap(texel[0], texel[2]);
  }
  return texels;
}

uint8_t to_byte(float value) {
  return static_cast<uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

// Scaled Co and Cg as red and green, the scale as blue, Y as alpha; see ycocg_fit.h.
struct YCoCgTexels {
  Texels texels;
  int scale;
};

YCoCgTexels to_ycocg(const Texels& rgba) {
  float co[16], cg[16], extent = 0;
  YCoCgTexels out{};
  for (int i = 0; i < 16; ++i) {
    const int red = rgba.at[i][0], green = rgba.at[i][1], blue = rgba.at[i][2];
    co[i] = static_cast<float>(red - blue) / 2;
    cg[i] = static_cast<float>(2 * green - red - blue) / 4;
    extent = std::max({extent, std::abs(co[i]), std::abs(cg[i])});
    out.texels.at[i][3] = static_cast<uint8_t>((red + 2 * green + blue + 2) / 4);
  }
  out.scale = 4 * extent <= 127 ? 4 : 2 * extent <= 127 ? 2 : 1;
  const auto scale = static_cast<float>(out.scale);
  for (int i = 0; i < 16; ++i) {
    out.texels.at[i][0] = to_byte(128 + co[i] * scale);
    out.texels.at[i][1] = to_byte(128 + cg[i] * scale);
    out.texels.at[i][2] = static_cast<uint8_t>((out.scale - 1) << 3);
  }
  return out;
}

void encode_dxt1(const PixelStrip& strip, uint8_t* blocks) {
  for (int i = 0; i < strip.blocks; ++i, blocks += kDxt1BlockBytes) {
    Texels texels = load(strip, i);
    for (auto& texel : texels.at) texel[3] = 255;
    squish::Compress(texels.at[0], blocks, squish::kDxt1 | squish::kColourClusterFit);
  }
}

void encode_dxt5(const PixelStrip& strip, uint8_t* blocks) {
  for (int i = 0; i < strip.blocks; ++i, blocks += kDxt5BlockBytes) {
    const Texels texels = load(strip, i);
    squish::Compress(texels.at[0], blocks, squish::kDxt5 | squish::kColourClusterFit);
  }
}

void encode_ycocg(const PixelStrip& strip, uint8_t* blocks) {
  // Weights of errors of Co and Cg by their effect on R, G and B: Co occurs in two, Cg in three.
  float weights[] = {2, 3, 1};
  for (int i = 0; i < strip.blocks; ++i, blocks += kDxt5BlockBytes) {
    const YCoCgTexels ycocg = to_ycocg(load(strip, i));
    squish::Compress(ycocg.texels.at[0], blocks, squish::kDxt5 | squish::kColourClusterFit,
                     weights);
    // For a flat block the fit may choose endpoints that give the right scale only in between.
    Dxt1Block colours;
    std::memcpy(&colours, blocks + 8, sizeof(colours));
    const auto blue = static_cast<uint32_t>(ycocg.scale - 1);
    colours.endpoints = (colours.endpoints & ~0x001f001fU) | blue | blue << 16;
    std::memcpy(blocks + 8, &colours, sizeof(colours));
  }
}

}  // namespace

EncodeStrip squish_encoder(CodecId codec) {
  switch (codec) {
    case CodecId::kDxt1:
      return encode_dxt1;
    case CodecId::kDxt5:
      return encode_dxt5;
    case CodecId::kDxt5YCoCg:
      return encode_ycocg;
    default:  // not DXT
      return nullptr;
  }
}

}  // namespace codecs
