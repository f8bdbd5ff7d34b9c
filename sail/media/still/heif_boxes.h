// Colours of the primary picture of a HEIF file (HEIC, AVIF): ISO/IEC 23008-12. Other pictures in
// the file, such as gain maps and HDR versions, have colours of their own. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace sail {

struct HeifColor {
  unsigned primaries = 0;  // code points of ITU-T H.273
  unsigned transfer = 0;
  unsigned max_cll = 0;  // cd/m²; 0: not stated
  unsigned max_fall = 0;
};

// `head`: the file, or its beginning, which must contain the "meta" box. Empty: no code points.
std::optional<HeifColor> heif_color(std::span<const uint8_t> head);

}  // namespace sail
