#include "manager/monitor/visible_drawings.h"

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/wall/visibility.h"

namespace manager {
namespace {

// At most kMaxDrawingClip rectangles: more would be slivers between many windows.
std::vector<sail::ClipRect> to_clip(const sail::Region& region) {
  std::vector<sail::ClipRect> clip;
  for (const sail::Rect& rect : region) {
    if (clip.size() == sail::kMaxDrawingClip) break;
    clip.push_back({rect});
  }
  return clip;
}

// Returns the part of a window that is on the wall and not covered by opaque windows. Requires that
// the window is not hidden.
std::vector<sail::ClipRect> visible_clip(const std::vector<Window>& windows, size_t index,
                                         const sail::Rect& wall) {
  std::vector<sail::StackedWindow> stack;
  for (size_t i = index; i < windows.size(); ++i) {
    if (!windows[i].hidden) stack.push_back({windows[i].wall_rect, windows[i].blended()});
  }
  return to_clip(sail::visible_part(stack, 0, wall));
}

}  // namespace

std::vector<sail::OverlayDrawing> visible_drawings(const sail::Wall& wall,
                                                   const Arrangement& arrangement,
                                                   const WallSwitches& uncovered) {
  if (arrangement.switches().blank) return {};
  const sail::Rect whole{0, 0, wall.size.width, wall.size.height};
  const std::vector<Window>& windows = arrangement.windows().bottom_to_top();
  std::vector<sail::OverlayDrawing> drawings;
  for (size_t i = 0; i < windows.size(); ++i) {
    const Window& window = windows[i];
    if (window.drawing.empty() || window.hidden || window.cover.blank) continue;
    std::vector<sail::ClipRect> clip = visible_clip(windows, i, whole);
    if (clip.empty()) continue;
    drawings.push_back({std::move(clip), window.drawing.on(window.wall_rect)});
  }
  if (arrangement.drawing().empty() || uncovered.blank) return drawings;
  std::vector<sail::StackedWindow> stack{{whole}};
  // Blank areas, too: layouts take effect later than drawings.
  for (const WallSwitches* blanks : {&uncovered, &arrangement.switches()}) {
    for (const BlankArea& area : blanks->blank_areas) stack.push_back({area.wall_rect});
  }
  std::vector<sail::ClipRect> clip;
  if (stack.size() > 1) clip = to_clip(sail::visible_part(stack, 0, whole));
  if (stack.size() > 1 && clip.empty()) return drawings;
  drawings.push_back({std::move(clip), arrangement.drawing().on(whole)});
  return drawings;
}

}  // namespace manager
