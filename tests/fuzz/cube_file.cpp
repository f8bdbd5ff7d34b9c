// A .cube file of a correction. A table that was accepted can be applied to pixels.
#include <string_view>

#include "receiver/display/cube_file.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(cube_file) {
  const auto lut = receiver::parse_cube({reinterpret_cast<const char*>(data), size});
  if (!lut) {
    fuzz::require(lut.error().message.starts_with("line "), "a refusal names the line");
    return 0;
  }
  const codecs::PanelTable table({1, 0.5, 2}, 1.5, &*lut);
  uint8_t pixels[] = {0, 0, 0, 255, 255, 255, 255, 255, 1, 128, 254, 255, 77, 0, 255, 255};
  const codecs::BgraTarget target{pixels, sizeof(pixels)};
  table.apply(target, target, sizeof(pixels) / 4, 1, codecs::detect_cpu());
  for (size_t i = 3; i < sizeof(pixels); i += 4) fuzz::require(pixels[i] == 255, "opaque");
  return 0;
}
