#include <fmt/core.h>

#include "manager/arrange.h"
#include "manager/commands/areas.h"
#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

Answer fit(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "fit");
  const uint32_t number = window_number(fields);
  const std::string tile = fields.string_or("tile", sail::kMaxNameLength, "");
  const std::string partition = fields.string_or("partition", sail::kMaxNameLength, "");
  const bool fill = fields.boolean_or("fill", false);
  if (!tile.empty() && !partition.empty()) {
    fields.mistake("partition", "and 'tile' cannot both be there");
  }
  if (auto error = fields.finish()) return tl::make_unexpected(*error);
  const auto window = find_window(caller, number);
  if (!window) return tl::make_unexpected(window.error());
  const auto area = partition.empty() ? tile_area(caller, tile) : partition_area(caller, partition);
  if (!area) return tl::make_unexpected(area.error());
  const sail::Rect place = fill ? *area : fit_into((*window)->frame_size, *area);
  const std::string& name = partition.empty() ? tile : partition;
  return place_one(caller, **window, {place.x, place.y, place.width, place.height},
                   {.verb = "fitted",
                    .rest = name.empty() ? " into the wall" : fmt::format(" into '{}'", name)});
}

}  // namespace manager::verbs
