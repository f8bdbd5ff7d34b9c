// What people of the far wall do with a window, as requests to the near wall's manager. Pure.
#pragma once

#include <sail/sail.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/view_transform.h"

namespace ui {

// Requests that wait for the near wall's thread.
constexpr size_t kMostWishes = 256;

struct Wish {
  uint32_t window = 0;  // number on the near wall
  std::string verb;     // manager/COMMANDS.md: "control" or "input"
  sail::Json params;
  bool is_motion = false;  // a newer one replaces it
};

// Where the near wall shows a window.
struct NearPlace {
  sail::Rect wall_rect{};
  sail::ViewTransform look{};
  sail::Size frame_size{};
};

// Empty: the event is not for the near wall.
std::optional<Wish> wish_of(const sail_event& event, uint32_t window, const NearPlace& place);

}  // namespace ui
