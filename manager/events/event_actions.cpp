#include "manager/events/event_actions.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "manager/desk/areas.h"
#include "manager/sessions/scene_switch.h"
#include "manager/wall/arrange.h"
#include "sail/core/wall/wall.h"

namespace manager {
namespace {

bool has_source(const SavedWindow& window, const std::string& source) {
  if (!window.content) return window.owner == source;
  return std::ranges::find(window.content->media, source) != window.content->media.end();
}

// Null: there is none.
SavedWindow* find_window(std::vector<SavedWindow>& windows, const std::string& name) {
  const auto topmost = [&](const auto& is_it) -> SavedWindow* {
    const auto found = std::find_if(
        windows.rbegin(), windows.rend(),
        [&](const SavedWindow& window) { return !window.decorates() && is_it(window); });
    return found == windows.rend() ? nullptr : &*found;
  };
  SavedWindow* found = topmost([&](const SavedWindow& window) { return window.title == name; });
  if (found == nullptr) {
    found = topmost([&](const SavedWindow& window) {
      return window.placement.label && window.placement.label->text == name;
    });
  }
  if (found == nullptr) {
    found = topmost([&](const SavedWindow& window) { return has_source(window, name); });
  }
  return found;
}

// As the verbs `place` and `maximise` do.
void move_to(const sail::Rect& area, bool enlarge, SavedWindow& window) {
  WindowPlacement& placement = window.placement;
  const bool unknown = placement.shape == sail::Size();
  const sail::Rect rect = fit_into(unknown ? window.frame_size : placement.shape, area);
  if (enlarge) {
    if (!placement.before_maximised) placement.before_maximised = placement.wall_rect;
  } else {
    placement.before_maximised.reset();
    placement.place = area;
  }
  placement.wall_rect = rect;
}

void set_sound(const sail::EventAction& action, SavedWindow& window,
               std::vector<SavedWindow>& windows) {
  if (action.solo) {
    for (SavedWindow& other : windows) {
      if (&other == &window) continue;
      other.placement.sound = other.placement.sound.value_or(WindowSound());
      other.placement.sound->muted = true;
    }
  }
  if (!action.volume && !action.muted && !action.solo) return;
  WindowSound sound = window.placement.sound.value_or(WindowSound());
  sound.volume = action.volume.value_or(sound.volume);
  sound.muted = action.muted.value_or(sound.muted && !action.solo);
  window.placement.sound = sound;
}

sail::Result<void> carry_out(const sail::EventAction& action, const sail::Wall& wall,
                             SavedWall& shown) {
  SavedWindow* const window = find_window(shown.windows, action.window);
  if (window == nullptr) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      "no window that is shown has this title, label or source: correct 'window' "
                      "in the 'do' of the event's rule");
  }
  const auto area = area_named(wall, shown.partitions, action.area);
  if (!area) return area.error();
  if (action.presents()) {
    window->placement.hidden = false;
    window->cover = {};
  }
  if (action.places()) move_to(action.place.value_or(*area), action.enlarge, *window);
  if (!action.label.empty()) {
    const bool top = window->placement.label && window->placement.label->top;
    window->placement.label = {.text = action.label, .top = top};
  }
  set_sound(action, *window, shown.windows);
  if (action.places()) {
    const auto place = shown.windows.begin() + (window - shown.windows.data());
    std::rotate(place, place + 1, shown.windows.end());
  }
  return {};
}

}  // namespace

SavedWall with_scene(const SavedWall& base, SavedWall scene,
                     const std::optional<sail::Rect>& area) {
  for (SavedWindow& window : scene.windows) window.number = 0;
  if (!area) return scene;
  std::erase_if(scene.windows, [&](const SavedWindow& window) {
    return !has_centre_in(area, window.placement.wall_rect);
  });
  SavedWall wall = base;
  std::erase_if(wall.windows, [&](const SavedWindow& window) {
    return has_centre_in(area, window.placement.wall_rect);
  });
  std::ranges::move(scene.windows, std::back_inserter(wall.windows));
  return wall;
}

std::vector<RestartResult::Failure> carry_out(const std::vector<sail::EventAction>& actions,
                                              const sail::Wall& wall, SavedWall& shown) {
  std::vector<RestartResult::Failure> failed;
  for (const sail::EventAction& action : actions) {
    if (const auto done = carry_out(action, wall, shown); !done) {
      failed.push_back({.title = action.window, .why = done.error().message});
    }
  }
  return failed;
}

}  // namespace manager
