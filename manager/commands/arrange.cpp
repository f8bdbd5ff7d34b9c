// Verbs that arrange windows side by side, and partitions.
#include <fmt/core.h>

#include <algorithm>

#include "manager/commands/object_gate.h"
#include "manager/commands/verbs.h"
#include "manager/desk/areas.h"
#include "manager/desk/desk.h"
#include "manager/monitor/state_feed.h"
#include "manager/peers/peers.h"
#include "manager/wall/arrange.h"
#include "manager/wall/placing.h"
#include "sail/core/text/limits.h"

namespace manager::verbs {

namespace {

struct Wanted {
  std::string mode;
  int columns = 0;
  uint32_t main = 0;  // 0: the topmost window.
  std::string area;   // Empty: the whole wall.
};

sail::Result<Wanted> read_arrange(const Call& call) {
  sail::JsonFields fields = call.fields();
  Wanted request;
  request.mode = fields.string_or("mode", sail::kMaxNameLength, "grid");
  request.area = fields.string_or("area", sail::kMaxNameLength, "");
  if (request.mode == "grid") {
    request.columns = static_cast<int>(fields.integer_or("columns", 1, sail::kMaxWindows, 0));
  } else if (request.mode == "main") {
    if (fields.has("window")) request.main = window_number(fields);
  } else if (request.mode != "aspect") {
    fields.mistake("mode", "must be grid, aspect or main");
  }
  if (auto error = fields.finish()) return *error;
  return request;
}

// Returns the unlocked windows whose centre is in the area. The whole wall includes all that
// layouts place.
std::vector<const Window*> windows_in(const Desk& desk, const Wanted& request,
                                      const sail::Rect& area) {
  std::vector<const Window*> chosen;
  for (const Window& window : desk.windows().bottom_to_top()) {
    const sail::Rect& rect = window.wall_rect;
    const bool is_in_area = request.area.empty() || window.number == request.main ||
                            area.contains(rect.x + rect.width / 2, rect.y + rect.height / 2);
    if (is_in_area && !window.locked && window.arranged()) chosen.push_back(&window);
  }
  return chosen;
}

Arranged places_for(const Wanted& request, const sail::Rect& area,
                    const std::vector<const Window*>& windows, const TileGaps& gaps) {
  std::vector<sail::Size> contents;
  contents.reserve(windows.size());
  for (const Window* window : windows) contents.push_back(window->shown_size());
  if (contents.empty()) return {};
  if (request.mode == "aspect") return arrange_rows(area, contents);
  if (request.mode == "grid") return arrange_grid(area, contents, request.columns, gaps);
  const auto main = std::find_if(windows.begin(), windows.end(), [&](const Window* window) {
    return window->number == request.main;
  });
  const auto last = contents.size() - 1;
  return arrange_main(area, contents,
                      main == windows.end() ? last : static_cast<size_t>(main - windows.begin()),
                      gaps);
}

}  // namespace

Answer arrange(const Call& call, Desk& desk) {
  const auto request = read_arrange(call);
  if (!request) return request.error();
  const auto area = area_named(desk.wall(), desk.arrangement().partitions(), request->area);
  if (!area) return area.error();
  if (request->main != 0) {
    if (auto free = find_placeable(call, desk, request->main); !free) {
      return free.error();
    }
  }
  const std::vector<const Window*> windows = windows_in(desk, *request, *area);
  const Arranged places = places_for(*request, *area, windows, desk.tile_gaps());
  LayoutChange change;
  std::vector<uint32_t> numbers;
  for (size_t i = 0; i < windows.size(); ++i) {
    change.windows[windows[i]->number] = {.wall_rect = places.rects[i], .place = places.areas[i]};
    numbers.push_back(windows[i]->number);
  }
  desk.change(change, {.verb = "arranged"}, author_of(call.peer));
  constexpr size_t kMostTold = 256;
  sail::Json states = sail::Json::array();
  for (size_t i = 0; i < std::min(numbers.size(), kMostTold); ++i) {
    states.push_back(window_now(desk, numbers[i]));
  }
  return sail::Json{{"windows", std::move(states)}};
}

namespace {

constexpr size_t kMostPlaces = 64;

std::vector<sail::Size> read_sizes(sail::JsonFields& fields) {
  std::vector<sail::Size> sizes;
  for (const sail::Json& item : fields.array("sizes", kMostPlaces)) {
    const auto side = [&](size_t index) {
      if (!item.is_array() || item.size() != 2) return std::optional<int64_t>();
      return sail::whole_number(item[index], 1, sail::kMaxFrameSide);
    };
    const auto width = side(0);
    const auto height = side(1);
    if (!width || !height) {
      fields.mistake("sizes", "must contain [width, height] of each picture");
      break;
    }
    sizes.push_back({static_cast<int>(*width), static_cast<int>(*height)});
  }
  if (sizes.empty()) fields.mistake("sizes", "must contain at least one size");
  return sizes;
}

}  // namespace

Answer find_places(const Call& call, const Desk& desk, const ObjectRights& rights) {
  sail::JsonFields fields = call.fields();
  const std::vector<sail::Size> sizes = read_sizes(fields);
  std::optional<Point> at;
  if (fields.has("at")) {
    at = fields.pair("at", -sail::kMaxWindowOffset / 2, sail::kMaxWindowOffset / 2);
  }
  if (auto error = fields.finish()) return *error;
  const auto closed = rights.closed_to(asker_of(call.peer), desk.arrangement().partitions());
  const Placing placing =
      place_outside(desk.arrangement(), desk.tile_gaps(), sizes, at, Others::kMakeRoom, closed);
  sail::Json places = sail::Json::array();
  for (size_t i = 0; i < sizes.size(); ++i) {
    sail::Json place = {{"rect", sail::rect_json(placing.rects[i])}};
    if (placing.in_partition) {
      place["play"] = {{"at", {at->first, at->second}}};
    } else if (!placing.others.empty()) {
      place["play"] = sail::Json::object();  // The other windows make room when it opens.
    } else {
      place["play"] = {{"within", sail::rect_json(placing.areas[i])}};
    }
    places.push_back(std::move(place));
  }
  return sail::Json{{"places", std::move(places)}};
}

namespace {

struct PartitionAction {
  std::string action;
  Partition partition;  // For "set"; for "remove" only the name.
  int columns = 0;
  int rows = 0;
};

sail::Result<PartitionAction> read_partition(const Call& call) {
  sail::JsonFields fields = call.fields();
  PartitionAction request;
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
  std::string verb;  // Description for the history.
};

sail::Result<Plan> plan_for(const Desk& desk, const PartitionAction& request) {
  const sail::Size wall_size = desk.wall().size;
  const std::string& name = request.partition.name;
  if (request.action == "clear") return Plan{{}, "removed all partitions"};
  if (request.action == "grid") {
    auto partitions = partition_grid(wall_size, request.columns, request.rows, desk.tile_gaps());
    if (!partitions) return partitions.error();
    return Plan{std::move(*partitions),
                fmt::format("made a grid of {}×{} partitions", request.columns, request.rows)};
  }
  Partitions partitions = desk.arrangement().partitions();
  if (request.action == "remove") {
    if (auto found = partition_area(partitions, name); !found) {
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

Answer partition(const Call& call, Desk& desk, const StateFeed& state) {
  const auto request = read_partition(call);
  if (!request) return request.error();
  auto plan = plan_for(desk, *request);
  if (!plan) return plan.error();
  const Arrangement& arrangement = desk.arrangement();
  LayoutChange change;
  for (const Window& window : arrangement.windows().bottom_to_top()) {
    if (window.partition.empty() || window.locked || window.before_maximised) continue;
    if (window.decorates()) continue;  // every change of partitions moves them
    const Partition* from = arrangement.partitions().find(window.partition);
    const Partition* to = plan->partitions.find(window.partition);
    if (to == nullptr || from->rect == to->rect) continue;
    change.windows[window.number] = window.following(from->rect, to->rect);
  }
  change.partitions = std::move(plan->partitions);
  desk.change(change, {.verb = std::move(plan->verb), .names_windows = false},
              author_of(call.peer));
  return sail::Json{{"partitions", state.part(StatePart::kPartitions)}};
}

}  // namespace manager::verbs
