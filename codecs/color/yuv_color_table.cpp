#include "codecs/color/yuv_color_table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "codecs/simd/kernels.h"
#include "codecs/simd/sample_kernels.h"

namespace codecs {
namespace {

constexpr int kCells = ColorPrisms::kChromaCells;
constexpr int kChromaNodes = kCells + 1;
constexpr int kLumaSteps = 32;  // up to the brightest signal
constexpr int kPlanes = 3;
static_assert(kPrismColumns % kPrismGroup == 0 && kPrismColumns / 2 % kPrismGroup == 0);

// R'G'B' by Y', R' − G' and B' − G'.
Rgb rgb_of(double luma, double red, double blue, const DeepYuvMatrix& m) {
  // Green is luma without the shares of red and blue in luma.
  const double red_weight = 1 - m.cr_to_red / (2 * m.y), blue_weight = 1 - m.cb_to_blue / (2 * m.y);
  const double green = luma - red_weight * red - blue_weight * blue;
  return {green + red, green, green + blue};
}

// How far a colour is outside of 0 … 1.
double excess_of(const Rgb& signal) {
  const auto [least, greatest] = std::ranges::minmax(signal);
  return std::max(-least, greatest - 1);
}

void put_levels(const Rgb& shown, int16_t* levels) {
  constexpr int kUnit = 1 << ColorPrisms::kLevelBits;
  const double luma = 0.2126 * shown[0] + 0.7152 * shown[1] + 0.0722 * shown[2];
  const double values[kPlanes] = {16 + 219 * luma, 128 + 224 * (shown[2] - luma) / 1.8556,
                                  128 + 224 * (shown[0] - luma) / 1.5748};
  for (int i = 0; i < kPlanes; ++i) {
    levels[i] = static_cast<int16_t>(std::lround(kUnit * values[i]));
  }
}

int whole_groups(int count) {
  return (count + kPrismGroup - 1) / kPrismGroup * kPrismGroup;
}

// A piece of one or two rows. Kernels read whole groups, so there are always valid values behind
// the piece.
struct PrismLines {
  int32_t chroma[2][kPrismColumns] = {};
  int32_t luma[2][kPrismColumns + 1] = {};  // positions; one more for columns in pairs
  int32_t means[kPrismColumns] = {};        // positions of chroma samples
  int32_t nodes[kPrismColumns] = {};
  int16_t weights[ColorPrisms::kCorners * kPrismColumns] = {};
  uint8_t levels[2][kPrismColumns];
};

class PrismMapper {
 public:
  PrismMapper(const ImageView& frame, const PlaneTarget& target, const ColorPrisms& prisms,
              const KernelSet& kernels)
      : frame_(frame),
        target_(target),
        prisms_(prisms),
        samples_(*kernels.samples),
        kernels_(*kernels.prisms),
        halved_(frame.format != PixelFormat::kI444 && frame.format != PixelFormat::kI444Deep) {
    for (int y = 0; y < kDitherSide; ++y) {
      for (int x = 0; x < kDitherPeriod; ++x) {
        dither_[y][x] = (2 * bayer(x % kDitherSide, y) + 1) << PrismRow::kDitherShift;
      }
    }
  }

  void run() {
    const int rows = chroma_rows_step(frame_.format);
    for (int y = 0; y < frame_.height; y += rows) {
      for (int x = 0; x < frame_.width; x += kPrismColumns) {
        map(x, y, std::min(kPrismColumns, frame_.width - x), std::min(rows, frame_.height - y));
      }
    }
  }

 private:
  void place_luma(int x, int y, int count, int32_t* positions) const {
    const uint8_t* row = frame_.planes[0] + frame_.strides[0] * y;
    if (is_deep(frame_.format)) {
      kernels_.place_luma16(prisms_, row + ptrdiff_t{2} * x, count, positions);
    } else {
      kernels_.place_luma8(prisms_, row + x, count, positions);
    }
  }
  void read(int plane, int x, int y, int count, int32_t* samples) const {
    const uint8_t* row = frame_.planes[plane] + frame_.strides[plane] * y;
    if (is_deep(frame_.format)) {
      samples_.widen16(row + ptrdiff_t{2} * x, count, prisms_.sample_mask, samples);
    } else {
      samples_.widen8(row + x, count, samples);
    }
  }
  uint8_t* place(int plane, int x, int y) const {
    return target_.planes[plane] + target_.strides[plane] * y + x;
  }
  // Kernels write whole groups: into the target, or else into lines_, from where finish() copies.
  uint8_t* levels_for(uint8_t* shown, int count, int line) {
    return count % kPrismGroup == 0 ? shown : lines_.levels[line];
  }
  static void finish(uint8_t* shown, int count, const uint8_t* levels) {
    if (levels != shown) std::memcpy(shown, levels, static_cast<size_t>(count));
  }
  PrismRow row(const int32_t* luma, int y, int count) const {
    return {.luma = luma,
            .nodes = lines_.nodes,
            .weights = lines_.weights,
            .dither = dither_[y % kDitherSide],
            .count = whole_groups(count)};
  }

