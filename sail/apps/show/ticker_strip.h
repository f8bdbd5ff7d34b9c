// The picture of a ticker's line, drawn once; each frame is a part of it. The strip repeats without
// end. One thread draws it; then any thread reads it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "sail/apps/show/still.h"
#include "sail/core/base/result.h"

namespace sail {

struct TickerColours {
  uint32_t ink = 0;  // 0xRRGGBB
  uint32_t paper = 0;
};

class TickerStrip {
 public:
  // height: of the frames, pixels. A text that needs more than 64 MiB is cut, and ends with "…".
  static Result<TickerStrip> draw(const std::string& text, int height,
                                  const TickerColours& colours);

  int height() const { return picture_.size.height; }
  // The strip repeats after this number of pixels.
  int period() const { return picture_.size.width; }
  // The text reads from right to left, so it moves to the right.
  bool right_to_left() const { return right_to_left_; }
  bool shortened() const { return shortened_; }

  // Fills the frame, which has the strip's height, with the strip after it has moved by this number
  // of pixels. At 0 the text begins at the frame's edge.
  void copy(int64_t moved, Raster& frame) const;

 private:
  TickerStrip(Raster picture, bool right_to_left, bool shortened)
      : picture_(std::move(picture)), right_to_left_(right_to_left), shortened_(shortened) {}

  Raster picture_;
  bool right_to_left_;
  bool shortened_;
};

}  // namespace sail
