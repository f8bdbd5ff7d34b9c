#include "sail/wall/wall.h"

#include <algorithm>

namespace sail {

const Tile* Wall::find_tile(std::string_view tile_name) const {
  const auto found = std::find_if(tiles.begin(), tiles.end(),
                                  [&](const Tile& tile) { return tile.name == tile_name; });
  return found == tiles.end() ? nullptr : &*found;
}

Json wall_json(const Wall& wall) {
  Json receivers = Json::array();
  for (const ReceiverPlace& receiver : wall.receivers) {
    Json entry = Json::object();
    entry["name"] = receiver.name;
    if (!receiver.host.empty()) entry["host"] = receiver.host;
    receivers.push_back(std::move(entry));
  }
  Json tiles = Json::array();
  for (const Tile& tile : wall.tiles) {
    Json entry = {
        {"name", tile.name},
        {"receiver", tile.receiver},
        {"at", {tile.wall_rect.x, tile.wall_rect.y}},
        {"size", {tile.wall_rect.width, tile.wall_rect.height}},
        {"resolution", size_json(tile.resolution)},
        {"rotation", tile.rotation},
    };
    if (tile.has_window_at) entry["window_at"] = {tile.window_x, tile.window_y};
    tiles.push_back(std::move(entry));
  }
  Json file = Json::object();
  file["name"] = wall.name;
  file["receivers"] = std::move(receivers);
  file["tiles"] = std::move(tiles);
  file["transport"] = transport_name(wall.transport);
  file["mtu"] = wall.mtu;
  if (wall.pixel_pitch_mm > 0) file["pixel_pitch_mm"] = wall.pixel_pitch_mm;
  return file;
}

}  // namespace sail
