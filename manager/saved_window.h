// A window as it was: what brings it back after it has gone. Values only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "manager/play_request.h"
#include "manager/window_stack.h"
#include "sail/base/geometry.h"
#include "sail/wire/json.h"
#include "sail/wire/playback.h"

namespace manager {

struct SavedWindow {
  uint32_t number = 0;  // that it had, or has
  std::string title{};
  std::string owner{};  // what its application called itself
  sail::Size frame_size{};
  Standing standing{};
  std::optional<PlayRequest> content{};  // how to start it again; nothing: the manager can't
  std::optional<sail::Playback> playback{};
  std::string mark{};      // of the program that the manager started for it, see Peers
  sail::Json thumbnail{};  // {"size", "jpeg"}, or null
};

// Without mark and thumbnail, which the window does not know. now_ns: wall time.
SavedWindow saved_window(const Window& window, int64_t now_ns);

}  // namespace manager
