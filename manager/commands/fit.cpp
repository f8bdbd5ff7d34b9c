#include <fmt/core.h>

#include "manager/arrange.h"
#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/state_json.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

namespace {

sail::Result<sail::Rect> area_named(const sail::Wall& wall, const std::string& tile_name) {
  if (tile_name.empty()) return sail::Rect{0, 0, wall.size.width, wall.size.height};
  if (const sail::Tile* tile = wall.find_tile(tile_name)) return tile->wall_rect;
  std::vector<std::string> names;
  for (const sail::Tile& tile : wall.tiles) names.push_back(tile.name);
  return sail::fail(sail::ErrorCode::kNotFound,
                    fmt::format("no tile '{}': the wall has {}", tile_name, quoted_list(names)));
}

}  // namespace

Answer fit(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "fit");
  const uint32_t number = window_number(fields);
  const std::string tile = fields.string_or("tile", sail::kMaxNameLength, "");
  if (auto error = fields.finish()) return tl::make_unexpected(*error);
  const auto window = find_window(caller, number);
  if (!window) return tl::make_unexpected(window.error());
  const auto area = area_named(caller.manager.wall(), tile);
  if (!area) return tl::make_unexpected(area.error());
  const sail::Rect place = fit_into((*window)->frame_size, *area);
  if (auto placed =
          caller.manager.place_window(number, {place.x, place.y, place.width, place.height});
      !placed) {
    return tl::make_unexpected(placed.error());
  }
  return window_now(caller, number);
}

}  // namespace manager::verbs
