// The stored frame of a desktop: which rows have changed, and the mouse pointer on it. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sail/core/base/geometry.h"

namespace sail {

// A changed part of a picture: rows [top, bottom).
struct RowBand {
  int top = 0;
  int bottom = 0;

  bool operator==(const RowBand&) const = default;
};

// Returns the rows of `source` that the rectangles touch, relative to its top, sorted and without
// overlap. Rectangles and source use the same coordinates.
std::vector<RowBand> bands_of(std::vector<Rect> rects, const Rect& source);

// Pixels 0xAARRGGBB, premultiplied, rows without padding. hot_x, hot_y: the hot spot.
struct CursorPicture {
  Size size;
  int hot_x = 0;
  int hot_y = 0;
  std::vector<uint32_t> pixels;
};

// B, G, R, X.
struct FramePixels {
  uint8_t* pixels = nullptr;
  ptrdiff_t stride = 0;
  Size size;
};

// Draws the mouse pointer onto the frame before submission and removes it afterwards.
class CursorOverlay {
 public:
  // Draws the cursor with its hot spot at (x, y), clipped. Keep the frame until restore().
  void draw(const FramePixels& frame, const CursorPicture& cursor, int x, int y);
  // Restores the pixels under the cursor.
  void restore(const FramePixels& frame);

 private:
  Rect drawn_;
  std::vector<uint8_t> beneath_;  // pixels of drawn_, rows without padding
};

}  // namespace sail
