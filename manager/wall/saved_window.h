// The state of a window, to restore the window after it has gone. Values only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "manager/wall/content.h"
#include "manager/wall/window_stack.h"
#include "sail/core/base/geometry.h"
#include "sail/core/text/json.h"
#include "sail/core/wire/playback.h"

namespace manager {

struct SavedWindow {
  uint32_t number = 0;  // Its current or former number.
  std::string title{};
  std::string owner{};  // Name that its application gave.
  sail::Size frame_size{};
  WindowPlacement placement{};
  std::optional<PlayRequest> content{};  // How to restart it; empty: the manager cannot.
  std::optional<sail::Playback> playback{};
  std::optional<std::string> group{};  // "": none; empty: unknown, the application's choice.
  std::string mark{};                  // See Peers::mark_of().
  sail::Json thumbnail{};              // {"size", "jpeg"}, or null
};

// Limit of Desk::refused(), which is saved as well; the oldest are left out.
constexpr size_t kMostRefusedStreams = 1024;

// Leaves mark and thumbnail empty, which the window does not know. now_ns: wall time.
SavedWindow saved_window(const Window& window, int64_t now_ns);

}  // namespace manager
