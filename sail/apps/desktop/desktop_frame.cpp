#include "sail/apps/desktop/desktop_frame.h"

#include <algorithm>

namespace sail {
namespace {

constexpr int kPixelBytes = 4;

// Porter-Duff "over" for premultiplied colours, rounded.
uint8_t over(uint32_t colour, uint32_t alpha, uint8_t beneath) {
  return static_cast<uint8_t>(
      std::min<uint32_t>(255, colour + (beneath * (255 - alpha) + 127) / 255));
}

uint8_t* row_of(const FramePixels& frame, const Rect& rect, int row) {
  return frame.pixels + (rect.y + row) * frame.stride + ptrdiff_t{rect.x} * kPixelBytes;
}

}  // namespace

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

void CursorOverlay::draw(const FramePixels& frame, const CursorPicture& cursor, int x, int y) {
  const Rect whole{x - cursor.hot_x, y - cursor.hot_y, cursor.size.width, cursor.size.height};
  drawn_ = intersect(whole, {0, 0, frame.size.width, frame.size.height});
  beneath_.clear();
  for (int row = 0; row < drawn_.height; ++row) {
    uint8_t* pixel = row_of(frame, drawn_, row);
    beneath_.insert(beneath_.end(), pixel, pixel + ptrdiff_t{drawn_.width} * kPixelBytes);
    const uint32_t* from = cursor.pixels.data() +
                           ptrdiff_t{drawn_.y - whole.y + row} * cursor.size.width +
                           (drawn_.x - whole.x);
    for (int column = 0; column < drawn_.width; ++column, pixel += kPixelBytes) {
      const uint32_t colour = from[column];
      const uint32_t alpha = colour >> 24;
      for (int part = 0; part < 3; ++part) {
        pixel[part] = over((colour >> (8 * part)) & 0xff, alpha, pixel[part]);
      }
    }
  }
}

void CursorOverlay::restore(const FramePixels& frame) {
  const ptrdiff_t bytes = ptrdiff_t{drawn_.width} * kPixelBytes;
  for (int row = 0; row < drawn_.height; ++row) {
    std::copy_n(beneath_.data() + row * bytes, bytes, row_of(frame, drawn_, row));
  }
  drawn_ = {};
}

}  // namespace sail
