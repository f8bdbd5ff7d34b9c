#include "manager/commands/touched_objects.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "manager/desk/areas.h"
#include "manager/desk/desk.h"
#include "manager/media/source_objects.h"
#include "manager/sessions/wall_archive.h"

namespace manager {

TouchedObjects::TouchedObjects(const Parts& parts, Asker asker)
    : parts_(parts), asker_(std::move(asker)) {}

const Partitions& TouchedObjects::partitions() const {
  return parts_.desk.arrangement().partitions();
}

void TouchedObjects::take(const sail::Result<void>& checked) {
  if (!checked && !refusal_) refusal_ = checked.error();
}

void TouchedObjects::partition(Act act, const std::string& name) {
  take(parts_.rights.check(asker_, act, {ObjectKind::kPartition, {name}}));
  if (const Partition* known = partitions().find(name)) rect(act, known->rect);
}

void TouchedObjects::area(Act act, const std::string& name) {
  if (name.empty()) return wall(act);
  if (const sail::Tile* tile = parts_.desk.wall().find_tile(name))
    return rect(act, tile->wall_rect);
  partition(act, name);
}

void TouchedObjects::rect(Act act, const sail::Rect& rect) {
  take(parts_.rights.check(asker_, act, partitions(), rect));
}

void TouchedObjects::wall(Act act) {
  const sail::Size size = parts_.desk.wall().size;
  rect(act, {0, 0, size.width, size.height});
  for (const Window& one : parts_.desk.windows().bottom_to_top()) {
    if (!refusal_ && !one.hidden) window(act, one.number);
  }
}

void TouchedObjects::window(Act act, uint32_t number) {
  const Window* window = parts_.desk.windows().find(number);
  if (window == nullptr) return;
  rect(act, window->wall_rect);
  content(act, *window);
}

template <typename Content>
void TouchedObjects::content(Act act, const Content& of) {
  if (refusal_ || !parts_.rights.concern_sources()) return;
  for (const WallObject& source : source_objects(parts_.library, of)) {
    take(parts_.rights.check(asker_, act, source));
  }
}

void TouchedObjects::source(const std::string& name, Act act) {
  if (refusal_ || !parts_.rights.concern_sources()) return;
  for (const WallObject& source : source_objects(parts_.library, name)) {
    take(parts_.rights.check(asker_, act, source));
  }
}

void TouchedObjects::opens(const SavedWindow& window) {
  rect(Act::kDisplay, window.placement.wall_rect);
  if (window.content) content(Act::kDisplay, *window.content);
}

void TouchedObjects::brings(const SavedWall& wall) {
  changed_partitions(wall.partitions);
  for (const SavedWindow& window : wall.windows) opens(window);
}

void TouchedObjects::scene(Act act, const std::string& name) {
  take(parts_.rights.check(asker_, act, {ObjectKind::kScene, {name}}));
}

void TouchedObjects::shown_scene(const std::string& name, const std::string& area_name) {
  area(Act::kDisplay, area_name);
  const auto rect = area_named(parts_.desk.wall(), partitions(), area_name);
  if (!rect) return scene(Act::kDisplay, name);
  // A scene for the whole wall also brings its partitions.
  shown_scene(name, *rect, area_name.empty());
}

void TouchedObjects::shown_scene(const std::string& name, const sail::Rect& area, bool whole_wall) {
  scene(Act::kDisplay, name);
  rect(Act::kDisplay, area);
  const auto is_there = [&](const sail::Rect& rect) {
    return whole_wall || area.contains(rect.x + rect.width / 2, rect.y + rect.height / 2);
  };
  for (const Window& there : parts_.desk.windows().bottom_to_top()) {
    if (!there.hidden && is_there(there.wall_rect)) window(Act::kDisplay, there.number);
  }
  if (refusal_) return;
  const auto saved = parts_.archive.saved(SavedKind::kSession).load(name);
  if (!saved) return;
  const SavedWall coming = on_wall_of(*saved, parts_.desk.wall().size);
  if (whole_wall) return brings(coming);
  for (const SavedWindow& one : coming.windows) {
    if (is_there(one.placement.wall_rect)) opens(one);
  }
}

void TouchedObjects::layout(const std::string& name) {
  wall(Act::kArrange);
  const auto saved = parts_.archive.saved(SavedKind::kLayout).load(name);
  if (saved) changed_partitions(on_wall_of(*saved, parts_.desk.wall().size).partitions);
}

void TouchedObjects::changed_partitions(const Partitions& wanted) {
  const auto differs = [](const Partition& one, const Partitions& others) {
    const Partition* other = others.find(one.name);
    return other == nullptr || other->rect != one.rect;
  };
  for (const Partition& now : partitions().all()) {
    if (differs(now, wanted)) partition(Act::kArrange, now.name);
  }
  for (const Partition& then : wanted.all()) {
    if (!differs(then, partitions())) continue;
    partition(Act::kArrange, then.name);
    rect(Act::kArrange, then.rect);
  }
}

// The order of the windows in a partition is part of it.
void TouchedObjects::order(const std::vector<uint32_t>& wanted) {
  const WindowStack& windows = parts_.desk.windows();
  if (!windows.would_reorder(wanted)) return;
  for (const Partition& partition : partitions().all()) {
    const auto is_inside = [&](uint32_t number) {
      const Window* window = windows.find(number);
      return window != nullptr && !sail::intersect(window->wall_rect, partition.rect).empty();
    };
    std::vector<uint32_t> then;
    std::ranges::copy_if(wanted, std::back_inserter(then), is_inside);
    if (windows.would_reorder(then)) rect(Act::kArrange, partition.rect);
  }
}

void TouchedObjects::step(const HistoryEntry& step, bool back) {
  const LayoutChange& change = back ? step.before : step.after;
  for (const auto& [number, placement] : change.windows) {
    const Window* now = parts_.desk.windows().find(number);
    if (now == nullptr || now->has_placement(placement)) continue;
    window(Act::kArrange, number);
    rect(Act::kArrange, placement.wall_rect);
  }
  if (change.order) order(*change.order);
  if (change.partitions) changed_partitions(*change.partitions);
  if (change.drawing) wall(Act::kArrange);
  for (const SavedWindow& closes : back ? step.opened : step.closed) {
    window(Act::kArrange, closes.number);
  }
  for (const SavedWindow& opened : back ? step.closed : step.opened) opens(opened);
}

}  // namespace manager
