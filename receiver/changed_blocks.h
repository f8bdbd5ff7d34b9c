// Which blocks of a window differ from what is painted of it. Pure.
#pragma once

#include <vector>

#include "receiver/frame.h"

namespace receiver {

class ChangedBlocks {
 public:
  // Everything is painted.
  void clear() { blocks_.clear(); }
  // `next` takes the place of `before` (null: of nothing). What was changed before stays so.
  void add(const Frame* before, const Frame& next);

  bool any() const;
  // Whether any of the blocks that touch this part of the frame.
  bool touch(const sail::Rect& source_rect) const;

 private:
  sail::BlockGrid grid_;
  std::vector<bool> blocks_;  // row by row; empty: none
};

}  // namespace receiver
