#include "manager/desk/curtains.h"

#include <vector>

#include "manager/desk/desk.h"

namespace manager {

void remove_curtains(Desk& desk,
                     const std::function<bool(const Decoration&, uint32_t window)>& which) {
  LayoutChange hidden;
  std::vector<uint32_t> numbers;
  for (const Window& window : desk.windows().bottom_to_top()) {
    if (!window.is_curtain() || desk.closes(window.number)) continue;
    if (!which(*window.content->decoration, window.number)) continue;
    numbers.push_back(window.number);
    hidden.windows.emplace(window.number, window.placement()).first->second.hidden = true;
  }
  if (numbers.empty()) return;
  desk.change([&](Arrangement& arrangement) { arrangement.apply(hidden, {}); });
  desk.close(numbers, [](const auto& /*forced*/) {});
}

void remove_needless_curtains(Desk& desk) {
  remove_curtains(desk, [&desk](const Decoration& curtain, uint32_t window) {
    return !desk.windows().find(window)->hidden && !desk.arrangement().is_blank(curtain);
  });
}

}  // namespace manager
