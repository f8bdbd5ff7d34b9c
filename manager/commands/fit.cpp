#include <fmt/core.h>

#include "manager/arrange.h"
#include "manager/commands/areas.h"
#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/placing.h"
#include "sail/wire/limits.h"

namespace manager::verbs {
namespace {

// Side by side with what stands in the partition.
Answer share(const Caller& caller, uint32_t number, const std::string& name, const Deed& deed) {
  const auto window = find_unlocked(caller, number);
  if (!window) return window.error();
  const Arrangement& arrangement = caller.manager.arrangement();
  const Placing placing =
      share_partition(arrangement, caller.manager.tile_gaps(), *arrangement.partitions().find(name),
                      {&(*window)->frame_size, 1}, number);
  LayoutChange change = placing.others;
  change.windows[number] = {.wall_rect = placing.rects.front()};
  caller.manager.change_layout(change, deed, caller.session);
  return window_now(caller, number);
}

}  // namespace

Answer fit(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "fit");
  const uint32_t number = window_number(fields);
  const std::string tile = fields.string_or("tile", sail::kMaxNameLength, "");
  const std::string partition = fields.string_or("partition", sail::kMaxNameLength, "");
  const bool fill = fields.boolean_or("fill", false);
  const bool shared = fields.boolean_or("share", false);
  const std::string of_gesture = gesture(fields);
  if (shared && (fill || partition.empty())) {
    fields.mistake("share", "is for a 'partition', without 'fill'");
  }
  if (!tile.empty() && !partition.empty()) {
    fields.mistake("partition", "and 'tile' cannot both be there");
  }
  if (auto error = fields.finish()) return *error;
  const auto window = find_window(caller, number);
  if (!window) return window.error();
  const auto area = partition.empty() ? tile_area(caller, tile) : partition_area(caller, partition);
  if (!area) return area.error();
  const std::string& name = partition.empty() ? tile : partition;
  const Deed deed{.verb = "fitted",
                  .rest = name.empty() ? " into the wall" : fmt::format(" into '{}'", name),
                  .gesture = of_gesture};
  if (shared) return share(caller, number, partition, deed);
  const sail::Rect place = fill ? *area : fit_into((*window)->frame_size, *area);
  return place_one(caller, **window, {place.x, place.y, place.width, place.height}, deed);
}

}  // namespace manager::verbs
