#include "sail/wall/visibility.h"

namespace sail {
namespace {

// One axis of a window on a tile.
struct Axis {
  int tile_at;
  int tile_extent;
  int tile_pixels;
  int window_at;
  int window_extent;
  int frame_extent;
};

Axis horizontal(const TileView& tile, const Rect& window, Size frame) {
  return {tile.wall_rect.x, tile.wall_rect.width, tile.upright.width,
          window.x,         window.width,         frame.width};
}

Axis vertical(const TileView& tile, const Rect& window, Size frame) {
  return {tile.wall_rect.y, tile.wall_rect.height, tile.upright.height,
          window.y,         window.height,         frame.height};
}

int64_t floor_div(int64_t value, int64_t divisor) {
  const int64_t quotient = value / divisor;
  return value % divisor < 0 ? quotient - 1 : quotient;
}

int64_t ceil_div(int64_t value, int64_t divisor) {
  return -floor_div(-value, divisor);
}

// The first pixel of a tile's axis whose centre, tile_at + (2i + 1) · extent / (2 · pixels), is not
// before the wall coordinate `edge`.
int first_pixel_from(int edge, int tile_at, int extent, int pixels) {
  const int64_t distance = int64_t{2} * pixels * (edge - tile_at);
  const int64_t first = ceil_div(distance - extent, int64_t{2} * extent);
  return static_cast<int>(std::clamp<int64_t>(first, 0, pixels));
}

// The sample position for a tile pixel in 1/256 of a source pixel.
//
// With D = 2 · tile_pixels, the pixel's centre is N / D wall pixels from the window's edge, so
//   ⌊256 · (N · frame / (D · window) − ½)⌋ = ⌊128 · N · frame / (tile_pixels · window)⌋ − 128.
// Within limits.h |N| stays under 2^36 and the product under 2^57.
int sample_256(const Axis& axis, int pixel) {
  const int64_t from_window = int64_t{2} * axis.tile_pixels * (axis.tile_at - axis.window_at) +
                              (int64_t{2} * pixel + 1) * axis.tile_extent;
  const int64_t position = floor_div(128 * from_window * axis.frame_extent,
                                     int64_t{axis.tile_pixels} * axis.window_extent) -
                           128;
  return static_cast<int>(std::clamp<int64_t>(position, 0, int64_t{256} * (axis.frame_extent - 1)));
}

codecs::Tap tap_at(const Axis& axis, int pixel) {
  const int position = sample_256(axis, pixel);
  const int first = position / 256;
  const int weight = position % 256;
  return {first, weight == 0 ? first : first + 1, static_cast<uint16_t>(weight)};
}

// Removes `hole` from the region. Walks backwards, so that what takes the place of a removed
// rectangle has been looked at or is a piece that the hole does not touch.
void cut(Region& region, const Rect& hole) {
  for (size_t i = region.size(); i-- > 0;) {
    const Rect whole = region[i];
    const Rect gone = intersect(whole, hole);
    if (gone.empty()) continue;
    region[i] = region.back();
    region.pop_back();
    const Rect pieces[] = {
        Rect::from_edges(whole.x, whole.y, whole.right(), gone.y),
        Rect::from_edges(whole.x, gone.y, gone.x, gone.bottom()),
        Rect::from_edges(gone.right(), gone.y, whole.right(), gone.bottom()),
        Rect::from_edges(whole.x, gone.bottom(), whole.right(), whole.bottom()),
    };
    for (const Rect& piece : pieces) {
      if (!piece.empty()) region.push_back(piece);
    }
  }
}

}  // namespace

Region subtract(const Region& region, const Rect& rect) {
  Region rest = region;
  cut(rest, rect);
  return rest;
}

Region visible_part(std::span<const StackedWindow> windows, size_t index, const Rect& clip) {
  Region region;
  const Rect whole = intersect(windows[index].wall_rect, clip);
  if (whole.empty()) return region;
  region.push_back(whole);
  for (const StackedWindow& above : windows.subspan(index + 1)) {
    if (above.alpha || intersect(above.wall_rect, whole).empty()) continue;
    cut(region, above.wall_rect);
    if (region.empty()) break;
  }
  return region;
}

Rect TileView::tile_pixels(const Rect& wall_part) const {
  if (wall_part.empty()) return {};
  const auto column_from = [this](int edge) {
    return first_pixel_from(edge, wall_rect.x, wall_rect.width, upright.width);
  };
  const auto row_from = [this](int edge) {
    return first_pixel_from(edge, wall_rect.y, wall_rect.height, upright.height);
  };
  const Rect pixels =
      Rect::from_edges(column_from(wall_part.x), row_from(wall_part.y),
                       column_from(wall_part.right()), row_from(wall_part.bottom()));
  return pixels.empty() ? Rect{} : pixels;
}

std::vector<codecs::Tap> sample_taps(int tile_at, int tile_extent, int tile_pixels, int window_at,
                                     int window_extent, int frame_extent, int first, int count) {
  const Axis axis{tile_at, tile_extent, tile_pixels, window_at, window_extent, frame_extent};
  std::vector<codecs::Tap> taps;
  taps.reserve(static_cast<size_t>(count));
  for (int pixel = first; pixel < first + count; ++pixel) taps.push_back(tap_at(axis, pixel));
  return taps;
}

Rect source_rect(const TileView& tile, const Rect& tile_pixels, const Rect& window_wall_rect,
                 Size frame_size) {
  // Positions never fall along an axis, so the outermost taps reach furthest.
  const Axis columns = horizontal(tile, window_wall_rect, frame_size);
  const Axis rows = vertical(tile, window_wall_rect, frame_size);
  return Rect::from_edges(tap_at(columns, tile_pixels.x).first, tap_at(rows, tile_pixels.y).first,
                          tap_at(columns, tile_pixels.right() - 1).second + 1,
                          tap_at(rows, tile_pixels.bottom() - 1).second + 1);
}

}  // namespace sail
