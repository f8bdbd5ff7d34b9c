// Composes a preview of a view from views already drawn, until the view itself has been read. Pure.
#pragma once

#include "sail/apps/show/still.h"

namespace sail {

struct DrawnView {
  PageView view;
  Raster raster;
};

// Draws the visible part of `drawn`, another view of the same page, onto the frame (nearest
// neighbour). frame has the view's size.
void draw_coarse(Raster& frame, const PageView& view, const DrawnView& drawn);

}  // namespace sail
