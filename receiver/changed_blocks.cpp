#include "receiver/changed_blocks.h"

#include <algorithm>

namespace receiver {

void ChangedBlocks::add(const Frame* before, const Frame& next) {
  const sail::BlockGrid& grid = next.grid();
  const bool comparable = before != nullptr && before->grid() == grid &&
                          before->codec() == next.codec() && before->session() == next.session();
  if (blocks_.empty() || grid_ != grid) blocks_.assign(grid.count(), !comparable);
  grid_ = grid;
  if (!comparable) {
    blocks_.assign(grid.count(), true);
    return;
  }
  auto block = blocks_.begin();
  for (int row = 0; row < grid.rows(); ++row) {
    if (before->row(row) == next.row(row)) {
      block += grid.columns();
      continue;
    }
    for (int column = 0; column < grid.columns(); ++column, ++block) {
      if (before->version(column, row) != next.version(column, row)) *block = true;
    }
  }
}

bool ChangedBlocks::any() const {
  return std::find(blocks_.begin(), blocks_.end(), true) != blocks_.end();
}

bool ChangedBlocks::touch(const sail::Rect& source_rect) const {
  if (blocks_.empty()) return false;
  const sail::Rect touched = grid_.blocks_touching(source_rect);
  for (int row = touched.y; row < touched.bottom(); ++row) {
    for (int column = touched.x; column < touched.right(); ++column) {
      if (blocks_[static_cast<size_t>(row) * static_cast<size_t>(grid_.columns()) +
                  static_cast<size_t>(column)]) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace receiver