  // One or two rows that share their chroma.
  void map(int x, int y, int count, int rows) {
    const int chroma_count = halved_ ? (count + 1) / 2 : count;
    const int chroma_x = halved_ ? x / 2 : x;
    const int chroma_y = y / chroma_rows_step(frame_.format);
    for (int i = 0; i < 2; ++i) read(1 + i, chroma_x, chroma_y, chroma_count, lines_.chroma[i]);
    kernels_.place_chroma(prisms_, lines_.chroma[0], lines_.chroma[1], chroma_count, lines_.nodes,
                          lines_.weights);
    const auto map_luma = halved_ ? kernels_.map_luma_pairs : kernels_.map_luma;
    for (int i = 0; i < rows; ++i) {
      int32_t* const luma = lines_.luma[i];
      place_luma(x, y + i, count, luma);
      uint8_t* const shown = place(0, x, y + i);
      uint8_t* const levels = levels_for(shown, count, 0);
      map_luma(prisms_, row(luma, y + i, count), levels);
      finish(shown, count, levels);
      if (count % 2 != 0) luma[count] = luma[count - 1];
    }
    if (halved_) {
      kernels_.average_luma(lines_.luma[0], lines_.luma[rows - 1], whole_groups(chroma_count),
                            lines_.means);
    }
    uint8_t *shown[2], *levels[2];
    for (int i = 0; i < 2; ++i) {
      shown[i] = place(1 + i, chroma_x, chroma_y);
      levels[i] = levels_for(shown[i], chroma_count, i);
    }
    kernels_.map_chroma(prisms_,
                        row(halved_ ? lines_.means : lines_.luma[0], chroma_y, chroma_count),
                        levels[0], levels[1]);
    for (int i = 0; i < 2; ++i) finish(shown[i], chroma_count, levels[i]);
  }

