#include <algorithm>

#include "codecs/simd/kernels.h"

namespace codecs::reference {
namespace {

uint8_t level(int sum_in_64ths) {
  return static_cast<uint8_t>(std::clamp(sum_in_64ths >> 6, 0, 255));
}

void convert_yuv_row(const uint8_t* luma, const uint8_t* cb, const uint8_t* cr, int chroma_step,
                     int width, const YuvMatrix& m, uint8_t* bgra) {
  for (int x = 0; x < width; ++x, bgra += 4) {
    const int y = multiply_high(luma[x] * 257, m.luma) + m.luma_offset;
    const int u = (cb[x / 2 * chroma_step] - 128) * 256;
    const int v = (cr[x / 2 * chroma_step] - 128) * 256;
    bgra[0] = level(y + multiply_round(u, m.cb_to_blue));
    bgra[1] = level(y + multiply_round(u, m.cb_to_green) + multiply_round(v, m.cr_to_green));
    bgra[2] = level(y + multiply_round(v, m.cr_to_red));
    bgra[3] = 255;
  }
}

void convert_packed(const uint8_t* pixels, int pixel_bytes, int red, int blue, int width,
                    uint8_t* bgra) {
  for (int x = 0; x < width; ++x, pixels += pixel_bytes, bgra += 4) {
    const uint8_t r = pixels[red], g = pixels[1], b = pixels[blue];
    bgra[0] = b;
    bgra[1] = g;
    bgra[2] = r;
    bgra[3] = 255;
  }
}

}  // namespace

void convert_nv12(const YuvRows& rows, const YuvMatrix& matrix) {
  for (int i = 0; i < 2; ++i) {
    convert_yuv_row(rows.luma[i], rows.chroma[0], rows.chroma[0] + 1, 2, rows.width, matrix,
                    rows.bgra[i]);
  }
}

void convert_i420(const YuvRows& rows, const YuvMatrix& matrix) {
  for (int i = 0; i < 2; ++i) {
    convert_yuv_row(rows.luma[i], rows.chroma[0], rows.chroma[1], 1, rows.width, matrix,
                    rows.bgra[i]);
  }
}

void convert_rgb(const uint8_t* pixels, int width, uint8_t* bgra) {
  convert_packed(pixels, 3, 0, 2, width, bgra);
}

void convert_rgba(const uint8_t* pixels, int width, uint8_t* bgra) {
  convert_packed(pixels, 4, 0, 2, width, bgra);
}

void convert_bgra(const uint8_t* pixels, int width, uint8_t* bgra) {
  convert_packed(pixels, 4, 2, 0, width, bgra);
}

}  // namespace codecs::reference
