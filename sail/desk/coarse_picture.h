// A frame made at once of pictures that are there already, for the time until its own has been
// read. Pure.
#pragma once

#include "sail/desk/still.h"

namespace sail {

struct DrawnView {
  PageView view;
  Raster raster;
};

// Draws over the frame what of `drawn`, another view of the same page, lies within it: each pixel
// is the nearest one. frame has the view's size.
void draw_coarse(Raster& frame, const PageView& view, const DrawnView& drawn);

}  // namespace sail
