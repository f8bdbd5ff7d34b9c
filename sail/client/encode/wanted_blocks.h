// The blocks of a stream's frames that any tile shows, by the newest routing map. The submitting
// thread encodes these blocks. Immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sail/core/wall/block_grid.h"

namespace sail {

struct WantedBlocks {
  int reduction = 0;  // number of halvings before the frame is divided into blocks
  BlockGrid grid;     // of the reduced frame
  std::vector<bool> blocks;

  size_t index(int column, int row) const {
    return static_cast<size_t>(row) * static_cast<size_t>(grid.columns()) +
           static_cast<size_t>(column);
  }
  bool has(int column, int row) const { return blocks[index(column, row)]; }
};

}  // namespace sail
