// Colours of films on a display: HDR (PQ, HLG) is tone-mapped, wide primaries are fitted into the
// display's. Exact, in double precision: it defines what color_table.h computes quickly. Pure.
//
// ITU-R BT.2100 (PQ, HLG and its OOTF), BT.2390 (the tone curve, on the greatest of red, green and
// blue, so that hue stays), BT.2408 (reference white is 203 cd/m², which is an SDR display's
// white). Colours beyond the display's primaries move towards grey of the same luminance. SDR films
// are taken to be made for the display's own curve and peak: their greys stay as they are.
#pragma once

#include <array>
#include <cstdint>

namespace codecs {

enum class Primaries : uint8_t { kBt709, kBt2020, kP3 };  // kP3: with the white D65
enum class Transfer : uint8_t { kSdr, kPq, kHlg };

// Values of R, G, B or of their light.
using Rgb = std::array<double, 3>;

// What a film states about its light, in cd/m²; 0: nothing.
struct LightLevels {
  double mastering_peak = 0;
  double max_cll = 0;   // the brightest pixel
  double max_fall = 0;  // the brightest frame's mean
};
// The brightest light that PQ pictures are taken to have. Statements are often wrong: they are
// limited to 100 … 10,000, and a brightest pixel below a frame's mean does not count.
double peak_of(const LightLevels& levels);

struct SourceColor {
  Primaries primaries = Primaries::kBt2020;
  Transfer transfer = Transfer::kPq;
  double peak_nits = 1000;  // brighter light is clipped; for PQ

  bool operator==(const SourceColor&) const = default;
};

// The gamma of a display with the curve of IEC 61966-2-1.
constexpr double kSrgbCurve = 0;
// The default is sRGB.
struct DisplayColor {
  Primaries primaries = Primaries::kBt709;
  double peak_nits = 203;  // luminance of white
  double gamma = 2.2;      // or kSrgbCurve

  bool operator==(const DisplayColor&) const = default;
};

// A display's signals of 0 … 1 and light, 1 at its peak.
double display_light(double signal, double gamma);
double display_signal(double light, double gamma);
// X, Y, Z of light to linear R, G, B; white is D65.
std::array<Rgb, 3> xyz_to_rgb(Primaries primaries);

// PQ: signals of 0 … 1 and light in cd/m².
double pq_light(double signal);
double pq_signal(double nits);
// HLG: the scene's light of 0 … 1, and the system gamma on a display with that peak.
double hlg_scene_light(double signal);
double hlg_gamma(double peak_nits);

class ColorTransform {
 public:
  ColorTransform(const SourceColor& source, const DisplayColor& display);

  // From R'G'B' of the film to R'G'B' of the display, all 0 … 1.
  Rgb show(const Rgb& signal) const;
  // Above this signal, nothing gets brighter.
  double brightest_signal() const;

 private:
  // Light on the display for which the film was made, in cd/m².
  Rgb source_light(const Rgb& signal) const;
  // The tone curve of BT.2390: from PQ to PQ.
  double tone_mapped(double signal) const;
  // Moves linear display light into 0 … 1.
  Rgb fitted(const Rgb& light) const;

  using Matrix = std::array<Rgb, 3>;

  SourceColor source_;
  DisplayColor display_;
  double source_peak_;  // cd/m²
  double gamma_ = 1;    // HLG's system gamma
  Rgb source_weights_;  // share of each primary in luminance
  Rgb display_weights_;
  Matrix to_display_;  // linear light
  bool all_fit_;       // the display shows all colours of the film's primaries
};

}  // namespace codecs
