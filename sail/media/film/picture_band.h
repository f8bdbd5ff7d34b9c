// A horizontal band of a picture, for players that show a film together, one band each. No pixels
// are copied.
#pragma once

#include "sail/core/base/geometry.h"
#include "sail/media/source/source.h"

namespace sail {

// The band of a rank; for compressed pictures, whole rows of blocks. Empty: the picture is not high
// enough for all ranks.
Rect band_of(const Picture& picture, int rank, int ranks);

// Refers to the picture, which must outlive it.
Picture band_view(const Picture& picture, const Rect& band);

}  // namespace sail
