// A set of blocks of a window's frames. Pure.
#pragma once

#include <vector>

#include "receiver/frame/frame.h"

namespace receiver {

class BlockSet {
 public:
  void clear() { blocks_.clear(); }
  // Adds all blocks of a frame with this grid.
  void fill(const sail::BlockGrid& grid);
  // Adds the blocks of `next` that differ from `before`, the frame that `next` replaces; adds all
  // if `before` is null or has another grid, codec or connection.
  void add_changed(const Frame* before, const Frame& next);
  // Removes the blocks that intersect this rectangle of the frame.
  void remove(const sail::Rect& source_rect);

  bool any() const;
  // Returns true if a block of the set intersects this rectangle of the frame.
  bool touch(const sail::Rect& source_rect) const;

 private:
  sail::BlockGrid grid_;
  std::vector<bool> blocks_;  // one flag a block, row by row; an empty vector is the empty set
};

}  // namespace receiver
