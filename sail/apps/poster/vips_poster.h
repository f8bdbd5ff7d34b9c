// Reduced copies of picture files, by libvips.
#pragma once

#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/source/small_picture.h"

namespace sail {

// Returns the file's first picture: upright, sRGB, at most as large as the bounds, never enlarged,
// transparent pixels on black. Returns kBadData also if the file is truncated. Requires
// start_vips().
Result<SmallPicture> vips_poster(const std::string& path, Size bounds);

}  // namespace sail
