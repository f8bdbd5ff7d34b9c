// How large pointers and labels are on a tile and where they lie. Shared by the receivers (what to
// draw) and the manager (whom to tell), so that both always mean the same pixels. Pure.
#pragma once

#include <string>
#include <string_view>

#include "sail/base/geometry.h"
#include "sail/wall/visibility.h"
#include "sail/wire/overlay.h"

namespace sail {

// How many of a tile's pixels a unit of them takes: 1 up to 1079 pixels, 2 from 1080, and so on.
int overlay_magnification(Size upright);

// An arrow with its name, in units.
constexpr int kPointerTip = 10;      // from the left and the top to the tip: a ring goes round it
constexpr int kArrowSide = 18;       // its width and height are less, outlines included
constexpr int kPointerNameX = 9;     // from the tip to the name's plate
constexpr int kPointerNameY = 15;    // the same, downwards
constexpr int kPlateMargin = 2;      // around text
constexpr int kLineStep = 9;         // from a line of text to the next
constexpr size_t kPointerName = 24;  // letters of a name that are shown

// The name as it is shown.
std::string_view pointer_name(const OverlayPointer& pointer);

// What they cover of a tile, in its upright pixels; it may reach out of the tile, or lie beside it.
Rect pointer_rect(const TileView& tile, const OverlayPointer& pointer);
Rect label_rect(const TileView& tile, const OverlayLabel& label);

}  // namespace sail
