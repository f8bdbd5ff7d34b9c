// The seam to the displays: they paint what is to be shown, keep it, and show it at its instant.
//
// A tile has a canvas, its upright pixels, which keep what was painted; and a panel, its own pixels
// as it is mounted, which show what was presented. Both open black.
//
// Thread: the process's main thread, for everything.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "receiver/composition.h"
#include "receiver/refresh_meter.h"
#include "receiver/tile_copy.h"
#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/wire/control_messages.h"

namespace receiver {

class Display {
 public:
  virtual ~Display() = default;

  // Opens these tiles; those open before are closed. kIo when the display refuses.
  virtual sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) = 0;
  // Paints on the canvases of the tiles opened last; is done when it returns.
  virtual void paint(const Changes& changes) = 0;
  // Brings these rectangles of a tile's canvas to its panel.
  virtual void present(size_t tile, std::span<const sail::Rect> damage) = 0;
  // A copy of what the panel shows; of its `begin` only the size is filled in.
  virtual TileCopy picture(size_t tile) = 0;

  // What is known of the refresh of each tile's display; of none: empty.
  virtual std::vector<TileRefresh> refreshes() { return {}; }

  enum class Wish { kNothing, kRepaint, kQuit };
  // Looks after the person at the display. kRepaint: the canvases are lost, paint everything.
  virtual Wish pump() { return Wish::kNothing; }
  // How often pump() wants to be called.
  virtual int64_t pump_every_ns() const { return INT64_MAX; }
};

enum class DisplayKind { kAuto, kGl, kCpu, kNull };

struct DisplayOptions {
  DisplayKind kind = DisplayKind::kAuto;
  std::string node;         // for the windows' titles
  int threads = 0;          // for painting by the CPU, besides the calling one
  double simulated_hz = 0;  // the refresh of displays in memory; 0: none
  int64_t simulated_phase_ns = 0;
  bool swap_group = false;  // join the driver's (kGl)
};

// kAuto: kGl when the display has a graphics card that can do it, kCpu when it has none, kNull,
// with a warning, when there is no display. Says in one line which it is and why. kUnavailable when
// there is not what kGl or kCpu needs.
sail::Result<std::unique_ptr<Display>> make_display(const DisplayOptions& options,
                                                    const sail::Log& log);

}  // namespace receiver
