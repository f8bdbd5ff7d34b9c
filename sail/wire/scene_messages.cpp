// The layouts that receivers are told of: whole ones and changes.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "sail/wire/control_fields.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/scene_change.h"

namespace sail {
namespace {

using namespace control_fields;

Json scene_window_json(const SceneWindow& window) {
  Json json = {{"window", window.window},
               {"secret", hex64_text(window.secret)},
               {"epoch", window.epoch},
               {"wall_rect", rect_json(window.wall_rect)},
               {"frame_size", size_json(window.frame_size)},
               {"block_size", size_json(window.block_size)},
               {"alpha", window.alpha}};
  if (!window.codec.empty()) json["codec"] = window.codec;
  return json;
}

Result<SceneWindow> read_scene_window(const Json& value, std::string where) {
  JsonFields fields(value, std::move(where));
  SceneWindow window;
  window.window = stream_number(fields, "window");
  window.secret = fields.hex64("secret");
  window.epoch = counter(fields, "epoch");
  window.wall_rect = window_rect(fields, "wall_rect");
  window.frame_size = size(fields, "frame_size", kMaxFrameSide);
  window.block_size = block_size(fields);
  window.alpha = fields.boolean_or("alpha", false);
  window.codec = fields.string_or("codec", kMaxNameLength, "");
  return checked(fields, window);
}

// An element of a list of windows' numbers.
Result<uint32_t> read_number(const Json& value, const std::string& where) {
  const auto number = whole_number(value, 1, std::numeric_limits<uint32_t>::max());
  if (number) return static_cast<uint32_t>(*number);
  return fail(ErrorCode::kInvalidParams, where + ": must be the number of a window");
}

void check_windows(JsonFields& fields, const std::vector<SceneWindow>& windows) {
  check_distinct(fields, "windows", windows,
                 [](const SceneWindow& window) { return window.window; });
}

void check_numbers(JsonFields& fields, const char* name, const std::vector<uint32_t>& numbers) {
  check_distinct(fields, name, numbers, [](uint32_t number) { return number; });
}

bool same(const SceneWindow& a, const SceneWindow& b) {
  return a.window == b.window && a.secret == b.secret && a.epoch == b.epoch &&
         a.wall_rect == b.wall_rect && a.frame_size == b.frame_size &&
         a.block_size == b.block_size && a.alpha == b.alpha && a.codec == b.codec;
}

// The windows of a scene by number.
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
              fmt::format("the change of epoch {} does not fit the scene before it", epoch));
}

// Windows were added, removed or restacked.
void add_order(const Scene& before, const Scene& now, SceneChange& change) {
  const auto known = by_number(before.windows);
  std::unordered_set<uint32_t> stays;
  std::vector<uint32_t> order;
  for (const SceneWindow& window : now.windows) {
    const auto it = known.find(window.window);
    if (it == known.end() || !same(*it->second, window)) change.windows.push_back(window);
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

Json to_json(const Scene& scene) {
  return {{"epoch", scene.epoch},
          {"windows", list_json(scene.windows, scene_window_json)},
          {"identify", scene.identify}};
}

Result<Scene> scene_from_json(const Json& params) {
  JsonFields fields(params, "scene");
  Scene scene;
  scene.epoch = counter(fields, "epoch");
  scene.windows = list(fields, "windows", kMaxWindows, "scene", read_scene_window);
  check_windows(fields, scene.windows);
  scene.identify = fields.boolean_or("identify", false);
  return checked(fields, std::move(scene));
}

Json to_json(const SceneChange& change) {
  Json json{{"epoch", change.epoch},
            {"base", change.base},
            {"windows", list_json(change.windows, scene_window_json)},
            {"removed", change.removed},
            {"identify", change.identify}};
  if (change.order) json["order"] = *change.order;
  return json;
}

Result<SceneChange> scene_change_from_json(const Json& params) {
  JsonFields fields(params, "scene_change");
  SceneChange change;
  change.epoch = counter(fields, "epoch");
  change.base = counter(fields, "base");
  change.windows = list(fields, "windows", kMaxWindows, "scene_change", read_scene_window);
  check_windows(fields, change.windows);
  change.removed = list(fields, "removed", kMaxWindows, "scene_change", read_number);
  check_numbers(fields, "removed", change.removed);
  if (fields.has("order")) {
    change.order = list(fields, "order", kMaxWindows, "scene_change", read_number);
    check_numbers(fields, "order", *change.order);
  }
  change.identify = fields.boolean_or("identify", false);
  return checked(fields, std::move(change));
}

SceneChange scene_change(const Scene& before, const Scene& now) {
  SceneChange change{.epoch = now.epoch,
                     .base = before.epoch,
                     .windows = {},
                     .removed = {},
                     .order = {},
                     .identify = now.identify};
  if (!same_order(before, now)) {
    add_order(before, now, change);
    return change;
  }
  for (size_t i = 0; i < now.windows.size(); ++i) {
    if (!same(before.windows[i], now.windows[i])) change.windows.push_back(now.windows[i]);
  }
  return change;
}

Result<Scene> changed_scene(const Scene& before, const SceneChange& change) {
  if (change.base != before.epoch) return of_another(change.epoch);
  Scene scene{.epoch = change.epoch, .windows = {}, .identify = change.identify};
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
  changed.insert(known.begin(), known.end());  // those that did not change
  for (const uint32_t number : *change.order) {
    const auto it = changed.find(number);
    if (it == changed.end() || removed.contains(number)) return of_another(change.epoch);
    scene.windows.push_back(*it->second);
  }
  // Each window is in the order or was removed.
  if (scene.windows.size() + removed.size() != changed.size()) return of_another(change.epoch);
  return scene;
}

}  // namespace sail
