// The grid of a wall file: equal tiles in columns and rows. Pure.
#pragma once

#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/wall/wall.h"

namespace sail {

struct TileGrid {
  int columns = 1;
  int rows = 1;
  Size resolution;
  Size mullion;               // gap between columns and between rows, wall pixels
  double pixel_pitch_mm = 0;  // 0: not given in the grid
  int group_columns = 1;      // tiles per receiver
  int group_rows = 1;

  int receiver_count() const { return (columns / group_columns) * (rows / group_rows); }
};

Result<TileGrid> read_grid(const Json& object);
// Returns the grid's receivers, row by row, with the given names or node1, node2, …
Result<std::vector<ReceiverPlace>> grid_receivers(const TileGrid& grid,
                                                  std::vector<ReceiverPlace> given, bool listed);
std::vector<Tile> grid_tiles(const TileGrid& grid, const std::vector<ReceiverPlace>& receivers);

// Reads "pixel_pitch_mm", of a grid or of the wall.
double read_pitch_mm(JsonFields& fields);

}  // namespace sail
