// The positions of window labels on the wall, and the labels that people put on windows. Pure.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "manager/wall/window_stack.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/overlay.h"

namespace manager {

constexpr int kMaxWindowLabels = 1000;  // Labels by people, at a time.

// The highest and the lowest point of a window's visible part; the leftmost, if there are several.
struct VisibleCorners {
  struct Corner {
    int x = 0;  // Wall pixels.
    int y = 0;
    const sail::Tile* tile = nullptr;  // Shows it.
  };
  Corner top;
  Corner bottom;  // y: the edge below the last row.
};
// One for each window; empty: the window is not visible.
std::vector<std::optional<VisibleCorners>> visible_corners(const sail::Wall& wall,
                                                           const std::vector<Window>& windows);

// Returns the text with its placeholders replaced, see sail::kLabelPlaceholders.
std::string label_text(const Window& window, std::time_t now_s);
bool shows_clock(const Window& window);

// Appends the labels that people put on windows; each is cut to the width of its window. Skips
// labels of blank windows, and those at the top of windows for which `heads` is true.
void add_window_labels(const sail::Wall& wall, const WindowStack& windows, std::time_t now_s,
                       bool (*heads)(const Window&), std::vector<sail::OverlayLabel>& labels);

}  // namespace manager
