#include "manager/partitions.h"

#include <fmt/core.h>

#include "manager/commands/areas.h"
#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/state_parts.h"
#include "sail/wire/limits.h"

namespace manager::verbs {
namespace {

struct Request {
  std::string action;
  Partition partition;  // set, remove (the name)
  int columns = 0;
  int rows = 0;
};

sail::Result<Request> read_request(const sail::Json& params) {
  sail::JsonFields fields(params, "partition");
  Request request;
  request.action = fields.string("action", sail::kMaxNameLength);
  if (request.action == "set" || request.action == "remove") {
    request.partition.name = fields.string("name", sail::kMaxNameLength);
  }
  if (request.action == "set") {
    request.partition.rect = fields.rect("rect", sail::kMaxWindowOffset, sail::kMaxWindowSide);
  } else if (request.action == "grid") {
    constexpr int kMost = static_cast<int>(kMostPartitions);
    request.columns = static_cast<int>(fields.integer("columns", 1, kMost));
    request.rows = static_cast<int>(fields.integer("rows", 1, kMost));
  } else if (request.action != "remove" && request.action != "clear") {
    fields.mistake("action", "must be set, remove, grid or clear");
  }
  if (auto error = fields.finish()) return *error;
  return request;
}

struct Plan {
  Partitions partitions;
  std::string verb;  // as the history tells it
};

sail::Result<Plan> plan_for(const Caller& caller, const Request& request) {
  const sail::Size wall_size = caller.manager.wall().size;
  const std::string& name = request.partition.name;
  if (request.action == "clear") return Plan{{}, "removed all partitions"};
  if (request.action == "grid") {
    auto partitions =
        partition_grid(wall_size, request.columns, request.rows, caller.manager.tile_gaps());
    if (!partitions) return partitions.error();
    return Plan{std::move(*partitions),
                fmt::format("made a grid of {}×{} partitions", request.columns, request.rows)};
  }
  Partitions partitions = caller.manager.arrangement().partitions();
  if (request.action == "remove") {
    if (auto found = partition_area(caller, name); !found) {
      return found.error();
    }
    partitions.remove(name);
    return Plan{std::move(partitions), fmt::format("removed partition '{}'", name)};
  }
  if (auto set = partitions.set(request.partition, wall_size); !set) {
    return set.error();
  }
  return Plan{std::move(partitions), fmt::format("set partition '{}'", name)};
}

}  // namespace

Answer partition(const Caller& caller, const sail::Json& params) {
  const auto request = read_request(params);
  if (!request) return request.error();
  auto plan = plan_for(caller, *request);
  if (!plan) return plan.error();
  const Arrangement& arrangement = caller.manager.arrangement();
  LayoutChange change;
  for (const Window& window : arrangement.windows().bottom_to_top()) {
    if (window.partition.empty() || window.locked || window.before_maximised) continue;
    const Partition* from = arrangement.partitions().find(window.partition);
    const Partition* to = plan->partitions.find(window.partition);
    if (to == nullptr || from->rect == to->rect) continue;
    change.windows[window.number] = {
        .wall_rect = follow_partition(window.wall_rect, window.frame_size, from->rect, to->rect)};
  }
  change.partitions = std::move(plan->partitions);
  caller.manager.change_layout(change, {.verb = std::move(plan->verb), .names_windows = false},
                               caller.session);
  return sail::Json{{"partitions", state_part_json(caller.manager, StatePart::kPartitions)}};
}

}  // namespace manager::verbs
