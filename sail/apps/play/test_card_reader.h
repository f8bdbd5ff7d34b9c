// Finds the test card's patches in a picture that shows the card 1:1, at any offset and cut
// anywhere, also after DXT1. Pure; for tests and measurements.
#pragma once

#include <cstdint>
#include <vector>

#include "codecs/base/image.h"
#include "sail/apps/play/test_card.h"

namespace sail {

struct FoundPatch {
  uint32_t frame = 0;  // modulo 2^24
  int source_x = 0;    // the patch's top left pixel on the test card
  int source_y = 0;
  int x = 0;  // position in the picture
  int y = 0;

  bool operator==(const FoundPatch&) const = default;
};

// Returns all patches that lie completely in the picture (BGRA), top to bottom and left to right. A
// pixel (dx, dy) from a found patch's corner shows the card's pixel (source_x + dx, source_y + dy).
std::vector<FoundPatch> read_test_card(const codecs::ImageView& picture);

}  // namespace sail
