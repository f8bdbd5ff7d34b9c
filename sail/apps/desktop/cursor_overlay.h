// Draws the mouse pointer onto a stored frame before submission and removes it afterwards. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sail/core/base/geometry.h"

namespace sail {

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
