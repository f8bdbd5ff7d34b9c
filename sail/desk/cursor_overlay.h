// The pointer's picture over a frame that is kept: drawn before a submission and taken away after
// it. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sail/base/geometry.h"

namespace sail {

// Pixels 0xAARRGGBB, premultiplied, rows without gaps. hot_x, hot_y: the pixel that points.
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
  // Draws the cursor pointing at (x, y) of the frame; what lies outside is cut. The frame must be
  // the same, unchanged, at `restore`.
  void draw(const FramePixels& frame, const CursorPicture& cursor, int x, int y);
  // Puts back what was beneath.
  void restore(const FramePixels& frame);

 private:
  Rect drawn_;
  std::vector<uint8_t> beneath_;  // of drawn_, rows without gaps
};

}  // namespace sail
