#include "tests/unit/codecs/color/deep_pictures.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace codecs::test {
namespace {

// Bayer matrix (1973): each quarter is the half-size matrix times four, plus 0, 2, 3 and 1.
constexpr int kBayer[8][8] = {
    {0, 32, 8, 40, 2, 34, 10, 42},  {48, 16, 56, 24, 50, 18, 58, 26},
    {12, 44, 4, 36, 14, 46, 6, 38}, {60, 28, 52, 20, 62, 30, 54, 22},
    {3, 35, 11, 43, 1, 33, 9, 41},  {51, 19, 59, 27, 49, 17, 57, 25},
    {15, 47, 7, 39, 13, 45, 5, 37}, {63, 31, 55, 23, 61, 29, 53, 21},
};

int bits_of(const ImageView& frame) {
  return is_deep(frame.format) ? frame.bits : 8;
}

int sample(const ImageView& frame, int plane, ptrdiff_t at, int row) {
  const uint8_t* line = frame.planes[plane] + frame.strides[plane] * row;
  if (!is_deep(frame.format)) return line[at];
  return (line[2 * at] | line[2 * at + 1] << 8) & ((1 << frame.bits) - 1);
}

int smooth_sample(int most, int x, int y, int component) {
  const double wave = std::sin(x * 0.09 + component) * std::cos(y * 0.07 - component);
  const int grain = (x * 7919 + y * 104729 + component * 31) % 11 - 5;
  if ((x * 3 + y * 5 + component) % 97 == 0) return x % 2 == 0 ? 0 : most;
  return std::clamp(static_cast<int>(most * (0.5 + 0.45 * wave)) + grain, 0, most);
}

std::array<double, 3> yuv_levels(const ImageView& frame, double y, double cb, double cr) {
  const double step = std::pow(2, bits_of(frame) - 8), most = std::pow(2, bits_of(frame)) - 1;
  const bool limited = frame.range == ColorRange::kLimited;
  const double luma = limited ? (y - 16 * step) / (219 * step) : y / most;
  const double blue = (cb - 128 * step) / (limited ? 224 * step : most);
  const double red = (cr - 128 * step) / (limited ? 224 * step : most);
  const double kr = frame.matrix == ColorMatrix::kBt601    ? 0.299
                    : frame.matrix == ColorMatrix::kBt2020 ? 0.2627
                                                           : 0.2126;
  const double kb = frame.matrix == ColorMatrix::kBt601    ? 0.114
                    : frame.matrix == ColorMatrix::kBt2020 ? 0.0593
                                                           : 0.0722;
  const double r = luma + 2 * (1 - kr) * red, b = luma + 2 * (1 - kb) * blue;
  const double g = (luma - kr * r - kb * b) / (1 - kr - kb);
  return {255 * r, 255 * g, 255 * b};
}

// From SMPTE ST 428-1, ITU-R BT.709 primaries, IEC 61966-2-1.
std::array<double, 3> cinema_levels(const std::array<double, 3>& codes, double most) {
  double light[3];
  for (size_t i = 0; i < 3; ++i) light[i] = 52.37 / 48 * std::pow(codes[i] / most, 2.6);
  const double to_rgb[3][3] = {{3.2404542, -1.5371385, -0.4985314},
                               {-0.9692660, 1.8760108, 0.0415560},
                               {0.0556434, -0.2040259, 1.0572252}};
  std::array<double, 3> levels{};
  for (size_t i = 0; i < 3; ++i) {
    double linear = 0;
    for (size_t j = 0; j < 3; ++j) linear += to_rgb[i][j] * light[j];
    linear = std::clamp(linear, 0.0, 1.0);
    levels[i] =
        255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055);
  }
  return levels;
}

}  // namespace

DeepFrame make_deep_frame(PixelFormat format, int bits, int width, int height, ColorMatrix matrix,
                          ColorRange range) {
  DeepFrame frame;
  ImageView& view = frame.view;
  view = {.format = format, .width = width, .height = height, .matrix = matrix, .range = range};
  view.bits = is_deep(format) ? bits : 8;
  const bool rgb = format == PixelFormat::kRgbDeep;
  const int most = (1 << view.bits) - 1;
  const int bytes = is_deep(format) ? 2 : 1;
  const bool full = rgb || format == PixelFormat::kI444 || format == PixelFormat::kI444Deep;
  for (int plane = 0; plane < (rgb ? 1 : 3); ++plane) {
    const int across = rgb ? 3 * width : plane == 0 || full ? width : (width + 1) / 2;
    const int step = plane == 0 ? 1 : chroma_rows_step(format);
    const int down = (height + step - 1) / step;
    const int stride = across * bytes + 6;
    Bytes& memory = frame.planes[plane];
    memory = Bytes(static_cast<size_t>(stride * (down - 1) + across * bytes), 0x5a);
    view.planes[plane] = memory.data();
    view.strides[plane] = stride;
    for (int y = 0; y < down; ++y) {
      for (int x = 0; x < across; ++x) {
        int value = rgb ? smooth_sample(most, x / 3, y, x % 3) : smooth_sample(most, x, y, plane);
        value |= (x * 40503 + y * 977) << view.bits;
        for (int i = 0; i < bytes; ++i) {
          memory[static_cast<size_t>(stride * y + x * bytes + i)] =
              static_cast<uint8_t>(value >> 8 * i);
        }
      }
    }
  }
  return frame;
}

std::array<double, 3> exact_levels(const ImageView& frame, int x, int y) {
  const double most = std::pow(2, bits_of(frame)) - 1;
  std::array<double, 3> levels{};
  if (frame.format == PixelFormat::kRgbDeep) {
    std::array<double, 3> codes{};
    for (int i = 0; i < 3; ++i) {
      codes[static_cast<size_t>(i)] = sample(frame, 0, ptrdiff_t{3} * x + i, y);
    }
    if (frame.matrix == ColorMatrix::kXyz) return cinema_levels(codes, most);
    for (size_t i = 0; i < 3; ++i) levels[i] = 255 * codes[i] / most;
    return levels;
  }
  const bool full = frame.format == PixelFormat::kI444 || frame.format == PixelFormat::kI444Deep;
  const int chroma_x = full ? x : x / 2, chroma_y = y / chroma_rows_step(frame.format);
  return yuv_levels(frame, sample(frame, 0, x, y), sample(frame, 1, chroma_x, chroma_y),
                    sample(frame, 2, chroma_x, chroma_y));
}

double dither_at(int x, int y) {
  return (kBayer[y % 8][x % 8] + 0.5) / 64;
}

testing::AssertionResult shows(const GuardedPixels& pixels, const ImageView& frame, int frame_x,
                               int frame_y) {
  // Allows for float arithmetic and lookup tables.
  const double tolerance = frame.matrix == ColorMatrix::kXyz ? 0.06 : 0.002;
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) {
      const std::array<double, 3> exact = exact_levels(frame, x, y);
      const double added = bits_of(frame) > 8 ? dither_at(frame_x + x, frame_y + y) : 0.5;
      for (int c = 0; c < 3; ++c) {
        const double level = std::clamp(exact[static_cast<size_t>(c)], 0.0, 255.0) + added;
        const int shown = pixels.at(x, y)[2 - c];
        if (shown < std::floor(level - tolerance) || shown > std::floor(level + tolerance)) {
          return testing::AssertionFailure() << "channel " << c << " at " << x << "," << y << " is "
                                             << shown << ", not " << level;
        }
      }
      if (pixels.at(x, y)[3] != 255) return testing::AssertionFailure() << "alpha";
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace codecs::test
