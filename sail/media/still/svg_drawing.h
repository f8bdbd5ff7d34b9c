// SVG drawings, which librsvg renders. All programs have the same limits, because librsvg has none
// for the memory of a drawing.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sail/core/base/result.h"
#include "sail/media/still/vips_image.h"

namespace sail {

// Checks the size before the file is read into memory.
Result<void> check_svg_bytes(uint64_t bytes, const std::string& name);
// Checks the contents before they are rendered.
Result<void> check_svg_tags(std::span<const uint8_t> file, const std::string& name);
// Renders a drawing that was checked, with opacity. From memory, it cannot name other files.
Result<VipsHandle> render_svg(std::span<const uint8_t> file, double scale, const std::string& name);
// Drawings are on white, as documents are.
Result<VipsHandle> on_white(const VipsHandle& image, const std::string& name);

}  // namespace sail
