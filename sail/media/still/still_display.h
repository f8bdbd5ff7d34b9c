// Colours of stills on a display, converted as those of films.
#pragma once

#include <cstdint>
#include <string>

#include "codecs/color/color_table.h"
#include "codecs/color/color_transform.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/still/vips_image.h"

namespace sail {

// Returns eight bits per sample: red, green, blue. `image` has integers of 8 or 16 bits without a
// profile's conversion; transparent pixels are blended over black.
Result<VipsHandle> to_display(VipsHandle image, const codecs::SourceColor& color,
                              const codecs::DisplayColor& display, const std::string& path);

// Converts drawings and texts.
class SrgbConverter {
 public:
  explicit SrgbConverter(const codecs::DisplayColor& display);

  // bgra: rows without padding.
  void convert(uint8_t* bgra, Size size) const;

 private:
  codecs::ColorTable table_;
};

}  // namespace sail
