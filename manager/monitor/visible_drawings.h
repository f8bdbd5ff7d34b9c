// The visible parts of drawings on windows and the wall. Pure.
#pragma once

#include <vector>

#include "manager/wall/arrangement.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/overlay.h"

namespace manager {

// Returns the drawings bottom to top, that of the wall last, without those of hidden and blank
// windows. uncovered: what an event uncovers; as in blank areas, the wall's drawing is not visible
// there.
std::vector<sail::OverlayDrawing> visible_drawings(const sail::Wall& wall,
                                                   const Arrangement& arrangement,
                                                   const WallSwitches& uncovered);

}  // namespace manager
