// Reduced copies of picture files, by libvips.
#pragma once

#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/source/small_picture.h"

namespace sail {

// Returns true if a libvips loader that is not blocked recognizes the file's first bytes.
bool is_vips_picture(const std::string& path);

// Returns the file's first picture: upright, sRGB, at most as large as the bounds, never enlarged,
// transparent pixels on white. Returns kBadData with libvips' message, also if the file is
// truncated.
// Requires a VipsLibrary.
Result<SmallPicture> vips_poster(const std::string& path, Size bounds);

}  // namespace sail
