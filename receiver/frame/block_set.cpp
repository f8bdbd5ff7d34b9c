#include "receiver/frame/block_set.h"

#include <algorithm>

namespace receiver {

void BlockSet::fill(const sail::BlockGrid& grid) {
  grid_ = grid;
  blocks_.assign(grid.count(), true);
}

void BlockSet::add_changed(const Frame* before, const Frame& next) {
  const sail::BlockGrid& grid = next.grid();
  const bool comparable = before != nullptr && before->grid() == grid &&
                          before->codec() == next.codec() && before->session() == next.session();
  if (!comparable) return fill(grid);
  if (blocks_.empty() || grid_ != grid) blocks_.assign(grid.count(), false);
  grid_ = grid;
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

void BlockSet::remove(const sail::Rect& source_rect) {
  if (blocks_.empty()) return;
  const sail::Rect touched = grid_.blocks_touching(source_rect);
  for (int row = touched.y; row < touched.bottom(); ++row) {
    std::fill_n(blocks_.begin() + row * grid_.columns() + touched.x, touched.width, false);
  }
}

bool BlockSet::any() const {
  return std::find(blocks_.begin(), blocks_.end(), true) != blocks_.end();
}

bool BlockSet::touch(const sail::Rect& source_rect) const {
  if (blocks_.empty()) return false;
  const sail::Rect touched = grid_.blocks_touching(source_rect);
  for (int row = touched.y; row < touched.bottom(); ++row) {
    const auto first = blocks_.begin() + row * grid_.columns() + touched.x;
    if (std::find(first, first + touched.width, true) != first + touched.width) return true;
  }
  return false;
}

}  // namespace receiver
