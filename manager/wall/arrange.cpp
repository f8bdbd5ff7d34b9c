#include "manager/wall/arrange.h"

#include <algorithm>
#include <cstdint>

#include "sail/core/text/limits.h"

namespace manager {
sail::Rect fit_into(sail::Size content, const sail::Rect& whole_area) {
  // The area may exceed the largest window.
  const sail::Size most{std::min(whole_area.width, sail::kMaxWindowSide),
                        std::min(whole_area.height, sail::kMaxWindowSide)};
  const sail::Rect area{whole_area.x + (whole_area.width - most.width) / 2,
                        whole_area.y + (whole_area.height - most.height) / 2, most.width,
                        most.height};
  const int64_t by_width = int64_t{area.width} * content.height;
  const int64_t by_height = int64_t{area.height} * content.width;
  sail::Size size{area.width, area.height};
  if (by_width > by_height) {
    size.width = static_cast<int>(by_height / content.height);
  } else {
    size.height = static_cast<int>(by_width / content.width);
  }
  size = {std::max(size.width, 1), std::max(size.height, 1)};
  return {area.x + (area.width - size.width) / 2, area.y + (area.height - size.height) / 2,
          size.width, size.height};
}

sail::Rect onto_wall(const sail::Rect& rect, sail::Size wall_size) {
  const sail::Rect whole{0, 0, wall_size.width, wall_size.height};
  sail::Size size{rect.width, rect.height};
  if (size.width > wall_size.width || size.height > wall_size.height) {
    const sail::Rect largest = fit_into(size, whole);
    size = {largest.width, largest.height};
  }
  return {std::clamp(rect.x + (rect.width - size.width) / 2, 0, wall_size.width - size.width),
          std::clamp(rect.y + (rect.height - size.height) / 2, 0, wall_size.height - size.height),
          size.width, size.height};
}

bool is_on_wall(const sail::Rect& rect, sail::Size wall_size) {
  return sail::intersect(rect, {0, 0, wall_size.width, wall_size.height}) == rect;
}

}  // namespace manager
