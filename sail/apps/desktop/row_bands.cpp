#include "sail/apps/desktop/row_bands.h"

#include <algorithm>

namespace sail {

std::vector<RowBand> bands_of(std::vector<Rect> rects, const Rect& source) {
  std::ranges::sort(rects, {}, &Rect::y);
  std::vector<RowBand> bands;
  for (const Rect& rect : rects) {
    const Rect part = intersect(rect, source);
    if (part.empty()) continue;
    const RowBand band{part.y - source.y, part.bottom() - source.y};
    if (!bands.empty() && band.top <= bands.back().bottom) {
      bands.back().bottom = std::max(bands.back().bottom, band.bottom);
    } else {
      bands.push_back(band);
    }
  }
  return bands;
}

}  // namespace sail
