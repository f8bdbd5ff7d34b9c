// Pictures of the strokes and texts that people draw, in square cells of a tile: as much memory as
// the strokes cover, and a new stroke changes only its cells. Only this file and line_layout use
// Cairo. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "receiver/paint/sprite.h"
#include "sail/core/wall/visibility.h"
#include "sail/core/wire/overlay.h"

namespace receiver {

// A cell that strokes touch.
struct StrokeCell {
  sail::Rect rect;  // the tile's upright pixels
  std::string key;  // equal keys: equal pictures
  std::function<Bitmap()> draw;
};

// Returns the touched cells of a tile in reading order.
std::vector<StrokeCell> stroke_cells(const sail::TileView& tile,
                                     const std::vector<sail::OverlayDrawing>& drawings);

}  // namespace receiver
