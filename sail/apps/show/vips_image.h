// Handles of libvips and the operations needed to show pictures. Errors contain libvips' message.
// Only for the vips_* files.
#pragma once

// Disable the names of libvips 7, which newer headers define as macros, such as Rect.
#define VIPS_DISABLE_COMPAT
#include <vips/vips.h>

#include <memory>
#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

struct VipsUnref {
  void operator()(VipsImage* image) const { g_object_unref(image); }
};
// Reference-counted. libvips evaluates an image when its pixels are requested.
using VipsHandle = std::unique_ptr<VipsImage, VipsUnref>;

inline Size size_of(const VipsHandle& image) {
  return {vips_image_get_width(image.get()), vips_image_get_height(image.get())};
}

// Returns libvips' last error on one line and clears it.
Error vips_failure(const std::string& path);

// Returns an integer from the picture's header, or `missing`.
int vips_number(const VipsHandle& image, const char* name, int missing);

// Converts to 8-bit sRGB; applies colour profiles and puts transparent pixels on white.
Result<VipsHandle> to_srgb(VipsHandle image, const std::string& path);
// Returns a part of the image. The part must lie within the image.
Result<VipsHandle> crop(const VipsHandle& image, const Rect& part, const std::string& path);
// Scales down by averaging; from a factor of 3 up, enlarges with visible pixels.
Result<VipsHandle> scale(VipsHandle image, double scale_x, double scale_y, const std::string& path);
// Evaluates the image into memory.
Result<VipsHandle> in_memory(const VipsHandle& image, const std::string& path);

// Returns a file's first picture: upright, converted by to_srgb(), in memory, at most as large as
// the bounds. Reads the file once sequentially, at reduced size if the format allows it.
Result<VipsHandle> reduced_copy(const std::string& path, Size bounds);

}  // namespace sail
