// Windows: position, size, stacking order, lock, close.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "manager/commands/verbs.h"
#include "manager/desk/areas.h"
#include "manager/desk/desk.h"
#include "manager/peers/peers.h"
#include "manager/sessions/undo_steps.h"
#include "manager/wall/arrange.h"
#include "manager/wall/placing.h"
#include "sail/core/text/limits.h"

namespace manager::verbs {

Answer move(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const uint32_t number = window_number(fields);
  const bool by = fields.has("dx") || fields.has("dy");
  constexpr int64_t kFarthest = sail::kMaxWindowOffset;
  // Missing coordinates stay.
  const auto number_at = [&](const char* name, int64_t farthest) {
    return fields.has(name) ? std::optional(fields.integer(name, -farthest, farthest))
                            : std::nullopt;
  };
  const auto x = by ? number_at("dx", 2 * kFarthest) : number_at("x", kFarthest);
  const auto y = by ? number_at("dy", 2 * kFarthest) : number_at("y", kFarthest);
  if (!x && !y) fields.mistake("x", "or 'y' must be given, or 'dx' or 'dy'");
  const UndoLabel undo_label{.verb = "moved", .gesture = gesture(fields)};
  if (auto error = fields.finish()) return *error;
  const auto window = window_to_change(call, desk, number);
  if (!window) return window.error();
  const sail::Rect& now = (*window)->wall_rect;
  return place_one(call, desk, **window,
                   {by ? now.x + x.value_or(0) : x.value_or(now.x),
                    by ? now.y + y.value_or(0) : y.value_or(now.y), now.width, now.height},
                   undo_label);
}

Answer resize(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const uint32_t number = window_number(fields);
  const int64_t width = fields.integer_or("width", 1, sail::kMaxWindowSide, 0);
  const int64_t height = fields.integer_or("height", 1, sail::kMaxWindowSide, 0);
  if (width == 0 && height == 0) fields.mistake("width", "or 'height' must be given, or both");
  const UndoLabel undo_label{.verb = "resized", .gesture = gesture(fields)};
  if (auto error = fields.finish()) return *error;
  const auto window = window_to_change(call, desk, number);
  if (!window) return window.error();

  return place_one(call, desk, **window, resized(**window, width, height), undo_label);
}

namespace {

struct Request {
  std::map<uint32_t, sail::Rect> places;
  bool front = false;
  std::string gesture;
};

sail::Result<Request> read_request(const Call& call) {
  sail::JsonFields fields = call.fields();
  Request request;
  const sail::Json& windows = fields.array("windows", sail::kMaxWindows);
  for (size_t i = 0; i < windows.size(); ++i) {
    sail::JsonFields item(windows[i], fmt::format("place: windows[{}]", i));
    const uint32_t number = window_number(item);
    const sail::Rect rect = item.rect("rect", sail::kMaxWindowOffset, sail::kMaxWindowSide);
    if (auto error = item.finish()) {
      fields.mistake(std::move(*error));
      break;
    }
    if (!request.places.emplace(number, rect).second) {
      fields.mistake("windows", fmt::format("must not name window {} twice", number));
      break;
    }
  }
  if (windows.empty()) fields.mistake("windows", "must name at least one window");
  request.front = fields.boolean_or("front", false);
  request.gesture = gesture(fields);
  if (auto error = fields.finish()) return *error;
  return request;
}

}  // namespace

Answer place(const Call& call, Desk& desk) {
  auto request = read_request(call);
  if (!request) return request.error();
  LayoutChange change;
  std::vector<uint32_t> numbers;
  bool same_places = true;
  bool same_sizes = true;
  for (const auto& [number, rect] : request->places) {
    const auto window = find_placeable(call, desk, number);
    if (!window) return window.error();
    const sail::Rect& now = (*window)->wall_rect;
    same_places = same_places && now == rect;
    same_sizes = same_sizes && now.width == rect.width && now.height == rect.height;
    change.windows[number] = (*window)->moved_to(rect);
    numbers.push_back(number);
  }
  if (request->front) change.order = raised(desk.windows().order(), numbers);
  UndoLabel undo_label = same_places && request->front
                             ? restacked(desk, "raised", numbers)
                             : UndoLabel{.verb = same_sizes ? "moved" : "resized"};
  undo_label.gesture = std::move(request->gesture);
  desk.change(change, undo_label, author_of(call.peer));
  return sail::Json{{"windows", std::move(numbers)}};
}

namespace {

// Places the window side by side with those in the partition.
Answer share(const Call& call, Desk& desk, uint32_t number, const std::string& name,
             const UndoLabel& undo_label) {
  const auto window = find_placeable(call, desk, number);
  if (!window) return window.error();
  const Arrangement& arrangement = desk.arrangement();
  const sail::Size shown = (*window)->shown_size();
  const Placing placing = share_partition(
      arrangement, desk.tile_gaps(), *arrangement.partitions().find(name), {&shown, 1}, number);
  for (const auto& [other, placement] : placing.others.windows) {
    if (auto own = window_to_change(call, desk, other); !own) return own.error();
  }
  LayoutChange change = placing.others;
  change.windows[number] = {.wall_rect = placing.rects.front(), .place = placing.areas.front()};
  desk.change(change, undo_label, author_of(call.peer));
  return window_now(desk, number);
}

}  // namespace

Answer fit(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const uint32_t number = window_number(fields);
  const std::string tile = fields.string_or("tile", sail::kMaxNameLength, "");
  const std::string partition = fields.string_or("partition", sail::kMaxNameLength, "");
  const bool fill = fields.boolean_or("fill", false);
  const bool stretch = fields.boolean_or("stretch", false);
  const bool shared = fields.boolean_or("share", false);
  const std::string of_gesture = gesture(fields);
  if (shared && (fill || stretch || partition.empty())) {
    fields.mistake("share", "needs 'partition', and excludes 'fill' and 'stretch'");
  }
  if (fill && stretch) fields.mistake("stretch", "and 'fill' cannot both be given");
  if (!tile.empty() && !partition.empty()) {
    fields.mistake("partition", "and 'tile' cannot both be given");
  }
  if (auto error = fields.finish()) return *error;
  const auto window = window_to_change(call, desk, number);
  if (!window) return window.error();
  const auto area = partition.empty() ? tile_area(desk.wall(), tile)
                                      : partition_area(desk.arrangement().partitions(), partition);
  if (!area) return area.error();
  const std::string& name = partition.empty() ? tile : partition;
  const UndoLabel undo_label{
      .verb = "fitted",
      .rest = name.empty() ? " into the wall" : fmt::format(" into '{}'", name),
      .gesture = of_gesture};
  if (shared) return share(call, desk, number, partition, undo_label);
  sail::ViewTransform look = (*window)->look;
  if ((*window)->filled()) look.crop = {};
  if (fill) look = (*window)->filling(*area);
  if (auto good = check_view_transform(desk, **window, look); !good) return good.error();
  const sail::Rect place = fill || stretch ? *area : fit_into((*window)->shown_size(look), *area);
  return apply_placement(call, desk, **window, {.wall_rect = place, .look = look, .place = *area},
                         undo_label);
}

Answer maximise(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const uint32_t number = window_number(fields);
  const bool on = fields.boolean_or("on", true);
  if (auto error = fields.finish()) return *error;
  const auto found = find_placeable(call, desk, number);
  if (!found) return found.error();
  const Window& window = **found;
  const sail::Size wall = desk.wall().size;
  LayoutChange change;
  WindowPlacement placement = window.placement();
  if (on) {
    if (!placement.before_maximised) placement.before_maximised = placement.wall_rect;
    placement.wall_rect = fit_into(window.shown_size(), {0, 0, wall.width, wall.height});
    change.order = raised(desk.windows().order(), {number});
  } else if (placement.before_maximised) {
    placement.wall_rect = *placement.before_maximised;
    placement.before_maximised.reset();
  }
  change.windows[number] = placement;
  desk.change(change, {.verb = on ? "maximised" : "restored the size of"}, author_of(call.peer));
  return window_now(desk, number);
}

Answer lock(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const uint32_t number = window_number(fields);
  const bool on = fields.boolean_or("on", true);
  if (auto error = fields.finish()) return *error;
  const auto window = find_on_wall(call, desk, number);
  if (!window) return window.error();
  WindowPlacement placement = (*window)->placement();
  placement.locked = on;
  desk.change({.windows = {{number, placement}}}, {.verb = on ? "locked" : "unlocked"},
              author_of(call.peer));
  return window_now(desk, number);
}

// Each window gets the other's placement and is fitted into it.
Answer swap(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const uint32_t one = window_number(fields);
  const auto other =
      static_cast<uint32_t>(fields.integer("other", 1, std::numeric_limits<uint32_t>::max()));
  if (one == other) fields.mistake("other", "must be another window");
  if (auto error = fields.finish()) return *error;
  LayoutChange change;
  for (const auto& [number, of] : {std::pair(one, other), std::pair(other, one)}) {
    const auto window = find_placeable(call, desk, of);
    if (!window) return window.error();
    WindowPlacement placement = (*window)->placement();
    placement.look.reset();
    placement.sound.reset();
    placement.label.reset();
    change.windows.emplace(number, placement);
  }
  change.order = desk.windows().order();
  std::iter_swap(std::ranges::find(*change.order, one), std::ranges::find(*change.order, other));
  desk.change(change, {.verb = "swapped"}, author_of(call.peer));
  return sail::Json{{"windows", {one, other}}};
}

namespace {

Answer restack(const Call& call, Desk& desk, decltype(raised)& order, const char* what) {
  const auto numbers = one_or_many(call, desk);
  if (!numbers) return numbers.error();
  for (const uint32_t number : *numbers) {
    if (auto window = find_on_wall(call, desk, number); !window) return window.error();
  }
  LayoutChange change;
  change.order = order(desk.windows().order(), *numbers);
  desk.change(change, restacked(desk, what, *numbers), author_of(call.peer));
  if (call.params.contains("window")) return window_now(desk, numbers->front());
  return sail::Json{{"windows", *numbers}};
}

}  // namespace

Answer raise(const Call& call, Desk& desk) {
  return restack(call, desk, raised, "raised");
}

Answer lower(const Call& call, Desk& desk) {
  return restack(call, desk, lowered, "lowered");
}

void close(const Call& call, Desk& desk, UndoSteps& steps) {
  auto numbers = one_or_many(call, desk);
  for (size_t i = 0; numbers && i < numbers->size(); ++i) {
    if (auto free = find_unlocked(call, desk, (*numbers)[i]); !free) {
      numbers = free.error();
    }
  }
  if (!numbers) {
    call.reply(numbers.error());
    return;
  }
  const bool one = call.params.contains("window");
  const auto closed = [one, numbers = *numbers, reply = call.reply](const auto& forced) {
    if (one) {
      reply(sail::Json{{"window", numbers.front()}, {"forced", !forced.empty()}});
    } else {
      reply(sail::Json{{"windows", numbers}, {"forced", forced}});
    }
  };
  steps.close(*numbers, author_of(call.peer), closed);
}

}  // namespace manager::verbs
