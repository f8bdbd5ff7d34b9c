// A band of a picture, for players that show a film together, each its own. No pixel is copied.
#pragma once

#include "sail/base/geometry.h"
#include "sail/media/source.h"

namespace sail {

// That of one of so many ranks; of compressed pictures whole rows of blocks. Empty: it is not high
// enough for so many.
Rect band_of(const Picture& picture, int rank, int ranks);

// Refers to the picture, which outlives it.
Picture band_view(const Picture& picture, const Rect& band);

}  // namespace sail
