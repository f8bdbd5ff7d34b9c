// A tile's name in large letters on a dark plate in its middle, by which a person finds it. Pure.
#pragma once

#include <string_view>

#include "codecs/image.h"
#include "sail/base/geometry.h"

namespace receiver {

struct NamePlate {
  std::string_view name;  // the caller's
  int magnification = 1;
  sail::Rect text;  // in the tile's upright pixels, as is
  sail::Rect rect;  // the plate, within the tile
};

NamePlate name_plate(std::string_view name, sail::Size upright);

// `target` is where the plate's first pixel goes.
void draw(const NamePlate& plate, codecs::BgraTarget target);

}  // namespace receiver
