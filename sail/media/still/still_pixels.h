// The pixels of a still, read by libvips: upright, in the colours of the display. The same for
// every program.
#pragma once

#include <optional>
#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/still/still_wish.h"
#include "sail/media/still/vips_image.h"

namespace sail {

// A picture that libvips evaluates when its pixels are requested.
struct ShownStill {
  VipsHandle image;
  std::optional<SampleRange> range;  // range of a scientific picture's samples
};
// Opens the page; `colors` may have the range of another picture. damage: as for open_vips().
Result<ShownStill> show_still(const VipsFile& file, const VipsPart& part, VipsColors colors,
                              VipsFailOn damage);
// Returns the first picture in memory, at most as large as the bounds; fails if it is damaged.
// Reads the file once sequentially, at reduced size if the format allows it.
Result<VipsHandle> reduced_still(const std::string& path, Size bounds,
                                 const codecs::DisplayColor& display);

// Reads a picture in memory of at most kMaxFrameSide. A damaged one is read as far as possible,
// with a notice. Errors and notices begin with the file's name.
Result<StillPixels> read_still(const VipsFile& file, const StillWish& wish);
// Evaluates an image that to_display_colors() made.
Result<StillPixels> take_pixels(VipsHandle image, const StillWish& wish, const std::string& path);

}  // namespace sail
