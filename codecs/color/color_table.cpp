#include "codecs/color/color_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "codecs/simd/kernels.h"
#include "codecs/simd/sample_kernels.h"

namespace codecs {
namespace {

constexpr int kCubeSide = 33;
constexpr int kPieceColumns = 512;  // columns; rows of a piece stay in the first-level cache

// Levels of 0 … 255 for R'G'B' of 0 … 1.
Rgb levels_of(const Rgb& shown, ColorTable::Output output) {
  if (output == ColorTable::Output::kBgra) return {255 * shown[0], 255 * shown[1], 255 * shown[2]};
  const double luma = 0.2126 * shown[0] + 0.7152 * shown[1] + 0.0722 * shown[2];
  return {16 + 219 * luma, 128 + 224 * (shown[2] - luma) / 1.8556,
          128 + 224 * (shown[0] - luma) / 1.5748};
}

// The positions in a cube that samples of the frame have.
ColorCube cube_for(const ImageView& frame, double brightest_signal) {
  ColorCube cube{};
  cube.side = kCubeSide;
  const double steps = (kCubeSide - 1) / brightest_signal;
  const double unit = steps * (1 << (ColorCube::kFractionBits + ColorCube::kShift));
  const auto gain = [&](double signal) { return static_cast<int32_t>(std::lround(unit * signal)); };
  for (int32_t& offset : cube.offsets) offset = 1 << (ColorCube::kShift - 1);
  if (frame.format == PixelFormat::kRgbDeep) {
    for (int i = 0; i < 3; ++i) cube.gains[i][i] = gain(1.0 / ((1 << frame.bits) - 1));
    return cube;
  }
  const int bits = is_deep(frame.format) ? frame.bits : 8;
  const DeepYuvMatrix m = deep_matrix({frame.matrix, frame.range}, bits);
  const double chroma[3][2] = {{0, m.cr_to_red}, {m.cb_to_green, m.cr_to_green}, {m.cb_to_blue, 0}};
  for (int i = 0; i < 3; ++i) {
    cube.gains[i][0] = gain(m.y / 255);
    for (int j = 0; j < 2; ++j) cube.gains[i][1 + j] = gain(chroma[i][j] / 255);
    // Integers, so that grey has the same position on all axes.
    cube.offsets[i] -= cube.gains[i][0] * static_cast<int32_t>(m.black) +
                       (cube.gains[i][1] + cube.gains[i][2]) * static_cast<int32_t>(m.middle);
  }
  return cube;
}

// A piece of one or two rows: samples as they are read, and levels.
struct MappedRows {
  int32_t samples[3][kPieceColumns];
  int32_t chroma[2][kPieceColumns];         // before they are repeated
  int16_t levels[2][3][kPieceColumns + 1];  // of two rows; one more for columns in pairs
};

class PictureMapper {
 public:
  PictureMapper(const ImageView& frame, const PlaneTarget& target, const ColorCube& cube,
                const KernelSet& kernels)
      : frame_(frame), target_(target), cube_(cube), kernels_(kernels) {
    for (int i = 0; i < kDitherSide * kPieceColumns; ++i) {
      const int x = i % kDitherSide, y = i / kPieceColumns;
      dither_[static_cast<size_t>(i)] = static_cast<int16_t>(2 * bayer(x, y) + 1);
    }
  }

  void run() {
    const bool rgb = frame_.format == PixelFormat::kRgbDeep;
    const int rows = rgb ? 1 : chroma_rows_step(frame_.format);
    for (int y = 0; y < frame_.height; y += rows) {
      for (int x = 0; x < frame_.width; x += kPieceColumns) {
        const int count = std::min(kPieceColumns, frame_.width - x);
        if (rgb) {
          map_rgb(x, y, count);
        } else {
          map_yuv(x, y, count, std::min(rows, frame_.height - y));
        }
      }
    }
  }

 private:
  const int16_t* dither(int y) const {
    return dither_.data() + ptrdiff_t{kPieceColumns} * (y % kDitherSide);
  }

  void map_row(int16_t (&levels)[3][kPieceColumns + 1], int count) {
    const int32_t* const samples[3] = {rows_.samples[0], rows_.samples[1], rows_.samples[2]};
    int16_t* const results[3] = {levels[0], levels[1], levels[2]};
    kernels_.map_colors(cube_, samples, count, results);
  }

