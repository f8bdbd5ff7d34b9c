// Difference between two layouts, so that a receiver is not sent all windows when one moves.
// Control message, see sail/PROTOCOL.md; unknown fields are accepted. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/wire/group.h"
#include "sail/core/wire/receiver_messages.h"

namespace sail {

// "scene_change": notification to receivers. The layout of an epoch, relative to the last one sent.
struct SceneChange {
  static constexpr const char* kMethod = "scene_change";

  uint64_t epoch = 0;
  uint64_t base = 0;                 // epoch of the layout that it is based on
  std::vector<SceneWindow> windows;  // new or changed
  std::vector<uint32_t> removed;     // removed windows
  // All windows, bottom to top. Missing if no window is new and the others keep their order.
  std::optional<std::vector<uint32_t>> order;
  bool identify = false;
  TestPattern pattern = TestPattern::kOff;
  std::vector<SceneBlank> blanks{};
  int fade_ms = 0;
};
void fields(auto& visit, Of<SceneChange> auto& change) {
  constexpr List<ValueItem<read_window_number>, std::identity> kNumbers{kMaxWindows};
  visit("epoch", kCount, change.epoch);
  visit("base", kCount, change.base);
  visit("windows", kSceneWindows, change.windows);
  visit("removed", kNumbers, change.removed);
  visit("order", kNumbers, change.order);
  visit("identify", Flag(), change.identify);
  visit("pattern", sparse(kTestPatterns), change.pattern);
  visit("blanks", kSceneBlanks, change.blanks);
  visit("fade_ms", kSceneFadeMs, change.fade_ms);
}

SceneChange scene_change(const Scene& before, const Scene& now);

// Applies the change. Fails with kConflict for another base epoch or unknown windows.
Result<Scene> changed_scene(const Scene& before, const SceneChange& change);

}  // namespace sail
