// Marks in pictures that identify picture and frame by pixels alone, if these are shown 1:1 and
// only DXT1 has coded them: two adjacent squares, one of the mark's colour and one of the
// complementary colour.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "sail/client/session/snapshot.h"
#include "sail/core/base/geometry.h"

namespace bench {

// Copies BGRA frames and adds marks, dense enough that any part of 80×72 pixels has a whole mark.
class FrameMarker {
 public:
  FrameMarker(sail::Size size, uint32_t picture) : size_(size), picture_(picture) {}
  // The frame is valid until the next call.
  void operator()(sail_frame& frame, uint64_t number);

 private:
  sail::Size size_;
  uint32_t picture_;  // 1 to kMostMarked
  std::vector<uint8_t> pixels_;
};

// Pairs of picture and frame (modulo kMarkedFrames, marked_picture.h) that the tile shows.
std::set<std::pair<uint32_t, uint32_t>> marks_on(const sail::TilePicture& tile);

}  // namespace bench
