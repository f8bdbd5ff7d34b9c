// Maps pointer, keyboard and touch input on a video window to commands. Click or space toggles
// pause; the bar at the bottom and the arrow keys seek; wheel and up/down change the volume; l
// toggles looping. Pure.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "sail/core/base/geometry.h"

namespace sail {

class FilmControls {
 public:
  // State of the video.
  struct Film {
    Size picture;  // pixels
    int64_t position_ns = 0;
    int64_t duration_ns = 0;  // 0: unknown, the bar is inactive
    double volume = 1;        // 0 to 1
  };
  // Commands.
  struct TogglePause {};
  struct ToggleLoop {};
  struct SeekTo {
    int64_t position_ns = 0;  // may be outside of the video
  };
  struct SetVolume {
    double volume = 0;
  };
  using Wish = std::variant<TogglePause, ToggleLoop, SeekTo, SetVolume>;

  static constexpr int64_t kStepNs = 5'000'000'000;  // step of the arrow keys
  static constexpr double kVolumeStep = 0.05;

  std::optional<Wish> read(const sail_input& input, const Film& film);

  // Height of the seek bar at the bottom, pixels.
  static int strip_height(Size picture);

 private:
  std::optional<Wish> press(const sail_input& input, const Film& film);

  // Active drags along the bar: client and finger (-1: mouse).
  std::set<std::pair<uint32_t, int32_t>> dragging_;
};

}  // namespace sail
