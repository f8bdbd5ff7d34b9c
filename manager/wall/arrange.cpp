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

}  // namespace manager
