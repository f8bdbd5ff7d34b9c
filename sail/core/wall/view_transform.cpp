#include "sail/core/wall/view_transform.h"

#include <fmt/core.h>

#include "sail/core/text/limits.h"

namespace sail {

void QuarterTurns::read(JsonFields& in, const char* name, int& degrees) {
  degrees = static_cast<int>(in.integer(name, 0, 270));
  if (degrees % 90 != 0) in.mistake(name, "must be 0, 90, 180 or 270");
}

void SourceRect::read(JsonFields& in, const char* name, Rect& rect) {
  rect = in.rect(name, kMaxFrameSide, kMaxFrameSide);
  if (rect.x < 0 || rect.y < 0) {
    in.mistake(name,
               fmt::format("must lie within the picture, but begins at ({}, {})", rect.x, rect.y));
  }
}

}  // namespace sail
