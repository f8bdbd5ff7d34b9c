#include "receiver/paint/spotlight.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sail/core/routing/overlay_shape.h"
#include "sail/core/text/limits.h"

namespace receiver {
namespace {

using sail::Rect;

constexpr int kCellSide = 256;
constexpr float kDimmed = 0.7F;    // opacity of the black around the light
constexpr float kSoftPart = 0.1F;  // of the radius: the light fades towards its edge

using Lights = std::vector<const sail::OverlayPointer*>;

// In wall pixels.
struct WallPlace {
  float x = 0;
  float y = 0;
};

// The middle of the tile's pixel. The same place on all tiles, so that no seam shows.
WallPlace middle_of(const sail::TileView& tile, int column, int row) {
  const auto place = [](int pixel, int at, int extent, int pixels) {
    return static_cast<float>(at) + (static_cast<float>(pixel) + 0.5F) *
                                        static_cast<float>(extent) / static_cast<float>(pixels);
  };
  const Rect& wall = tile.wall_rect;
  return {place(column, wall.x, wall.width, tile.upright.width),
          place(row, wall.y, wall.height, tile.upright.height)};
}

bool is_within(const WallPlace& place, const Rect& area) {
  return place.x >= static_cast<float>(area.x) && place.x < static_cast<float>(area.right()) &&
         place.y >= static_cast<float>(area.y) && place.y < static_cast<float>(area.bottom());
}

float distance(const WallPlace& place, const sail::OverlayPointer& light) {
  return std::hypot(place.x - static_cast<float>(light.x), place.y - static_cast<float>(light.y));
}

// The opacity of the black on this place, 0 to 255.
uint8_t darkness(const WallPlace& place, const Lights& lights) {
  bool dims = false;
  float share = 1;
  for (const sail::OverlayPointer* light : lights) {
    if (!is_within(place, light->area)) continue;
    dims = true;
    const auto radius = static_cast<float>(sail::spotlight_radius(*light));
    const float from_edge = distance(place, *light) - radius;
    share = std::min(share, std::clamp(1 + from_edge / (radius * kSoftPart), 0.0F, 1.0F));
  }
  return dims ? static_cast<uint8_t>(std::lround(share * kDimmed * 255)) : uint8_t{0};
}

Bitmap cell_bitmap(const sail::TileView& tile, const Rect& cell, const Lights& lights) {
  Bitmap bitmap{.size = {cell.width, cell.height}, .pixels = {}};
  bitmap.pixels.resize(static_cast<size_t>(cell.width) * static_cast<size_t>(cell.height) *
                       kBytesPerPixel);
  uint8_t* pixel = bitmap.pixels.data();
  for (int y = cell.y; y < cell.bottom(); ++y) {
    for (int x = cell.x; x < cell.right(); ++x, pixel += kBytesPerPixel) {
      pixel[3] = darkness(middle_of(tile, x, y), lights);
    }
  }
  return bitmap;
}

// The middles of a cell's corner pixels, and the circle around them.
struct CellPlace {
  WallPlace from;
  WallPlace to;
  WallPlace middle;
  float reach;
};

CellPlace place_of(const sail::TileView& tile, const Rect& cell) {
  const WallPlace from = middle_of(tile, cell.x, cell.y);
  const WallPlace to = middle_of(tile, cell.right() - 1, cell.bottom() - 1);
  return {from,
          to,
          {(from.x + to.x) / 2, (from.y + to.y) / 2},
          std::hypot(to.x - from.x, to.y - from.y) / 2};
}

bool reaches(const sail::OverlayPointer& light, const CellPlace& cell) {
  const auto radius = static_cast<float>(sail::spotlight_radius(light));
  return distance(cell.middle, light) - cell.reach < radius;
}

// The key of a cell whose pixels are alike; empty: they may differ.
std::string plain_key(const sail::TileView& tile, const Rect& cell, const Lights& lights) {
  const CellPlace place = place_of(tile, cell);
  const auto& [from, to, middle, reach] = place;
  bool lit = false;
  bool edge = false;
  for (const sail::OverlayPointer* light : lights) {
    const Rect& area = light->area;
    const bool outside = to.x < static_cast<float>(area.x) || to.y < static_cast<float>(area.y) ||
                         from.x >= static_cast<float>(area.right()) ||
                         from.y >= static_cast<float>(area.bottom());
    if (outside) continue;
    const bool inside = is_within(from, area) && is_within(to, area);
    const auto radius = static_cast<float>(sail::spotlight_radius(*light));
    lit |= inside && distance(middle, *light) + reach <= radius * (1 - kSoftPart);
    edge |= !inside || reaches(*light, place);
  }
  if (!lit && edge) return "";
  return fmt::format("dim {} {} {}", lit ? 0 : darkness(middle, lights), cell.width, cell.height);
}

std::string edge_key(const sail::TileView& tile, const Rect& cell, const Lights& lights) {
  const Rect& wall = tile.wall_rect;
  std::string key =
      fmt::format("spot {} {} {} {} {} {} {} {} {} {}", wall.x, wall.y, wall.width, wall.height,
                  tile.upright.width, tile.upright.height, cell.x, cell.y, cell.width, cell.height);
  const CellPlace place = place_of(tile, cell);
  for (const sail::OverlayPointer* light : lights) {
    const Rect& area = light->area;
    key += fmt::format(" {} {} {} {}", area.x, area.y, area.width, area.height);
    if (reaches(*light, place)) key += fmt::format(" at {} {}", light->x, light->y);
  }
  return key;
}

}  // namespace

std::vector<SpotlightCell> spotlight_cells(const sail::TileView& tile,
                                           const std::vector<sail::OverlayPointer>& pointers) {
  Lights lights;
  for (const sail::OverlayPointer& pointer : pointers) {
    if (pointer.style != sail::PointerStyle::kSpotlight) continue;
    if (lights.size() < sail::kMaxStyledPointers) lights.push_back(&pointer);
  }
  std::vector<SpotlightCell> cells;
  const bool dims = std::ranges::any_of(lights, [&](const sail::OverlayPointer* light) {
    return !sail::intersect(light->area, tile.wall_rect).empty();
  });
  if (!dims) return cells;
  const auto [width, height] = tile.upright;
  for (int y = 0; y < height; y += kCellSide) {
    for (int x = 0; x < width; x += kCellSide) {
      const Rect cell{x, y, std::min(kCellSide, width - x), std::min(kCellSide, height - y)};
      std::string key = plain_key(tile, cell, lights);
      if (key.empty()) key = edge_key(tile, cell, lights);
      cells.push_back(
          {cell, std::move(key), [tile, cell, lights] { return cell_bitmap(tile, cell, lights); }});
    }
  }
  return cells;
}

}  // namespace receiver
