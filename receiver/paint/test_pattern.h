// Test patterns: one picture over the whole wall, behind the mullions too, of which each tile shows
// its part. Pure.
#pragma once

#include "receiver/paint/sprite.h"
#include "sail/core/wall/visibility.h"
#include "sail/core/wire/receiver_messages.h"

namespace receiver {

// The tile's part of the pattern, as large as the tile.
//   ramp: grey from black to white over the wall's width: 256 steps above, 17 steps below
//   grid: lines along the wall's edges and at equal distances, and the wall's two diagonals
Bitmap test_pattern_bitmap(sail::TestPattern pattern, const sail::TileView& view, sail::Size wall);

}  // namespace receiver
