#include "manager/wall/partitions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "manager/wall/arrange.h"

namespace manager {
namespace {

bool lies_within(const sail::Rect& inner, const sail::Rect& outer) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() &&
         inner.bottom() <= outer.bottom();
}

int64_t area(const sail::Rect& rect) {
  return int64_t{rect.width} * rect.height;
}

sail::Error too_many() {
  return sail::fail(
      sail::ErrorCode::kLimit,
      fmt::format("a wall can have at most {} partitions: remove some", kMostPartitions));
}

}  // namespace

sail::Result<void> Partitions::set(const Partition& partition, sail::Size wall_size) {
  if (partition.name.empty()) {
    return sail::fail(sail::ErrorCode::kInvalidParams, "a partition needs a name");
  }
  if (partition.rect.empty() ||
      !lies_within(partition.rect, {0, 0, wall_size.width, wall_size.height})) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("partition '{}' must lie within the wall, which has {}×{} pixels",
                                  partition.name, wall_size.width, wall_size.height));
  }
  const auto it = std::find_if(all_.begin(), all_.end(), [&](const Partition& known) {
    return known.name == partition.name;
  });
  if (it != all_.end()) {
    it->rect = partition.rect;
    return {};
  }
  if (all_.size() >= kMostPartitions) return too_many();
  all_.push_back(partition);
  return {};
}

bool Partitions::remove(std::string_view name) {
  return std::erase_if(all_, [&](const Partition& known) { return known.name == name; }) > 0;
}

const Partition* Partitions::find(std::string_view name) const {
  const auto it = std::find_if(all_.begin(), all_.end(),
                               [&](const Partition& known) { return known.name == name; });
  return it == all_.end() ? nullptr : &*it;
}

const Partition* Partitions::around(const sail::Rect& rect) const {
  const Partition* smallest = nullptr;
  for (const Partition& partition : all_) {
    if (!lies_within(rect, partition.rect)) continue;
    if (smallest == nullptr || area(partition.rect) < area(smallest->rect)) smallest = &partition;
  }
  return smallest;
}

sail::Result<Partitions> partition_grid(sail::Size wall_size, int columns, int rows,
                                        const TileGaps& gaps) {
  if (int64_t{columns} * rows > static_cast<int64_t>(kMostPartitions)) return too_many();
  Partitions partitions;
  int number = 0;
  for (const sail::Rect& cell :
       grid_cells({0, 0, wall_size.width, wall_size.height}, columns, rows, gaps)) {
    if (auto set = partitions.set({fmt::format("{}", ++number), cell}, wall_size); !set) {
      return set.error();
    }
  }
  return partitions;
}

sail::Rect follow_partition(const sail::Rect& window, sail::Size content, const sail::Rect& from,
                            const sail::Rect& to) {
  if (window == from) return to;
  if (window == fit_into(content, from)) return fit_into(content, to);
  // Takes and returns doubled centres, which are whole numbers.
  const auto scaled = [](int64_t middle, int from_start, int from_side, int to_start, int to_side) {
    return 2 * int64_t{to_start} + (middle - 2 * int64_t{from_start}) * to_side / from_side;
  };
  const int64_t middle_x =
      scaled(2 * int64_t{window.x} + window.width, from.x, from.width, to.x, to.width);
  const int64_t middle_y =
      scaled(2 * int64_t{window.y} + window.height, from.y, from.height, to.y, to.height);
  const bool by_width = int64_t{to.width} * from.height < int64_t{to.height} * from.width;
  const int64_t factor = by_width ? to.width : to.height;
  const int64_t whole = by_width ? from.width : from.height;
  const int width = static_cast<int>(std::max<int64_t>(window.width * factor / whole, 1));
  const int height = static_cast<int>(std::max<int64_t>(window.height * factor / whole, 1));
  // Rounding must not move it out of the partition.
  return {std::clamp(static_cast<int>((middle_x - width) / 2), to.x, to.right() - width),
          std::clamp(static_cast<int>((middle_y - height) / 2), to.y, to.bottom() - height), width,
          height};
}

}  // namespace manager
