// The line a person sees under a playing film. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace sail {

struct PlayStatus {
  int64_t position_ns = 0;
  int64_t duration_ns = 0;  // 0: unknown
  bool paused = false;
  double rate = 1;
  double fps_shown = 0;
  uint64_t dropped = 0;
};

// "0:03.4 / 0:05.3  25.0 fps  2 dropped  paused".
std::string format_status(const PlayStatus& status);

}  // namespace sail
