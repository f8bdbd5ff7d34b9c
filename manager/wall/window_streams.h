// The streams of a window: one, or one per sender if each provides a part of its frames. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "manager/wall/window_stack.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wall/parts.h"

namespace manager {

struct WindowStream {
  const Window* window = nullptr;
  uint32_t stream = 0;
  uint64_t owner = 0;  // 0: gone.
  uint64_t secret = 0;
  sail::Size frame_size;
  sail::Rect wall_rect;  // Empty: not on the wall.
  std::optional<sail::FramePart> part{};
  bool dark = false;
};

// Return the streams, bottom to top.
std::vector<WindowStream> streams_of(const Window& window);
std::vector<WindowStream> streams_of(const std::vector<Window>& windows);

}  // namespace manager
