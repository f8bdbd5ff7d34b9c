// The pixels of a still, read by libvips: upright, in the colours of the display. The same for
// every program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

// Checks a picture that was read as far as possible: fails if all pixels are equal. Loaders fill
// what they cannot read with one colour, so nothing of such a picture can be seen.
Result<void> check_readable_part(std::span<const uint8_t> samples, size_t pixel_bytes,
                                 const std::string& path);
// Notice for users about a picture of which only a part can be read.
std::string damage_notice(const std::string& path);

// Reads a picture in memory of at most kMaxFrameSide. A damaged one is read as far as possible,
// with a notice. Errors and notices begin with the file's name.
Result<StillPixels> read_still(const VipsFile& file, const StillWish& wish);
// Evaluates an image that to_display_colors() made.
Result<StillPixels> take_pixels(VipsHandle image, const StillWish& wish, const std::string& path);

}  // namespace sail
