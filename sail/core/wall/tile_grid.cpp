#include "sail/core/wall/tile_grid.h"

#include <fmt/format.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/wall/node_places.h"

namespace sail {
namespace {

constexpr double kMaxMillimetres = 10000;

// Computes the gaps in pixels from mullion_mm and pixel_pitch_mm.
Size read_mullion_mm(JsonFields& fields) {
  const Json& gaps = fields.array("mullion_mm", 2);
  const double pitch = read_pitch_mm(fields);
  const auto fits = [](const Json& gap) {
    return gap.is_number() && gap.get<double>() >= 0 && gap.get<double>() <= kMaxMillimetres;
  };
  if (gaps.size() != 2 || !fits(gaps[0]) || !fits(gaps[1])) {
    fields.mistake(
        "mullion_mm",
        fmt::format("must be [between columns, between rows], 0 to {} each", kMaxMillimetres));
    return {};
  }
  if (pitch <= 0) return {};
  const double width = std::round(gaps[0].get<double>() / pitch);
  const double height = std::round(gaps[1].get<double>() / pitch);
  if (width > kMaxTileSide || height > kMaxTileSide) {
    fields.mistake("mullion_mm", fmt::format("is more than {} pixels wide", kMaxTileSide));
    return {};
  }
  return {static_cast<int>(width), static_cast<int>(height)};
}

Size read_mullion(JsonFields& fields) {
  if (fields.has("mullion_mm")) {
    if (fields.has("mullion")) {
      fields.mistake("mullion_mm", "cannot be combined with 'mullion'");
      fields.array("mullion", 2);  // a known key
      return {};
    }
    if (!fields.has("pixel_pitch_mm")) {
      fields.mistake("mullion_mm", "needs 'pixel_pitch_mm', the size of one pixel");
      return {};
    }
    return read_mullion_mm(fields);
  }
  if (fields.has("pixel_pitch_mm")) {
    fields.mistake("pixel_pitch_mm", "needs 'mullion_mm'");
  }
  if (!fields.has("mullion")) return {};
  const auto [width, height] = fields.pair("mullion", 0, kMaxTileSide);
  return {width, height};
}

}  // namespace

double read_pitch_mm(JsonFields& fields) {
  return fields.number("pixel_pitch_mm", 0.01, 100);
}

Result<TileGrid> read_grid(const Json& object) {
  JsonFields fields(object, "grid", JsonFields::Report::kAll);
  TileGrid grid;
  grid.columns = static_cast<int>(fields.integer("columns", 1, kMaxTiles));
  grid.rows = static_cast<int>(fields.integer("rows", 1, kMaxTiles));
  std::tie(grid.resolution.width, grid.resolution.height) =
      fields.pair("resolution", 1, kMaxTileSide);
  grid.mullion = read_mullion(fields);
  if (fields.has("pixel_pitch_mm")) grid.pixel_pitch_mm = read_pitch_mm(fields);
  if (fields.has("tiles_per_receiver")) {
    const auto [columns, rows] = fields.pair("tiles_per_receiver", 1, kMaxTiles);
    grid.group_columns = columns;
    grid.group_rows = rows;
  }
  if (auto error = fields.finish()) return *error;
  Mistakes mistakes;
  if (grid.columns * grid.rows > kMaxTiles) {
    mistakes.add(fmt::format("grid: {} columns × {} rows are more than {} tiles", grid.columns,
                             grid.rows, kMaxTiles));
  }
  if (grid.columns % grid.group_columns != 0 || grid.rows % grid.group_rows != 0) {
    mistakes.add(fmt::format("grid: tiles_per_receiver [{}, {}] must divide {} columns and {} rows",
                             grid.group_columns, grid.group_rows, grid.columns, grid.rows));
  }
  if (mistakes.error()) return *mistakes.error();
  return grid;
}

Result<std::vector<ReceiverPlace>> grid_receivers(const TileGrid& grid,
                                                  std::vector<ReceiverPlace> given, bool listed) {
  const auto wanted = static_cast<size_t>(grid.receiver_count());
  if (listed && given.size() != wanted) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("receivers: {} are listed, but the grid needs {} (row by row)",
                            given.size(), wanted));
  }
  if (!listed) {
    for (size_t i = 0; i < wanted; ++i) given.push_back({fmt::format("node{}", i + 1), ""});
  }
  return given;
}

std::vector<Tile> grid_tiles(const TileGrid& grid, const std::vector<ReceiverPlace>& receivers) {
  const bool shared = grid.group_columns * grid.group_rows > 1;
  std::vector<Tile> tiles;
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      const int group =
          row / grid.group_rows * (grid.columns / grid.group_columns) + column / grid.group_columns;
      Tile tile;
      tile.name = fmt::format("c{}r{}", column + 1, row + 1);
      tile.receiver = receivers[static_cast<size_t>(group)].name;
      tile.wall_rect = {column * (grid.resolution.width + grid.mullion.width),
                        row * (grid.resolution.height + grid.mullion.height), grid.resolution.width,
                        grid.resolution.height};
      tile.resolution = grid.resolution;
      if (shared) {
        tile.has_window_at = true;
        tile.window_x = column % grid.group_columns * grid.resolution.width;
        tile.window_y = row % grid.group_rows * grid.resolution.height;
      }
      tiles.push_back(std::move(tile));
    }
  }
  return tiles;
}

}  // namespace sail
