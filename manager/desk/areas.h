// Areas of the wall that people name.
#pragma once

#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {
struct Wall;
}  // namespace sail

namespace manager {

class Partitions;

// kNotFound: there is no such tile. An empty name means the whole wall.
sail::Result<sail::Rect> tile_area(const sail::Wall& wall, const std::string& name);
sail::Result<sail::Rect> partition_area(const Partitions& partitions, const std::string& name);
// Looks for a tile first, then for a partition. An empty name means the whole wall.
sail::Result<sail::Rect> area_named(const sail::Wall& wall, const Partitions& partitions,
                                    const std::string& name);

}  // namespace manager
