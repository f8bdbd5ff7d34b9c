// What the loop thread and the main thread hand each other. All stamps in steady time: wall time
// stays with the loop thread, which knows the clock's offset.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "receiver/data_plane.h"
#include "receiver/frame.h"
#include "receiver/tile_copy.h"
#include "sail/base/result.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/overlay.h"

namespace receiver {

// To the main thread -----------------------------------------------------------------------------

// The tiles of this node: with the first welcome and whenever the manager has changed them.
struct SetTiles {
  std::vector<sail::TileInfo> tiles;
};

// One `go`: paint these frames (and the scene, if there is one) and show them at that instant.
struct Swap {
  int64_t at_ns = 0;
  int64_t arrived_ns = 0;
  std::shared_ptr<const sail::Scene> scene;  // null: no change of layout
  std::vector<std::unique_ptr<Frame>> frames;
};

// Copy what the tiles show at that instant.
struct TakeSnapshot {
  uint64_t snapshot = 0;
  int64_t at_ns = 0;
};

// Draw this over the windows, at once.
struct ShowOverlay {
  std::shared_ptr<const sail::Overlay> overlay;
};

// End; with the reason, if it is an error.
struct Stop {
  std::optional<sail::Error> error;
};

using Job = std::variant<SetTiles, Swap, TakeSnapshot, ShowOverlay, Stop>;

// To the loop thread -----------------------------------------------------------------------------

// A swap was shown.
struct Swapped {
  std::vector<EndedFrame> ended;
  std::vector<std::unique_ptr<Frame>> released;  // no longer shown
  uint64_t scene_epoch = 0;                      // of the layout that came with it; 0: none did
  int64_t render_ns = 0;                         // from `go` to painted, the slowest lately
  int64_t paint_ns = 0;                          // painting alone, of this swap
};

struct SnapshotTaken {
  uint64_t snapshot = 0;
  int64_t taken_ns = 0;
  std::vector<TileCopy> pictures;
};

}  // namespace receiver
