#include "codecs/color/color_table.h"

#include <algorithm>
#include <cmath>

#include "codecs/simd/kernels.h"
#include "codecs/simd/sample_kernels.h"

namespace codecs {
namespace {

constexpr int kCubeSide = 33;
constexpr int kPieceColumns = 512;  // columns; rows of a piece stay in the first-level cache

// Rows of a piece: samples as they are read, and levels.
struct MappedRows {
  int32_t samples[3][kPieceColumns];
  int16_t levels[3][kPieceColumns];
};

}  // namespace

ColorTable::ColorTable(const SourceColor& source, const DisplayColor& display)
    : nodes_(size_t{kCubeSide} * kCubeSide * kCubeSide * ColorCube::kNodeWords) {
  const ColorTransform transform(source, display);
  brightest_signal_ = transform.brightest_signal();
  constexpr int kWhite = 255 << ColorCube::kLevelBits;
  int16_t* node = nodes_.data();
  for (int i = 0; i < kCubeSide * kCubeSide * kCubeSide; ++i, node += ColorCube::kNodeWords) {
    const auto signal = [&](int step) { return brightest_signal_ * step / (kCubeSide - 1); };
    const Rgb shown = transform.show({signal(i / (kCubeSide * kCubeSide)),
                                      signal(i / kCubeSide % kCubeSide), signal(i % kCubeSide)});
    for (size_t c = 0; c < 3; ++c) node[c] = static_cast<int16_t>(std::lround(kWhite * shown[c]));
  }
}

void ColorTable::convert(const ImageView& frame, BgraTarget target, CpuLevel cpu) const {
  if (frame.format != PixelFormat::kRgbDeep) return;
  constexpr double kUnit = 1 << (ColorCube::kFractionBits + ColorCube::kShift);
  constexpr ptrdiff_t kPixelBytes = 6;
  const int largest = (1 << frame.bits) - 1;
  const KernelSet& kernels = kernels_for(cpu);
  const ColorCube cube{.nodes = nodes_.data(),
                       .side = kCubeSide,
                       .gain = static_cast<int32_t>(
                           std::lround(kUnit * (kCubeSide - 1) / brightest_signal_ / largest))};
  MappedRows rows;
  int32_t* const samples[3] = {rows.samples[0], rows.samples[1], rows.samples[2]};
  int16_t* const levels[3] = {rows.levels[0], rows.levels[1], rows.levels[2]};
  int16_t dither[kDitherSide][kPieceColumns];
  for (int y = 0; y < kDitherSide; ++y) {
    for (int x = 0; x < kPieceColumns; ++x) {
      dither[y][x] = static_cast<int16_t>(2 * bayer(x % kDitherSide, y) + 1);
    }
  }
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; x += kPieceColumns) {
      const int count = std::min(kPieceColumns, frame.width - x);
      kernels.samples->split_rgb16(frame.planes[0] + frame.strides[0] * y + kPixelBytes * x, count,
                                   largest, samples);
      kernels.map_colors(cube, {samples[0], samples[1], samples[2]}, count, levels);
      kernels.samples->merge_levels({levels[0], levels[1], levels[2]}, count,
                                    dither[y % kDitherSide],
                                    target.pixels + target.stride * y + kBgraBytes * x);
    }
  }
}

}  // namespace codecs
