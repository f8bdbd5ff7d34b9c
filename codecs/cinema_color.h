// X'Y'Z' of digital cinema as R'G'B' of a display. Internal to codecs/.
//
// SMPTE ST 428-1: X' = (2^bits − 1) · (48 · X / 52.37)^(1/2.6), X being 1 for a luminance of 48
// cd/m²; so X = 52.37 / 48 · (X' / (2^bits − 1))^2.6. Then to linear R, G, B of BT.709's primaries
// and white (ITU-R BT.709-6, inverse of its R, G, B to X, Y, Z), what lies outside is clamped, and
// coded by sRGB's curve (IEC 61966-2-1). The white of the display stays D65: no adaptation.
#pragma once

#include <cstdint>
#include <vector>

namespace codecs {

class CinemaColor {
 public:
  // Makes its tables, of 2^bits and of 65,536 floats.
  explicit CinemaColor(int bits);

  int bits() const { return bits_; }

  // X', Y', Z' of at most `bits` bits; `dither` as in sample_kernels.h.
  void show_row(const uint16_t* const xyz[3], int count, const float* dither, uint8_t* bgra) const;

 private:
  int bits_;
  std::vector<float> linear_;   // of a code
  std::vector<float> display_;  // levels of 0 … 255, of linear light in 1/65,535
};

}  // namespace codecs
