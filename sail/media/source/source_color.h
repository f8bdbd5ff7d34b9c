// Colours of pictures by the code points of ITU-T H.273, as containers state them. Pure.
#pragma once

#include <optional>

#include "codecs/color/color_transform.h"

namespace sail {

// Empty: an SDR display's colours, or unknown.
std::optional<codecs::SourceColor> source_color(unsigned primaries, unsigned transfer);
// Describes the conversion for a display, such as "HDR10 → SDR".
const char* conversion_words(const codecs::SourceColor& color);

}  // namespace sail
