// Walls for tests of pure code.
#pragma once

#include <string>
#include <vector>

#include "sail/core/wall/wall.h"

namespace manager {

// Tiles of 1000×1000 side by side; each of these receivers drives the tile with its name.
inline sail::Wall row_of_tiles(const std::vector<std::string>& receivers) {
  sail::Wall wall;
  wall.name = "row";
  for (const std::string& name : receivers) {
    sail::Tile tile;
    tile.name = tile.receiver = name;
    tile.wall_rect = {wall.size.width, 0, 1000, 1000};
    tile.resolution = {1000, 1000};
    wall.tiles.push_back(tile);
    wall.receivers.push_back({name, ""});
    wall.size = {wall.size.width + 1000, 1000};
  }
  return wall;
}

// Two tiles, "l" and "r"; "left" and "right" drive one each.
inline sail::Wall two_tiles() {
  sail::Wall wall = row_of_tiles({"left", "right"});
  wall.name = "two";
  wall.tiles[0].name = "l";
  wall.tiles[1].name = "r";
  return wall;
}

}  // namespace manager