  void map_rgb(int x, int y, int count) {
    constexpr ptrdiff_t kPixelBytes = 6;
    int32_t* const samples[3] = {rows_.samples[0], rows_.samples[1], rows_.samples[2]};
    kernels_.samples->split_rgb16(frame_.planes[0] + frame_.strides[0] * y + kPixelBytes * x, count,
                                  (1 << frame_.bits) - 1, samples);
    map_row(rows_.levels[0], count);
    const auto& levels = rows_.levels[0];
    const int16_t* const rows[3] = {levels[0], levels[1], levels[2]};
    kernels_.samples->merge_levels(rows, count, dither(y),
                                   target_.planes[0] + target_.strides[0] * y + kBgraBytes * x);
  }

  void read(int plane, int x, int y, int count, int32_t* samples) const {
    const uint8_t* row = frame_.planes[plane] + frame_.strides[plane] * y;
    if (is_deep(frame_.format)) {
      kernels_.samples->widen16(row + ptrdiff_t{2} * x, count, (1 << frame_.bits) - 1, samples);
    } else {
      kernels_.samples->widen8(row + x, count, samples);
    }
  }

  // One or two rows that share their chroma.
  void map_yuv(int x, int y, int count, int rows) {
    const bool halved =
        frame_.format != PixelFormat::kI444 && frame_.format != PixelFormat::kI444Deep;
    const int chroma_count = halved ? (count + 1) / 2 : count;
    const int chroma_x = halved ? x / 2 : x;
    const int chroma_y = y / chroma_rows_step(frame_.format);
    for (int plane = 1; plane < 3; ++plane) {
      int32_t* const repeated = rows_.samples[plane];
      int32_t* const single = halved ? rows_.chroma[plane - 1] : repeated;
      read(plane, chroma_x, chroma_y, chroma_count, single);
      for (int i = 0; halved && i < chroma_count; ++i) {
        repeated[2 * i] = repeated[2 * i + 1] = single[i];
      }
    }
    for (int row = 0; row < rows; ++row) {
      read(0, x, y + row, count, rows_.samples[0]);
      map_row(rows_.levels[row], count);
      kernels_.samples->narrow_levels(rows_.levels[row][0], count, dither(y + row),
                                      target_.planes[0] + target_.strides[0] * (y + row) + x);
    }
    for (int plane = 1; plane < 3; ++plane) {
      uint8_t* const out = target_.planes[plane] + target_.strides[plane] * chroma_y + chroma_x;
      int16_t* const upper = rows_.levels[0][plane];
      int16_t* const lower = rows_.levels[rows - 1][plane];
      if (!halved) {
        kernels_.samples->narrow_levels(upper, count, dither(chroma_y), out);
        continue;
      }
      if (count % 2 != 0) {
        upper[count] = upper[count - 1];
        lower[count] = lower[count - 1];
      }
      kernels_.samples->narrow_squares(upper, lower, chroma_count, dither(chroma_y), out);
    }
  }

  const ImageView& frame_;
  const PlaneTarget& target_;
  const ColorCube& cube_;
  const KernelSet& kernels_;
  MappedRows rows_;
  std::array<int16_t, size_t{kDitherSide} * kPieceColumns> dither_;
};

}  // namespace

ColorTable::ColorTable(const SourceColor& source, const DisplayColor& display, Output output)
    : output_(output), nodes_(size_t{kCubeSide} * kCubeSide * kCubeSide * ColorCube::kNodeWords) {
  const ColorTransform transform(source, display);
  brightest_signal_ = transform.brightest_signal();
  constexpr int kUnit = 1 << ColorCube::kLevelBits;
  int16_t* node = nodes_.data();
  for (int i = 0; i < kCubeSide * kCubeSide * kCubeSide; ++i, node += ColorCube::kNodeWords) {
    const auto signal = [&](int step) { return brightest_signal_ * step / (kCubeSide - 1); };
    const Rgb shown = transform.show({signal(i / (kCubeSide * kCubeSide)),
                                      signal(i / kCubeSide % kCubeSide), signal(i % kCubeSide)});
    const Rgb levels = levels_of(shown, output);
    for (size_t c = 0; c < 3; ++c) node[c] = static_cast<int16_t>(std::lround(kUnit * levels[c]));
  }
}

void ColorTable::convert(const ImageView& frame, const PlaneTarget& target, CpuLevel cpu) const {
  if ((frame.format == PixelFormat::kRgbDeep) != (output_ == Output::kBgra)) return;
  ColorCube cube = cube_for(frame, brightest_signal_);
  cube.nodes = nodes_.data();
  PictureMapper(frame, target, cube, kernels_for(cpu)).run();
}

}  // namespace codecs
