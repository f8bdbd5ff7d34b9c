// Marks in pictures, which tell whose picture it is and of which frame from its pixels alone, as
// long as these are shown 1:1 and nothing but DXT1 has coded them: two squares beside one another,
// one of the mark's colour and one of the colours that it lacks.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "sail/client/session/snapshot.h"
#include "sail/core/base/geometry.h"

namespace bench {

// Makes frames of BGRA pixels copies that are marked, so often that any part of 80×72 pixels has a
// whole mark.
class FrameMarker {
 public:
  FrameMarker(sail::Size size, uint32_t picture) : size_(size), picture_(picture) {}
  // Good until the next one.
  void operator()(sail_frame& frame, uint64_t number);

 private:
  sail::Size size_;
  uint32_t picture_;  // 1 to kMostMarked
  std::vector<uint8_t> pixels_;
};

// By picture the frames, of kMarkedFrames (marked_picture.h), that the tile shows.
std::set<std::pair<uint32_t, uint32_t>> marks_on(const sail::TilePicture& tile);

}  // namespace bench
