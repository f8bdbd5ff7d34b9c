// Some of the blocks of a window's frames. Pure.
#pragma once

#include <vector>

#include "receiver/frame.h"

namespace receiver {

class BlockSet {
 public:
  void clear() { blocks_.clear(); }
  // All of a frame's blocks.
  void fill(const sail::BlockGrid& grid);
  // Those that `next` has otherwise than `before`, in whose place it comes (null: nothing's).
  void add_changed(const Frame* before, const Frame& next);
  // Those that touch this part of the frame.
  void remove(const sail::Rect& source_rect);

  bool any() const;
  // Whether one of them touches this part of the frame.
  bool touch(const sail::Rect& source_rect) const;

 private:
  sail::BlockGrid grid_;
  std::vector<bool> blocks_;  // row by row; empty: none
};

}  // namespace receiver
