// What pointer, keys and fingers over a film mean: a click or space pauses and goes on, the strip
// at the bottom and the arrow keys seek, wheel and up/down change the volume, l makes it begin
// again at its end. Pure.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "sail/base/geometry.h"

namespace sail {

class FilmControls {
 public:
  // How the film stands.
  struct Film {
    Size picture;  // pixels
    int64_t position_ns = 0;
    int64_t duration_ns = 0;  // 0: unknown, then the strip does nothing
    double volume = 1;        // 0 to 1
  };
  // What somebody wants of it.
  struct TogglePause {};
  struct ToggleLoop {};
  struct SeekTo {
    int64_t position_ns = 0;  // may lie outside of the film
  };
  struct SetVolume {
    double volume = 0;
  };
  using Wish = std::variant<TogglePause, ToggleLoop, SeekTo, SetVolume>;

  static constexpr int64_t kStepNs = 5'000'000'000;  // of the arrow keys
  static constexpr double kVolumeStep = 0.05;

  std::optional<Wish> read(const sail_input& input, const Film& film);

  // How high the strip at the bottom is, pixels.
  static int strip_height(Size picture);

 private:
  std::optional<Wish> press(const sail_input& input, const Film& film);

  // Who drags along the strip: a person and a finger (-1: the mouse).
  std::set<std::pair<uint32_t, int32_t>> dragging_;
};

}  // namespace sail
