// Which window of the near wall gets the input that people of the far wall make in a region's
// picture: the topmost one at that place.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "sail/core/wire/receiver_messages.h"
#include "ui/bridge/wish.h"

namespace ui {

class RegionInput {
 public:
  // Near wall's loop thread: the near wall shows this scene.
  void follow(const sail::Scene& scene);

  // The methods below: one thread.
  // The requests that one input event makes. While a button or a finger is down, its window keeps
  // the input. Keys go to the window that had the last input with a place.
  std::vector<Wish> wishes_of(const sail_event& event, const NearPlace& region);
  // People of the far wall can no longer release what they hold.
  std::vector<Wish> leave();

 private:
  struct Target {
    uint32_t window = 0;
    sail::Rect wall_rect;
  };
  uint32_t window_at(double x, double y) const;
  void choose(const sail_input& input, const Wish& wish, std::vector<Wish>& wishes);

  mutable std::mutex mutex_;      // guards targets_
  std::vector<Target> targets_;   // bottom to top; window 0: takes no input, but covers others
  uint32_t window_ = 0;           // has the input; 0: none
  std::vector<int32_t> touches_;  // fingers that are down, at most kMostTouches
};

}  // namespace ui
