#include <algorithm>
#include <cstring>
#include <utility>

#include "codecs/dxt1_block.h"
#include "codecs/dxt1_fit.h"
#include "codecs/dxt1_solid.h"
#include "codecs/dxt1_yuv_fit.h"
#include "codecs/kernels_reference.h"

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

// Of four samples, four times the sum that a covariance is of.
int covariance(const int (&a)[4], const int (&b)[4]) {
  int products = 0, sum_a = 0, sum_b = 0;
  for (int i = 0; i < 4; ++i) {
    products += a[i] * b[i];
    sum_a += a[i];
    sum_b += b[i];
  }
  return 4 * products - sum_a * sum_b;
}

// The diagonal of the box on which Cb and Cr run as luma does, or Cr as Cb where luma has the least
// to say.
Ends diagonal_of(const YuvTexels& t, const Ends& box) {
  int luma[4];  // twice the mean where a chroma sample stands
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

// Blue, green and red in 64ths of a level, half a level too high, as convert.h's kernels have them.
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

int to_565(const Sums& sums) {
  int colour = 0;
  for (int c = 0; c < 3; ++c) {
    const int level = std::clamp(sums.at[c] >> 6, 0, 255);
    colour |= multiply_round(level, c == 1 ? kTo6Bits : kTo5Bits)
              << shift_565(c, ChannelOrder::kBgra);
  }
  return colour;
}

YuvSpan<int32_t> span_of(int first, int second, const Sums& first_sums) {
  int span[3];
  YuvSpan<int32_t> all{};
  for (int c = 0; c < 3; ++c) {
    const int level = expand_565(first, c, ChannelOrder::kBgra);
    span[c] = level - expand_565(second, c, ChannelOrder::kBgra);
    all.square += span[c] * span[c];
    all.error += span[c] * limit16(64 * level + 32 - first_sums.at[c]);
  }
  all.blue = span[0];
  all.green = span[1];
  all.red = span[2];
  all.square = std::max(all.square, 1);
  return all;
}

// Two bits for each texel, 0 for the first colour and 1 for the second.
uint32_t indices_of(const YuvTexels& t, const YuvAxis<int32_t>& axis, const Ends& ends) {
  const int luma = axis.luma - 128, cb = axis.cb - 128, cr = axis.cr - 128;
  const int start =
      limit16(luma * ends.first[0] + cb * ends.first[1] + cr * ends.first[2] + axis.shift);
  uint32_t indices = 0;
  for (int i = 0; i < 16; ++i) {
    const int sample = i / 8 * 2 + i % 4 / 2;
    const int rest = limit16(start - (cb * t.cb[sample] + cr * t.cr[sample]));
    const int distance = limit16(rest - luma * t.luma[i]);
    const int step = std::clamp(distance * axis.steps >> 16, 0, 15);
    indices |= uint32_t{kIndexOfStep[step]} << (2 * i);
  }
  return indices;
}

Dxt1Block encode(const YuvTexels& t, const YuvMatrix& matrix) {
  const Ends box = box_of(t);
  const Ends ends = diagonal_of(t, box);
  const Sums first_sums = sums_of(ends.first, matrix);
  const int first = to_565(first_sums), second = to_565(sums_of(ends.second, matrix));
  if (first == second) {
    const uint32_t middle = middle_of(dword_of(box.second), dword_of(box.first), matrix);
    return solid_block(middle, middle, ChannelOrder::kBgra);
  }
  const auto axis = yuv_axis<int32_t>(span_of(first, second, first_sums), gains_of(matrix));
  const uint32_t indices = indices_of(t, axis, ends);
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
