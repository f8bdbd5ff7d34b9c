// The dimmed surroundings of spotlights, in square cells of a tile that do not depend on the
// spotlights: one that moves changes only the cells at its edge. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "receiver/paint/sprite.h"
#include "sail/core/wall/visibility.h"
#include "sail/core/wire/overlay.h"

namespace receiver {

struct SpotlightCell {
  sail::Rect rect;  // the tile's upright pixels
  std::string key;  // equal keys: equal pictures
  std::function<Bitmap()> draw;
};

// Returns all cells of the tile in reading order; none if no spotlight among the pointers dims the
// tile. The area of each spotlight is dimmed, and lit around the pointers whose area it is, too.
// Only the first kMaxStyledPointers count. The pointers must outlive the cells.
std::vector<SpotlightCell> spotlight_cells(const sail::TileView& tile,
                                           const std::vector<sail::OverlayPointer>& pointers);

}  // namespace receiver
