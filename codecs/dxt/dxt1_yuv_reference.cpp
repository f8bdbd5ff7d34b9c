#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "codecs/dxt/dxt1_block.h"
#include "codecs/dxt/dxt1_solid.h"
#include "codecs/dxt/dxt1_yuv_fit.h"
#include "codecs/dxt/dxt_fit.h"
#include "codecs/simd/kernels.h"

namespace codecs::reference {
namespace {

// A texel block: luma row by row, chroma row by row.
struct YuvTexels {
  int luma[16];
  int cb[4];
  int cr[4];
};

YuvTexels load(const YuvStrip& strip, int block, bool interleaved) {
  YuvTexels texels;
  for (int i = 0; i < 16; ++i) texels.luma[i] = strip.luma[i / 4][4 * block + i % 4];
  for (int i = 0; i < 4; ++i) {
    const int x = 2 * block + i % 2;
    texels.cb[i] = interleaved ? strip.cb[i / 2][2 * x] : strip.cb[i / 2][x];
    texels.cr[i] = interleaved ? strip.cb[i / 2][2 * x + 1] : strip.cr[i / 2][x];
  }
  return texels;
}

int limit16(int value) {
  return std::clamp(value, -32768, 32767);
}

// Y, Cb, Cr of a box's corners or of the ends of its diagonal.
struct Ends {
  int first[3];
  int second[3];
};

Ends box_of(const YuvTexels& t) {
  Ends box{};
  const auto set = [&](int channel, auto& samples) {
    const auto [least, greatest] = std::minmax_element(std::begin(samples), std::end(samples));
    box.first[channel] = *greatest;
    box.second[channel] = *least;
  };
  set(0, t.luma);
  set(1, t.cb);
  set(2, t.cr);
  return box;
}

uint32_t dword_of(const int (&yuv)[3]) {
  return static_cast<uint32_t>(yuv[0] | yuv[1] << 16 | yuv[2] << 24);
}

// Covariance of four samples, scaled by 16.
int covariance(const int (&a)[4], const int (&b)[4]) {
  int products = 0, sum_a = 0, sum_b = 0;
  for (int i = 0; i < 4; ++i) {
    products += a[i] * b[i];
    sum_a += a[i];
    sum_b += b[i];
  }
  return 4 * products - sum_a * sum_b;
}

// The box diagonal on which Cb and Cr follow luma; if luma has the smallest range, Cr follows Cb.
Ends diagonal_of(const YuvTexels& t, const Ends& box) {
  int luma[4];  // twice the mean luma at each chroma sample
  for (int i = 0; i < 4; ++i) {
    const int* at = &t.luma[i / 2 * 8 + i % 2 * 2];
    luma[i] = ((at[0] + at[4] + 1) >> 1) + ((at[1] + at[5] + 1) >> 1);
  }
  Ends ends{};
  int range[3];
  for (int c = 0; c < 3; ++c) {
    range[c] = box.first[c] - box.second[c];
    ends.first[c] = box.first[c] - (range[c] >> kInsetShift);
    ends.second[c] = box.second[c] + (range[c] >> kInsetShift);
  }
  const bool cb_falls = covariance(luma, t.cb) < 0;
  const bool by_luma = range[0] >= std::min(range[1], range[2]);
  const bool cr_falls =
      by_luma ? covariance(luma, t.cr) < 0 : (covariance(t.cb, t.cr) < 0) != cb_falls;
  if (cb_falls) std::swap(ends.first[1], ends.second[1]);
  if (cr_falls) std::swap(ends.first[2], ends.second[2]);
  return ends;
}

// Blue, green and red in 1/64 levels, plus half a level for rounding, as the kernels of convert.h.
struct Sums {
  int at[3];
};

Sums sums_of(const int (&yuv)[3], const YuvMatrix& m) {
  const int luma = multiply_high(yuv[0] * 257, m.luma) + m.luma_offset;
  const int u = (yuv[1] - 128) * 256, v = (yuv[2] - 128) * 256;
  return {{limit16(luma + multiply_round(u, m.cb_to_blue)),
           limit16(luma + multiply_round(u, m.cb_to_green) + multiply_round(v, m.cr_to_green)),
           limit16(luma + multiply_round(v, m.cr_to_red))}};
}

// Blue, green and red of 5, 6 and 5 bits.
struct Bits {
  int at[3];
};

Bits quantise(const Sums& sums) {
  Bits bits{};
  for (int c = 0; c < 3; ++c) {
    const int level = std::clamp(sums.at[c] >> 6, 0, 255);
    bits.at[c] = multiply_round(level, c == 1 ? kTo6Bits : kTo5Bits);
  }
  return bits;
}

int to_565(const Bits& bits) {
  return bits.at[0] | bits.at[1] << 5 | bits.at[2] << 11;
}

// Placement of texels: the weighted sum of Y, Cb and Cr, relative to the first colour.
struct Axis {
  int weights[3];
  int start;
  int steps;
};

Axis axis_of(const Bits& first, const Bits& second, const Sums& first_sums, const Ends& ends,
             const YuvMatrix& m) {
  int span[3], square = 0, error = 0;
  for (int c = 0; c < 3; ++c) {
    span[c] = kSpanUnit[c] * (first.at[c] - second.at[c]);
    square += span[c] * span[c];
    error += span[c] * limit16(kLevelUnit[c] * first.at[c] - first_sums.at[c]);
  }
  const int products[3] = {luma_gain(m) * (span[0] + span[1] + span[2]),
                           m.cb_to_blue * span[0] + m.cb_to_green * span[1],
                           m.cr_to_red * span[2] + m.cr_to_green * span[1]};
  const int sum = std::abs(products[0]) + std::abs(products[1]) + std::abs(products[2]);
  const auto length = static_cast<float>(std::max(sum, 1));
  const float scale = kSumOfWeights / length;
  Axis axis{};
  for (int c = 0; c < 3; ++c) {
    axis.weights[c] = to_ints<int32_t>(static_cast<float>(products[c]) * scale + 128.5F) - 128;
    axis.start += axis.weights[c] * ends.first[c];
  }
  axis.start += to_ints<int32_t>(static_cast<float>(error) * (scale * kYuvErrorScale));
  axis.start = limit16(axis.start);
  axis.steps =
      to_ints<int32_t>(kYuvStepScale * length / static_cast<float>(std::max(square, 1)) + 0.5F);
  return axis;
}

// Two bits per texel, 0 for the first colour and 1 for the second.
uint32_t indices_of(const YuvTexels& t, const Axis& axis) {
  const auto& [luma, cb, cr] = axis.weights;
  uint32_t indices = 0;
  for (int i = 0; i < 16; ++i) {
    const int sample = i / 8 * 2 + i % 4 / 2;
    const int rest = limit16(axis.start - (cb * t.cb[sample] + cr * t.cr[sample]));
    const int distance = limit16(rest - luma * t.luma[i]);
    const int step = std::clamp(distance * axis.steps >> 16, 0, 15);
    indices |= uint32_t{kIndexOfStep[step]} << (2 * i);
  }
  return indices;
}

Dxt1Block encode(const YuvTexels& t, const YuvMatrix& matrix) {
  const Ends box = box_of(t);
  const Ends ends = diagonal_of(t, box);
  const Sums sums = sums_of(ends.first, matrix);
  const Bits first_bits = quantise(sums), second_bits = quantise(sums_of(ends.second, matrix));
  const int first = to_565(first_bits), second = to_565(second_bits);
  if (first == second) {
    const uint32_t middle = middle_of(dword_of(box.second), dword_of(box.first), matrix);
    return solid_block(middle, middle, ChannelOrder::kBgra);
  }
  const uint32_t indices = indices_of(t, axis_of(first_bits, second_bits, sums, ends, matrix));
  return {static_cast<uint32_t>(order_endpoints(first, second)),
          first < second ? indices ^ 0x55555555 : indices};
}

void encode_strip(const YuvStrip& strip, const YuvMatrix& matrix, bool interleaved,
                  uint8_t* blocks) {
  for (int i = 0; i < strip.blocks; ++i) {
    const Dxt1Block block = encode(load(strip, i, interleaved), matrix);
    std::memcpy(blocks + kDxt1BlockBytes * static_cast<size_t>(i), &block, sizeof(block));
  }
}

}  // namespace

void dxt1_encode_nv12(const YuvStrip& strip, const YuvMatrix& matrix, uint8_t* blocks) {
  encode_strip(strip, matrix, true, blocks);
}
void dxt1_encode_i420(const YuvStrip& strip, const YuvMatrix& matrix, uint8_t* blocks) {
  encode_strip(strip, matrix, false, blocks);
}

}  // namespace codecs::reference
