// SVG drawings, which librsvg renders. See also check_svg_bytes() and check_svg_tags().
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sail/core/base/result.h"
#include "sail/media/still/vips_image.h"

namespace sail {

// Renders a drawing that was checked, with opacity. From memory, it cannot name other files.
Result<VipsHandle> render_svg(std::span<const uint8_t> file, double scale, const std::string& name);
// Drawings are on white, as documents are.
Result<VipsHandle> on_white(const VipsHandle& image, const std::string& name);

}  // namespace sail
