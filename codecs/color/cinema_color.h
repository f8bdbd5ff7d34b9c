// Converts X'Y'Z' of digital cinema to R'G'B' of a display.
//
// SMPTE ST 428-1: X' = (2^bits − 1) · (48 · X / 52.37)^(1/2.6), where X = 1 is a luminance of 48
// cd/m²; so X = 52.37 / 48 · (X' / (2^bits − 1))^2.6. X, Y, Z are converted to linear R, G, B with
// the primaries of the display (for sRGB the inverse of the matrix of ITU-R BT.709-6), clamped, and
// encoded with its curve: that of IEC 61966-2-1 if nothing else is known of the display. The
// display's white stays D65: no chromatic adaptation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/color/color_transform.h"

namespace codecs {

class CinemaColor {
 public:
  // Builds tables of 2^bits and 65,536 floats.
  explicit CinemaColor(int bits, const DisplayColor& display = {});

  int bits() const { return bits_; }
  const DisplayColor& display() const { return display_color_; }

  // Converts a row of samples of at most `bits` bits. `dither` has 0 … 1 for each pixel, added to
  // levels before their fraction is cut off.
  void show_row(const uint16_t* const xyz[3], int count, const float* dither, uint8_t* bgra) const;

 private:
  int bits_;
  DisplayColor display_color_;
  float to_rgb_[3][3];
  std::vector<float> linear_;   // linear light by code value
  std::vector<float> display_;  // display level 0 … 255 by linear light in 1/65,535
};

// The reverse, for single colours of a display.
class CinemaCode {
 public:
  CinemaCode();
  // X', Y' or Z' (component 0 to 2) of levels B, G, R, as a part of the largest code.
  double of(const uint8_t* bgr, int component) const;

 private:
  std::array<double, 256> light_;  // linear light by display level
};

// Fills a row of dither for CinemaColor::show_row(): the Bayer matrix, which repeats.
constexpr size_t kDitherRows = 8;
void fill_dither(int y, std::span<float> dither);

}  // namespace codecs
