// How one layout differs from another, so that a receiver need not be sent all windows when one
// moves. A control message, told in sail/PROTOCOL.md; unknown fields pass. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sail/wire/control_messages.h"

namespace sail {

// "scene_change", notification to receivers: the layout of an epoch, as it differs from that of the
// scene or change sent before.
struct SceneChange {
  static constexpr const char* kMethod = "scene_change";

  uint64_t epoch = 0;
  uint64_t base = 0;                 // the epoch of what it differs from
  std::vector<SceneWindow> windows;  // new or changed
  std::vector<uint32_t> removed;     // windows that are gone
  // All windows, bottom to top; missing when those that were there before stand in the same order
  // and none is new.
  std::optional<std::vector<uint32_t>> order;
  bool identify = false;
};
void fields(auto& visit, Of<SceneChange> auto& change) {
  constexpr List<ValueItem<read_window_number>, std::identity> kNumbers{kMaxWindows};
  visit("epoch", kCount, change.epoch);
  visit("base", kCount, change.base);
  visit("windows", kSceneWindows, change.windows);
  visit("removed", kNumbers, change.removed);
  visit("order", kNumbers, change.order);
  visit("identify", Flag(), change.identify);
}

SceneChange scene_change(const Scene& before, const Scene& now);

// The scene with the change. kConflict when the change is of another scene: its base is another
// epoch, or it names windows that are not there.
Result<Scene> changed_scene(const Scene& before, const SceneChange& change);

}  // namespace sail
