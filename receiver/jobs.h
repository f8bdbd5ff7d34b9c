// Messages between the loop thread and the main thread. All times are steady, because only the loop
// thread knows the offset to wall time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "receiver/frame/canvas.h"
#include "receiver/frame/frame.h"
#include "sail/core/base/result.h"
#include "sail/core/wire/overlay.h"
#include "sail/core/wire/receiver_messages.h"

namespace receiver {

// To the main thread -----------------------------------------------------------------------------

// The tiles of this node. Sent with the first welcome and whenever the manager changes them.
struct SetTiles {
  std::vector<sail::TileInfo> tiles;
  std::string node{};      // name of this node
  sail::Size wall_size{};  // wall pixels
};

// Paint these frames, and the scene if there is one, and show them at this time.
struct Swap {
  int64_t at_ns = 0;
  int64_t arrived_ns = 0;
  std::shared_ptr<const sail::Scene> scene;  // null: the layout does not change
  std::vector<std::unique_ptr<Frame>> frames;
  int64_t fade_ns = 0;        // duration of the fade to the scene; 0: it is shown at once
  bool keeps_former = false;  // frames of the former layout may be shown after the scene
};

// Copy the tiles' pixels at this time.
struct TakeSnapshot {
  uint64_t snapshot = 0;
  int64_t at_ns = 0;
};

// Draw this over the windows, as soon as possible.
struct ShowOverlay {
  std::shared_ptr<const sail::Overlay> overlay;
};

// End the receiver, with an error if there is one.
struct Stop {
  std::optional<sail::Error> error;
};

using Job = std::variant<SetTiles, Swap, TakeSnapshot, ShowOverlay, Stop>;

// To the loop thread -----------------------------------------------------------------------------

// The swap is on screen.
struct Swapped {
  std::vector<EndedFrame> ended;
  std::vector<std::unique_ptr<Frame>> released;  // frames no longer in use
  uint64_t scene_epoch = 0;                      // epoch of the swap's layout; 0: none
  int64_t render_ns = 0;                         // slowest recent time from paintable to painted
  int64_t paint_ns = 0;                          // painting time of this swap
  bool fading = false;                           // copies of the former layout are still needed
};

struct SnapshotTaken {
  uint64_t snapshot = 0;
  int64_t taken_ns = 0;
  std::vector<TileImage> pictures;
};

}  // namespace receiver
