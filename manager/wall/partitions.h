// Named areas of the wall. A window belongs to the smallest partition that contains it completely.
// Pure; rectangles in wall pixels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manager/wall/tile_gaps.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace manager {

constexpr size_t kMostPartitions = 256;

struct Partition {
  std::string name;
  sail::Rect rect;  // Within the wall.

  bool operator==(const Partition&) const = default;
};

class Partitions {
 public:
  // Adds the partition, or replaces the one of this name. kLimit: there are kMostPartitions, or the
  // rectangle is not within the wall. kInvalidParams: no name.
  sail::Result<void> set(const Partition& partition, sail::Size wall_size);
  bool remove(std::string_view name);

  const std::vector<Partition>& all() const { return all_; }
  const Partition* find(std::string_view name) const;
  // Returns the smallest partition that contains the rectangle; null: none.
  const Partition* around(const sail::Rect& rect) const;
  bool operator==(const Partitions&) const = default;

 private:
  std::vector<Partition> all_;  // In order of creation.
};

// Returns columns × rows of equal partitions (see grid_cells()), named "1", "2", … in reading
// order. kLimit: too many, or the wall is too small for them.
sail::Result<Partitions> partition_grid(sail::Size wall_size, int columns, int rows,
                                        const TileGaps& gaps = {});

// Returns the new rectangle of a window in partition `from` when that changes to `to`. A window
// that fills or fits `from` then fills or fits `to`. Another window keeps its relative position and
// its aspect ratio.
sail::Rect follow_partition(const sail::Rect& window, sail::Size content, const sail::Rect& from,
                            const sail::Rect& to);

}  // namespace manager
