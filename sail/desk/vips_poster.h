// Small copies of pictures in files, through libvips.
#pragma once

#include <string>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/media/small_picture.h"

namespace sail {

// Whether a loader of libvips, and none that is blocked, knows the file by its first bytes.
bool is_vips_picture(const std::string& path);

// The file's first picture, upright, in sRGB, at most as large as the bounds and never enlarged;
// what is transparent is on white. kBadData with libvips' reason, also for what is cut short.
// A VipsLibrary must be there.
Result<SmallPicture> vips_poster(const std::string& path, Size bounds);

}  // namespace sail
