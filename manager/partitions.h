// Named parts of the wall that windows stand in: a window is in the smallest that has all of it.
// Pure; rectangles in wall pixels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manager/tile_gaps.h"
#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace manager {

constexpr size_t kMostPartitions = 256;

struct Partition {
  std::string name;
  sail::Rect rect;  // within the wall

  bool operator==(const Partition&) const = default;
};

class Partitions {
 public:
  // New, or in the place of the one of this name. kLimit: there are kMostPartitions, or it does not
  // lie within the wall. kInvalidParams: no name.
  sail::Result<void> set(const Partition& partition, sail::Size wall_size);
  bool remove(std::string_view name);

  const std::vector<Partition>& all() const { return all_; }
  const Partition* find(std::string_view name) const;
  // The smallest that has all of the rectangle; null when none has.
  const Partition* around(const sail::Rect& rect) const;
  bool operator==(const Partitions&) const = default;

 private:
  std::vector<Partition> all_;  // in the order they were made
};

// Columns × rows of equal parts, as grid_cells() makes them, "1", "2", … as one reads. kLimit: too
// many, or the wall is too small for so many.
sail::Result<Partitions> partition_grid(sail::Size wall_size, int columns, int rows,
                                        const TileGaps& gaps = {});

// Where a window goes that stands within `from` when that partition becomes `to`: what fills it or
// fits it does so again; else it keeps its place in proportion, and its aspect.
sail::Rect follow_partition(const sail::Rect& window, sail::Size content, const sail::Rect& from,
                            const sail::Rect& to);

}  // namespace manager
