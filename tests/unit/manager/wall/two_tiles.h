// A wall for tests of pure code.
#pragma once

#include "sail/core/wall/wall.h"

namespace manager {

// Two tiles of 1000×1000 side by side; "left" and "right" drive one each.
inline sail::Wall two_tiles() {
  sail::Wall wall;
  wall.name = "two";
  wall.size = {2000, 1000};
  wall.receivers = {{"left", ""}, {"right", ""}};
  for (int i = 0; i < 2; ++i) {
    sail::Tile tile;
    tile.name = i == 0 ? "l" : "r";
    tile.receiver = i == 0 ? "left" : "right";
    tile.wall_rect = {1000 * i, 0, 1000, 1000};
    tile.resolution = {1000, 1000};
    wall.tiles.push_back(tile);
  }
  return wall;
}

}  // namespace manager
