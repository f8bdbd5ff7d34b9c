#include "sail/core/wire/scene_change.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sail {
namespace {

// Maps window numbers to the windows of a scene.
std::unordered_map<uint32_t, const SceneWindow*> by_number(
    const std::vector<SceneWindow>& windows) {
  std::unordered_map<uint32_t, const SceneWindow*> known;
  known.reserve(windows.size());
  for (const SceneWindow& window : windows) known.emplace(window.window, &window);
  return known;
}

bool same_order(const Scene& a, const Scene& b) {
  return std::equal(
      a.windows.begin(), a.windows.end(), b.windows.begin(), b.windows.end(),
      [](const SceneWindow& x, const SceneWindow& y) { return x.window == y.window; });
}

auto of_another(uint64_t epoch) {
  return fail(ErrorCode::kConflict,
              fmt::format("the change of epoch {} does not apply to the current scene", epoch));
}

// For layouts in which windows were added, removed or restacked.
void add_order(const Scene& before, const Scene& now, SceneChange& change) {
  const auto known = by_number(before.windows);
  std::unordered_set<uint32_t> stays;
  std::vector<uint32_t> order;
  for (const SceneWindow& window : now.windows) {
    const auto it = known.find(window.window);
    if (it == known.end() || *it->second != window) change.windows.push_back(window);
    stays.insert(window.window);
    order.push_back(window.window);
  }
  std::vector<uint32_t> left;
  for (const SceneWindow& window : before.windows) {
    (stays.contains(window.window) ? left : change.removed).push_back(window.window);
  }
  if (left != order) change.order = std::move(order);
}

}  // namespace

Result<uint32_t> read_window_number(const Json& value, const std::string& where) {
  const auto number = whole_number(value, 1, std::numeric_limits<uint32_t>::max());
  if (number) return static_cast<uint32_t>(*number);
  return fail(ErrorCode::kInvalidParams, where + ": must be a window number");
}

SceneChange scene_change(const Scene& before, const Scene& now) {
  SceneChange change{.epoch = now.epoch,
                     .base = before.epoch,
                     .windows = {},
                     .removed = {},
                     .order = {},
                     .identify = now.identify,
                     .pattern = now.pattern,
                     .blanks = now.blanks,
                     .fade_ms = now.fade_ms};
  if (!same_order(before, now)) {
    add_order(before, now, change);
    return change;
  }
  for (size_t i = 0; i < now.windows.size(); ++i) {
    if (before.windows[i] != now.windows[i]) change.windows.push_back(now.windows[i]);
  }
  return change;
}

Result<Scene> changed_scene(const Scene& before, const SceneChange& change) {
  if (change.base != before.epoch) return of_another(change.epoch);
  Scene scene{.epoch = change.epoch,
              .windows = {},
              .identify = change.identify,
              .pattern = change.pattern,
              .blanks = change.blanks,
              .fade_ms = change.fade_ms};
  auto changed = by_number(change.windows);
  const std::unordered_set<uint32_t> removed(change.removed.begin(), change.removed.end());
  if (!change.order) {
    size_t used = 0;
    size_t gone = 0;
    for (const SceneWindow& window : before.windows) {
      if (removed.contains(window.window)) {
        ++gone;
        continue;
      }
      const auto it = changed.find(window.window);
      used += it == changed.end() ? 0 : 1;
      scene.windows.push_back(it == changed.end() ? window : *it->second);
    }
    if (used != changed.size() || gone != removed.size()) return of_another(change.epoch);
    return scene;
  }
  const auto known = by_number(before.windows);
  const auto was_there = [&known](uint32_t number) { return known.contains(number); };
  if (!std::all_of(removed.begin(), removed.end(), was_there)) return of_another(change.epoch);
  changed.insert(known.begin(), known.end());  // the unchanged windows
  for (const uint32_t number : *change.order) {
    const auto it = changed.find(number);
    if (it == changed.end() || removed.contains(number)) return of_another(change.epoch);
    scene.windows.push_back(*it->second);
  }
  // Each window is either in the order or removed.
  if (scene.windows.size() + removed.size() != changed.size()) return of_another(change.epoch);
  return scene;
}

}  // namespace sail
