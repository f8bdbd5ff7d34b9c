// Inner loops that convert YUV films to a display's colours by prism interpolation. Internal to
// codecs/; one set per CpuLevel, bit-exact with the reference.
#pragma once

#include <cstdint>

namespace codecs {

// A table of colours by Y', R' − G' and B' − G'. The last two divide chroma into squares ("cells")
// and these into two triangles along the diagonal of equal signs: greys are a node, and hues where
// another of R', G', B' becomes the greatest or the least are edges. Positions have kFractionBits
// bits below one step.
struct ColorPrisms {
  static constexpr int kFractionBits = 14;
  static constexpr int kShift = 9;         // right shift of the sums that give positions
  static constexpr int kLevelBits = 7;     // bits of a node below one of 255 levels
  static constexpr int kChromaCells = 48;  // along each axis
  static constexpr int kCorners = 4;       // (0, 0), (1, 0), (0, 1), (1, 1)

  // Nodes along Y' of each cell: at its corners, Y, or Cb and then Cr.
  const int16_t* luma;
  const int16_t* chroma;
  int luma_nodes;
  // Position = (gains · samples + offset) >> kShift, clamped.
  int32_t sample_mask;  // mask of deep samples
  int32_t luma_gain;
  int32_t luma_offset;
  int32_t chroma_gains[2][2];  // of Cb and Cr
  int32_t chroma_offsets[2];
};

// Kernels that look up colours read and write as many samples as there are in whole groups: a
// multiple of every vector width.
constexpr int kPrismGroup = 64;
// The most samples in a row, so that it stays in the first-level cache.
constexpr int kPrismColumns = 512;
constexpr int kDitherPeriod = 16;

// Samples of one row to look up.
struct PrismRow {
  const int32_t* luma;     // positions
  const int32_t* nodes;    // the first one of each chroma sample's cell
  const int16_t* weights;  // kCorners of each chroma sample, one of them is 0
  const int32_t* dither;   // kDitherPeriod values, in the unit of the sums: kDitherShift
  int count;

  static constexpr int kDitherShift = ColorPrisms::kFractionBits;
};

struct PrismKernels {
  // From samples of 8 bits, or deep ones.
  void (*place_luma8)(const ColorPrisms& prisms, const uint8_t* samples, int count,
                      int32_t* positions);
  void (*place_luma16)(const ColorPrisms& prisms, const uint8_t* samples, int count,
                       int32_t* positions);
  // Means of squares: two positions of each row. Whole groups.
  void (*average_luma)(const int32_t* upper, const int32_t* lower, int count, int32_t* positions);
  void (*place_chroma)(const ColorPrisms& prisms, const int32_t* cb, const int32_t* cr, int count,
                       int32_t* nodes, int16_t* weights);
  // Each chroma sample is of one pixel, or of two.
  void (*map_luma)(const ColorPrisms& prisms, const PrismRow& row, uint8_t* luma);
  void (*map_luma_pairs)(const ColorPrisms& prisms, const PrismRow& row, uint8_t* luma);
  // `row` has one luma position per chroma sample.
  void (*map_chroma)(const ColorPrisms& prisms, const PrismRow& row, uint8_t* cb, uint8_t* cr);
};

}  // namespace codecs

namespace codecs::reference {

extern const PrismKernels kPrismKernels;

}  // namespace codecs::reference