  const ImageView& frame_;
  const PlaneTarget& target_;
  const ColorPrisms& prisms_;
  const SampleKernels& samples_;
  const PrismKernels& kernels_;
  const bool halved_;
  PrismLines lines_;
  int32_t dither_[kDitherSide][kDitherPeriod];
};

}  // namespace

YuvColorTable::YuvColorTable(const SourceColor& source, const DisplayColor& display,
                             ColorMatrix matrix)
    : matrix_(matrix) {
  const ColorTransform transform(source, display);
  brightest_signal_ = transform.brightest_signal();
  luma_nodes_ = static_cast<int>(std::ceil(kLumaSteps / brightest_signal_)) + 1;
  const std::vector<int16_t> levels = node_levels(transform);
  const size_t size = size_t{kCells} * kCells * static_cast<size_t>(luma_nodes_);
  luma_.reserve(size * ColorPrisms::kCorners);
  chroma_.reserve(size * ColorPrisms::kCorners * 2);
  for (int cell = 0; cell < kCells * kCells; ++cell) {
    const int16_t* corners[ColorPrisms::kCorners];
    for (int c = 0; c < ColorPrisms::kCorners; ++c) {
      const int node = (cell / kCells + c % 2) * kChromaNodes + cell % kCells + c / 2;
      corners[c] = levels.data() + ptrdiff_t{kPlanes} * luma_nodes_ * node;
    }
    for (ptrdiff_t k = 0; k < luma_nodes_; ++k) {
      for (const int16_t* corner : corners) luma_.push_back(corner[kPlanes * k]);
      for (const int16_t* corner : corners) chroma_.push_back(corner[kPlanes * k + 1]);
      for (const int16_t* corner : corners) chroma_.push_back(corner[kPlanes * k + 2]);
    }
  }
}

// Computes only colours of R'G'B' and the nodes around them. Samples beyond their range have the
// other colours, which get the levels of the next node towards grey.
std::vector<int16_t> YuvColorTable::node_levels(const ColorTransform& transform) const {
  constexpr int kGreyCell = kCells / 2;
  constexpr double kMargin = 2.25;  // steps of chroma; a cell's corner is nearer to each colour
  const DeepYuvMatrix m = deep_matrix({matrix_, ColorRange::kFull}, 8);
  const double step = brightest_signal_ / kGreyCell;
  std::vector<int16_t> levels(size_t{kPlanes} * kChromaNodes * kChromaNodes *
                              static_cast<size_t>(luma_nodes_));
  const auto line = [&](int i, int j) {
    return levels.data() + ptrdiff_t{kPlanes} * luma_nodes_ * (i * kChromaNodes + j);
  };
  const auto towards_grey = [](int i) { return i + (i < kGreyCell ? 1 : i > kGreyCell ? -1 : 0); };
  const auto fill = [&](int i, int j) {
    int16_t* const to = line(i, j);
    const int16_t* const inner = line(towards_grey(i), towards_grey(j));
    for (ptrdiff_t k = 0; k < luma_nodes_; ++k) {
      const double luma = brightest_signal_ * static_cast<double>(k) / kLumaSteps;
      const Rgb signal = rgb_of(luma, step * (i - kGreyCell), step * (j - kGreyCell), m);
      if ((i == kGreyCell && j == kGreyCell) || excess_of(signal) < kMargin * step) {
        put_levels(transform.show(signal), to + kPlanes * k);
      } else {
        std::copy_n(inner + kPlanes * k, kPlanes, to + kPlanes * k);
      }
    }
  };
  for (int ring = 0; ring <= kGreyCell; ++ring) {
    for (int i = kGreyCell - ring; i <= kGreyCell + ring; ++i) {
      const bool side = std::abs(i - kGreyCell) == ring;
      for (int j = kGreyCell - ring; j <= kGreyCell + ring; j += side || ring == 0 ? 1 : 2 * ring) {
        fill(i, j);
      }
    }
  }
  return levels;
}

ColorPrisms YuvColorTable::prisms_for(const ImageView& frame) const {
  constexpr double kUnit = 1 << (ColorPrisms::kFractionBits + ColorPrisms::kShift);
  constexpr int32_t kHalf = 1 << (ColorPrisms::kShift - 1);
  constexpr int32_t kGreyPlace = (kCells / 2) << (ColorPrisms::kFractionBits + ColorPrisms::kShift);
  const int bits = is_deep(frame.format) ? frame.bits : 8;
  const DeepYuvMatrix m = deep_matrix({matrix_, frame.range}, bits);
  const auto gain = [&](int steps, double levels) {
    return static_cast<int32_t>(std::lround(kUnit * steps / brightest_signal_ * levels / 255));
  };
  ColorPrisms prisms{};
  prisms.luma = luma_.data();
  prisms.chroma = chroma_.data();
  prisms.luma_nodes = luma_nodes_;
  prisms.sample_mask = (1 << bits) - 1;
  prisms.luma_gain = gain(kLumaSteps, m.y);
  prisms.luma_offset = kHalf - prisms.luma_gain * static_cast<int32_t>(m.black);
  // Gains of Cb and Cr; no sum leaves 32 bits, because films' peaks are at least 100 cd/m².
  const double chroma[2][2] = {{-m.cb_to_green, m.cr_to_red - m.cr_to_green},
                               {m.cb_to_blue - m.cb_to_green, -m.cr_to_green}};
  for (int axis = 0; axis < 2; ++axis) {
    int32_t(&gains)[2] = prisms.chroma_gains[axis];
    for (int i = 0; i < 2; ++i) gains[i] = gain(kCells / 2, chroma[axis][i]);
    // Integers, so that grey is exactly on its node.
    prisms.chroma_offsets[axis] =
        kGreyPlace + kHalf - (gains[0] + gains[1]) * static_cast<int32_t>(m.middle);
  }
  return prisms;
}

void YuvColorTable::convert(const ImageView& frame, const PlaneTarget& target, CpuLevel cpu) const {
  if (frame.format == PixelFormat::kRgbDeep) return;
  const ColorPrisms prisms = prisms_for(frame);
  PrismMapper(frame, target, prisms, kernels_for(cpu)).run();
}

}  // namespace codecs
