// What stands around a codestream of JPEG 2000 in files and in the samples of films: the boxes of
// JP2 (ISO/IEC 15444-1, annex I), JPH (15444-15, annex D) and MJ2 (15444-3). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "codecs/format.h"
#include "codecs/j2k.h"

namespace sail {

struct BoxedCodestream {
  std::span<const uint8_t> codestream;        // the first one
  std::optional<codecs::PictureColor> color;  // when a colour box says it
};

// The bytes themselves when they begin a codestream already. Nothing when there is none in them.
std::optional<BoxedCodestream> find_codestream(std::span<const uint8_t> bytes);

// What the components mean where nobody says it: X'Y'Z' in the profiles of digital cinema, YUV when
// they are subsampled (BT.709 from 1280 columns or 720 rows on), else red, green, blue.
codecs::PictureColor usual_color(const codecs::J2kHeader& header,
                                 std::span<const uint8_t> codestream);

}  // namespace sail
