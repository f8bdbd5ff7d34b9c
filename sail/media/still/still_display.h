// HDR and wide colours of stills on a display, converted as those of films.
#pragma once

#include <string>

#include "codecs/color/color_transform.h"
#include "sail/core/base/result.h"
#include "sail/media/still/vips_image.h"

namespace sail {

// Returns eight bits per sample: red, green, blue. `image` has integers of 8 or 16 bits without a
// profile's conversion; transparent pixels are blended over black.
Result<VipsHandle> to_display(VipsHandle image, const codecs::SourceColor& color,
                              const std::string& path);

}  // namespace sail
