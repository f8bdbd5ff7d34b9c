// Blends subtitles into frames of any format of sail_frame. Pure.
#pragma once

#include <sail/sail.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codecs/color/color_transform.h"
#include "sail/core/base/geometry.h"

namespace sail {

// Part of a picture: BGRA pixels of sRGB, row by row. Colours are premultiplied with alpha.
struct SubtitlePatch {
  Rect rect;  // within the picture
  std::vector<uint8_t> bgra;
};

// A frame's memory and meaning.
struct SubtitleCanvas {
  Size size;
  sail_pixel_format format{};
  int bits = 8;
  sail_color_matrix matrix = SAIL_BT709;
  sail_color_range range = SAIL_LIMITED;
  // A of formats with A is the opacity of the colours, which are not premultiplied.
  bool transparent = false;
  // The colours are this display's, unless they are X'Y'Z'.
  codecs::DisplayColor display = {};
  std::array<uint8_t*, 3> planes{};
  std::array<ptrdiff_t, 3> strides{};

  // Returns true if format and colours are the same, so that a patch has the same samples in both.
  bool is_like(const SubtitleCanvas& other) const;
};

class SubtitleBlender {
 public:
  // From now on blends these patches.
  void set(std::vector<SubtitlePatch> patches);
  bool empty() const { return patches_.empty(); }
  void blend(const SubtitleCanvas& canvas);

 private:
  // The patches as samples of one channel. A sample s becomes (s (full - weight) + value) / full.
  struct Layer {
    int plane = 0;
    int offset = 0;  // bytes from the pixel's first to the sample
    int step = 1;    // bytes from one sample of a row to the next
    // Bytes from the sample to the pixel's opacity; empty: the pixel is opaque, or this is its
    // opacity.
    std::optional<int> to_alpha;
    Rect rect;  // in samples
    uint32_t full = 255;
    std::vector<uint16_t> weights;
    std::vector<uint32_t> values;
  };
  // The patches in the colours of the canvas's display.
  std::vector<SubtitlePatch> patches_for(const SubtitleCanvas& canvas) const;
  void prepare(const SubtitleCanvas& canvas);

  std::vector<SubtitlePatch> patches_;
  std::optional<SubtitleCanvas> prepared_for_;
  std::vector<Layer> layers_;
};

}  // namespace sail
