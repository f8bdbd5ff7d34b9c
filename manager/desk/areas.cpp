#include "manager/desk/areas.h"

#include <fmt/core.h>

#include <vector>

#include "manager/peers/state_json.h"
#include "manager/wall/partitions.h"
#include "sail/core/wall/wall.h"

namespace manager {
namespace {

std::vector<std::string> tile_names(const sail::Wall& wall) {
  std::vector<std::string> names;
  for (const sail::Tile& tile : wall.tiles) names.push_back(tile.name);
  return names;
}

std::string partitions_text(const Partitions& partitions) {
  std::vector<std::string> names;
  for (const Partition& partition : partitions.all()) names.push_back(partition.name);
  return names.empty() ? "no partitions" : quoted_list(names);
}

}  // namespace

sail::Result<sail::Rect> tile_area(const sail::Wall& wall, const std::string& name) {
  if (name.empty()) return sail::Rect{0, 0, wall.size.width, wall.size.height};
  if (const sail::Tile* tile = wall.find_tile(name)) return tile->wall_rect;
  return sail::fail(
      sail::ErrorCode::kNotFound,
      fmt::format("no tile '{}': the wall has the tiles {}", name, quoted_list(tile_names(wall))));
}

sail::Result<sail::Rect> partition_area(const Partitions& partitions, const std::string& name) {
  if (const Partition* partition = partitions.find(name)) return partition->rect;
  return sail::fail(sail::ErrorCode::kNotFound, fmt::format("no partition '{}': the wall has {}",
                                                            name, partitions_text(partitions)));
}

sail::Result<sail::Rect> area_named(const sail::Wall& wall, const Partitions& partitions,
                                    const std::string& name) {
  if (name.empty() || wall.find_tile(name) != nullptr) return tile_area(wall, name);
  if (partitions.find(name) != nullptr) return partition_area(partitions, name);
  return sail::fail(sail::ErrorCode::kNotFound,
                    fmt::format("no tile or partition '{}': the wall has the tiles {} and {}", name,
                                quoted_list(tile_names(wall)), partitions_text(partitions)));
}

}  // namespace manager
