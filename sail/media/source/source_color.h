// Colours of pictures by the code points of ITU-T H.273, as containers state them. Pure.
#pragma once

#include <sail/sail.h>

#include <optional>
#include <string>

#include "codecs/color/color_transform.h"
#include "sail/media/source/source.h"

namespace sail {

// Empty: an SDR display's colours, or unknown.
std::optional<codecs::SourceColor> source_color(unsigned primaries, unsigned transfer);
// The colours that must be converted for the display; empty: it shows them as they are. wide: as
// source_color() gives them.
std::optional<codecs::SourceColor> color_to_convert(const std::optional<codecs::SourceColor>& wide,
                                                    const codecs::DisplayColor& display);
// "HDR10", "HLG", or the primaries of SDR: "BT.2020".
std::string color_name(const codecs::SourceColor& color);
// Describes the conversion for a display, such as "HDR10 → SDR" or "HDR10 → SDR P3".
std::string conversion_words(const codecs::SourceColor& color, const codecs::DisplayColor& display);

// Tells viewers, after the film's name, that a compressed picture is shown with wrong colours,
// because nobody converts it; empty: it is not.
std::string unconverted_notice(const Picture& picture, const codecs::DisplayColor& display);

codecs::DisplayColor display_color(const sail_display_colors& colors);

}  // namespace sail
