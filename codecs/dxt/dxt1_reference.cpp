#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "codecs/dxt/dxt.h"
#include "codecs/dxt/dxt1_block.h"
#include "codecs/dxt/dxt1_solid.h"
#include "codecs/dxt/dxt_fit.h"
#include "codecs/simd/kernels.h"

namespace codecs::reference {
namespace {

int row_mean(const Texels& texels, int first_row, int x, int channel) {
  const int first = 4 * first_row + x;
  return (texels.at[first][channel] + texels.at[first + 4][channel] + 1) >> 1;
}

int contrast(const Texels& texels, int x, int channel) {
  const int difference =
      row_mean(texels, 0, x, channel) - row_mean(texels, 2, kColumnToTheRight[x], channel);
  return std::clamp(difference, -128, 127) | 1;
}

int contrast_products(const Texels& texels, int channel, int other) {
  int products = 0;
  for (int x = 0; x < 4; ++x) products += contrast(texels, x, channel) * contrast(texels, x, other);
  return products;
}

// 256 times the covariance of the halved values.
int covariance(const Texels& texels, int channel, int other) {
  int products = 0, sum = 0, other_sum = 0;
  for (const auto& texel : texels.at) {
    const int value = texel[channel] >> 1;
    const int other_value = texel[other] >> 1;
    products += value * other_value;
    sum += value;
    other_sum += other_value;
  }
  return 16 * products - sum * other_sum;
}

// Whether one channel falls as the other rises.
bool falls_against(const Texels& texels, int channel, int other, bool refit) {
  return (refit ? covariance(texels, channel, other) : contrast_products(texels, channel, other)) <
         0;
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

// Endpoints along the box diagonal on which red and blue follow green; if green has the smallest
// range, blue follows red.
uint32_t box_endpoints(const Texels& texels, bool refit, ChannelOrder order) {
  const uint32_t least = box_of(texels, false), greatest = box_of(texels, true);
  int low[3], high[3], range[3];
  for (int c = 0; c < 3; ++c) {
    range[c] = byte_of(greatest, c) - byte_of(least, c);
    const int inset = (range[c] >> kInsetShift) + (refit ? range[c] >> kRefitInsetShift : 0);
    low[c] = byte_of(least, c) + inset;
    high[c] = byte_of(greatest, c) - inset;
  }
  const int red = order == ChannelOrder::kRgba ? 0 : 2, blue = 2 - red;
  const bool red_falls = falls_against(texels, red, 1, refit);
  const bool by_green = range[1] >= std::min(range[0], range[2]);
  const bool blue_falls = by_green ? falls_against(texels, blue, 1, refit)
                                   : falls_against(texels, blue, red, refit) != red_falls;
  if (red_falls) std::swap(low[red], high[red]);
  if (blue_falls) std::swap(low[blue], high[blue]);
  int a = 0, b = 0;
  for (int c = 0; c < 3; ++c) {
    const int gain = c == 1 ? kTo6Bits : kTo5Bits;
    a |= multiply_round(high[c], gain) << shift_565(c, order);
    b |= multiply_round(low[c], gain) << shift_565(c, order);
  }
  return static_cast<uint32_t>(order_endpoints(a, b));
}

struct Search {
  int weights[3];
  int start;
  int steps;
};

Search search_of(uint32_t endpoints, ChannelOrder order) {
  int colour0[3], span[3], longest = kLeastSpan, square = 0;
  for (int c = 0; c < 3; ++c) {
    colour0[c] = expand_565(static_cast<int>(endpoints & 0xffff), c, order);
    const int colour1 = expand_565(static_cast<int>(endpoints >> 16), c, order);
    span[c] = (colour0[c] - colour1) * kSpanScale;
    longest = std::max(longest, std::abs(span[c]));
    square += span[c] * span[c];
  }
  square = std::max(square, kLeastSpan * kLeastSpan);
  const int scale = static_cast<int>(kWeightScale / static_cast<float>(longest));
  Search search{};
  for (int c = 0; c < 3; ++c) {
    search.weights[c] = multiply_round(span[c], scale);
    search.start += search.weights[c] * colour0[c];
  }
  const float steps = kStepScale * static_cast<float>(longest) / static_cast<float>(square);
  search.steps = to_ints<int32_t>(steps + 0.5F);
  return search;
}

// Each texel's step, 0 … 15.
std::array<int, 16> steps_of(const Texels& texels, uint32_t endpoints, ChannelOrder order) {
  const Search search = search_of(endpoints, order);
  std::array<int, 16> steps{};
  for (size_t i = 0; i < steps.size(); ++i) {
    int distance = search.start;
    for (int c = 0; c < 3; ++c) distance -= search.weights[c] * texels.at[i][c];
    steps[i] = std::clamp(distance * search.steps >> 16, 0, 15);
  }
  return steps;
}

uint32_t indices_of(const Texels& texels, uint32_t endpoints, ChannelOrder order) {
  const std::array<int, 16> steps = steps_of(texels, endpoints, order);
  uint32_t indices = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    indices |= uint32_t{kIndexOfStep[steps[i]]} << (2 * i);
  }
  return indices;
}

RefitSums<int32_t> refit_sums(const Texels& texels, const std::array<int, 16>& steps) {
  RefitSums<int32_t> sums{};
  for (size_t i = 0; i < steps.size(); ++i) {
    const int place = kPlaceOfStep[steps[i]];
    for (int c = 0; c < 3; ++c) {
      sums.weighted[c] += place * texels.at[i][c];
      sums.plain[c] += texels.at[i][c];
    }
    sums.weighted[3] += place * place;
    sums.plain[3] += place;
  }
  return sums;
}

Dxt1Block encode(const Texels& texels, bool refit, ChannelOrder order) {
  uint32_t endpoints = box_endpoints(texels, refit, order);
  if (refit) {
    const auto sums = refit_sums(texels, steps_of(texels, endpoints, order));
    endpoints =
        static_cast<uint32_t>(refit_endpoints(static_cast<int32_t>(endpoints), sums, order));
  }
  if (is_solid(endpoints)) {
    return solid_block(box_of(texels, false), box_of(texels, true), order);
  }
  return {endpoints, indices_of(texels, endpoints, order)};
}

void encode_strip(const PixelStrip& strip, bool refit, uint8_t* blocks) {
  for (int i = 0; i < strip.blocks; ++i) {
    const Dxt1Block block = encode(load_texels(strip, i), refit, strip.order);
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
