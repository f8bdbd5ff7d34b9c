// Which blocks of a stream's frames any tile shows, by the newest routing map: what the submitting
// thread is to encode. Immutable once made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sail/wall/block_grid.h"

namespace sail {

struct WantedBlocks {
  int reduction = 0;  // frames are halved so often before they are cut into blocks
  BlockGrid grid;     // of the reduced frame
  std::vector<bool> blocks;

  size_t index(int column, int row) const {
    return static_cast<size_t>(row) * static_cast<size_t>(grid.columns()) +
           static_cast<size_t>(column);
  }
  bool has(int column, int row) const { return blocks[index(column, row)]; }
};

}  // namespace sail
