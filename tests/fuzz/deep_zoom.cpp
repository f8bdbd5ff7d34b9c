// The descriptor of a picture of DeepZoom: its tiles are within the picture, and their names lead
// out of no folder.
#include "sail/apps/show/deep_zoom.h"

#include <string_view>

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(deep_zoom) {
  const auto picture = sail::parse_deep_zoom({reinterpret_cast<const char*>(data), size});
  if (!picture) {
    fuzz::require(!picture.error().message.empty(), "a refusal says why");
    return 0;
  }
  fuzz::require(picture->format.find('/') == std::string::npos, "a format is a word");
  fuzz::require(picture->size_of(0) == sail::Size{1, 1}, "the smallest level is a pixel");
  fuzz::require(picture->size_of(picture->top()) == picture->size, "the top level is the picture");
  for (int level = 0; level <= picture->top(); ++level) {
    const sail::Size all = picture->size_of(level);
    const sail::Rect last =
        picture->tile_at(level, (all.width - 1) / picture->tile, (all.height - 1) / picture->tile);
    fuzz::require(!last.empty() && last.right() == all.width && last.bottom() == all.height,
                  "the last tile ends with its level");
  }
  return 0;
}
