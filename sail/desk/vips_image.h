// Handles of libvips and the few operations that pictures are made with. Errors are libvips' own
// words. For the files vips_* only.
#pragma once

// Without the names of its seventh version, which newer headers bring as macros: Rect is one.
#define VIPS_DISABLE_COMPAT
#include <vips/vips.h>

#include <memory>
#include <string>

#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace sail {

struct VipsUnref {
  void operator()(VipsImage* image) const { g_object_unref(image); }
};
// Counted by references; libvips evaluates it when its pixels are asked for.
using VipsHandle = std::unique_ptr<VipsImage, VipsUnref>;

inline Size size_of(const VipsHandle& image) {
  return {vips_image_get_width(image.get()), vips_image_get_height(image.get())};
}

// The last error of libvips on one line, which is forgotten by it.
Error vips_failure(const std::string& path);

// Whole number of the picture's header; `missing` when it has none.
int vips_number(const VipsHandle& image, const char* name, int missing);

// Red, green, blue of 8 bits in sRGB: profiles are applied, and what is transparent is on white.
Result<VipsHandle> to_srgb(VipsHandle image, const std::string& path);
// The part of an image. It lies within.
Result<VipsHandle> crop(const VipsHandle& image, const Rect& part, const std::string& path);
// Smaller by an average of what is beneath each pixel, larger by steps that can be seen from 3 on.
Result<VipsHandle> scale(VipsHandle image, double scale_x, double scale_y, const std::string& path);
// All of it now, in memory.
Result<VipsHandle> in_memory(const VipsHandle& image, const std::string& path);

// A file's first picture as to_srgb() gives it, upright, in memory and at most as large as the
// bounds: read once, from one end to the other, at a fraction of its size where the format allows
// it.
Result<VipsHandle> reduced_copy(const std::string& path, Size bounds);

}  // namespace sail
