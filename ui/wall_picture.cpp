#include "ui/wall_picture.h"

#include <fmt/core.h>
#include <png.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "sail/client/snapshot.h"
#include "sail/wall/wall.h"

namespace ui {
namespace {

// Where an upright pixel of a tile stands in the picture that its display shows.
size_t display_index(const sail::Tile& tile, int x, int y) {
  const sail::Size upright = tile.upright();
  int column = x;
  int row = y;
  if (tile.rotation == 90) {
    column = upright.height - 1 - y;
    row = x;
  } else if (tile.rotation == 180) {
    column = upright.width - 1 - x;
    row = upright.height - 1 - y;
  } else if (tile.rotation == 270) {
    column = y;
    row = upright.width - 1 - x;
  }
  return (static_cast<size_t>(row) * static_cast<size_t>(tile.resolution.width) +
          static_cast<size_t>(column)) *
         4;
}

// Turns the tile's picture upright and, where its pixels are not the wall's, takes the nearest.
void paste(WallPicture& wall, const sail::Tile& tile, const std::vector<uint8_t>& shown) {
  const sail::Size upright = tile.upright();
  for (int y = 0; y < tile.wall_rect.height; ++y) {
    const int from_y = static_cast<int>(int64_t{y} * upright.height / tile.wall_rect.height);
    uint8_t* row = wall.pixels.data() + (static_cast<size_t>(tile.wall_rect.y + y) *
                                             static_cast<size_t>(wall.size.width) +
                                         static_cast<size_t>(tile.wall_rect.x)) *
                                            4;
    if (tile.rotation == 0 && upright == sail::Size{tile.wall_rect.width, tile.wall_rect.height}) {
      std::memcpy(row, shown.data() + display_index(tile, 0, y),
                  static_cast<size_t>(upright.width) * 4);
      continue;
    }
    for (int x = 0; x < tile.wall_rect.width; ++x) {
      const int from_x = static_cast<int>(int64_t{x} * upright.width / tile.wall_rect.width);
      std::memcpy(row + ptrdiff_t{x} * 4, shown.data() + display_index(tile, from_x, from_y), 4);
    }
  }
}

}  // namespace

}  // namespace ui
