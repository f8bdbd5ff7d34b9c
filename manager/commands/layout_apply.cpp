#include <fmt/core.h>

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer layout_apply(const Caller& caller, const sail::Json& params) {
  const auto name = only_name(params, "layout_apply");
  if (!name) return name.error();
  auto layout = caller.manager.saved_walls(SavedKind::kLayout).load(*name);
  if (!layout) return layout.error();
  const WindowStack& windows = caller.manager.windows();
  const SavedWall wall = on_wall_of(std::move(*layout), caller.manager.wall().size);
  const std::vector<uint32_t> numbers = match_windows(wall.windows, windows);
  LayoutChange change;
  change.partitions = wall.partitions;
  std::vector<uint32_t> order;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const Window* window = windows.find(numbers[i]);
    if (window == nullptr) continue;
    order.push_back(window->number);
    if (!window->locked) change.windows.emplace(window->number, wall.windows[i].standing);
  }
  change.order = order;
  caller.manager.change_layout(
      change, {.verb = fmt::format("applied layout '{}'", *name), .names_windows = false},
      caller.session);
  return sail::Json{{"windows", order}};
}

}  // namespace manager::verbs
