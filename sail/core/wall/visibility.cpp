#include "sail/core/wall/visibility.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace sail {
namespace {

TileAxis columns_of(const TileView& tile) {
  return {tile.wall_rect.x, tile.wall_rect.width, tile.upright.width};
}
TileAxis rows_of(const TileView& tile) {
  return {tile.wall_rect.y, tile.wall_rect.height, tile.upright.height};
}
WindowAxis across_of(const PictureMap& map) {
  return {map.wall_rect.x, map.wall_rect.width, map.across};
}
WindowAxis down_of(const PictureMap& map) {
  return {map.wall_rect.y, map.wall_rect.height, map.down};
}

int64_t floor_div(int64_t value, int64_t divisor) {
  const int64_t quotient = value / divisor;
  return value % divisor < 0 ? quotient - 1 : quotient;
}

int64_t ceil_div(int64_t value, int64_t divisor) {
  return -floor_div(-value, divisor);
}

// The first pixel of a tile's axis whose centre, tile_at + (2i + 1) · extent / (2 · pixels), is at
// or after the wall coordinate `edge`.
int first_pixel_from(int edge, int tile_at, int extent, int pixels) {
  const int64_t distance = int64_t{2} * pixels * (edge - tile_at);
  const int64_t first = ceil_div(distance - extent, int64_t{2} * extent);
  return static_cast<int>(std::clamp<int64_t>(first, 0, pixels));
}

// The sample position for a tile pixel in 1/256 of a source pixel.
//
// With D = 2 · pixels, the pixel's centre is N / D wall pixels from the window's edge, so
//   ⌊256 · (N · source / (D · window) − ½)⌋ = ⌊N · source_256 / (D · window)⌋ − 128.
// Within limits.h |N| stays under 2^36 and the product under 2^58.
int sample_256(const TileAxis& tile, const WindowAxis& window, int pixel) {
  const int64_t whole = int64_t{2} * tile.pixels * window.extent;
  int64_t from_window =
      int64_t{2} * tile.pixels * (tile.at - window.at) + (int64_t{2} * pixel + 1) * tile.extent;
  if (window.source.backwards) from_window = whole - from_window;
  const int64_t position =
      window.source.from_256 + floor_div(from_window * window.source.extent_256, whole) - 128;
  return static_cast<int>(std::clamp<int64_t>(position, int64_t{256} * window.source.first,
                                              int64_t{256} * window.source.last));
}

codecs::Tap tap_at(const TileAxis& tile, const WindowAxis& window, int pixel) {
  const int position = sample_256(tile, window, pixel);
  const int first = position / 256;
  const int weight = position % 256;
  return {first, weight == 0 ? first : first + 1, static_cast<uint16_t>(weight)};
}

// Half-open range of source pixels that a run of tile pixels reads. Positions are monotonic along
// an axis, so the outermost taps reach furthest.
std::pair<int, int> reach(const TileAxis& tile, const WindowAxis& window, int begin, int end) {
  const codecs::Tap a = tap_at(tile, window, begin);
  const codecs::Tap b = tap_at(tile, window, end - 1);
  return {std::min(a.first, b.first), std::max(a.second, b.second) + 1};
}

// Removes `hole` from the region. Iterates backwards, so that the rectangle that replaces a removed
// one was already checked or is a piece outside the hole.
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
    if (above.blended || intersect(above.wall_rect, whole).empty()) continue;
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

std::vector<codecs::Tap> sample_taps(const TileAxis& tile, const WindowAxis& window, int first,
                                     int count) {
  std::vector<codecs::Tap> taps;
  taps.reserve(static_cast<size_t>(count));
  for (int pixel = first; pixel < first + count; ++pixel) {
    taps.push_back(tap_at(tile, window, pixel));
  }
  return taps;
}

std::vector<codecs::Tap> column_taps(const TileView& tile, const Rect& pixels,
                                     const PictureMap& map) {
  return sample_taps(columns_of(tile), across_of(map), pixels.x, pixels.width);
}

std::vector<codecs::Tap> row_taps(const TileView& tile, const Rect& pixels, const PictureMap& map) {
  return sample_taps(rows_of(tile), down_of(map), pixels.y, pixels.height);
}

Rect source_rect(const TileView& tile, const Rect& tile_pixels, const PictureMap& map) {
  auto columns = reach(columns_of(tile), across_of(map), tile_pixels.x, tile_pixels.right());
  auto rows = reach(rows_of(tile), down_of(map), tile_pixels.y, tile_pixels.bottom());
  if (map.turned) std::swap(columns, rows);
  return Rect::from_edges(columns.first, rows.first, columns.second, rows.second);
}

}  // namespace sail
