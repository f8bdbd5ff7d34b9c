// Interface of the displays: they paint and keep the tiles' pixels and show them at their
// presentation time.
//
// A tile has a canvas and a panel. The canvas holds its upright pixels as last painted. The panel
// holds the pixels of the mounted display as last presented. Both are black when opened.
//
// Thread: the process's main thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "receiver/display/refresh_meter.h"
#include "receiver/frame/canvas.h"
#include "receiver/paint/composition.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/stats.h"

namespace receiver {

class Display {
 public:
  virtual ~Display() = default;

  // Opens these tiles and closes those opened before. Returns kIo if the display refuses.
  virtual sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) = 0;
  // Paints on the canvases of the open tiles. Complete when it returns.
  virtual void paint(const Changes& changes) = 0;
  // Keeps a copy of what the tile shows, from which the display then fades. Everything must be
  // painted next, and fade() called after each paint(). Returns false if the display cannot fade
  // the tile now: its next pictures are shown as they are.
  virtual bool keep(size_t /*tile*/) { return false; }
  // Mixes the kept copy with the painted pixels, in these rectangles of the canvas that present()
  // shows. weight: of the painted pixels, 0 … Fade::kWhole; with kWhole, `damage` must contain the
  // whole tile, and the copy is dropped. Without a copy, does nothing.
  virtual void fade(size_t /*tile*/, int /*weight*/, std::span<const sail::Rect> /*damage*/) {}
  // Copies these rectangles of a tile's canvas to its panel.
  virtual void present(size_t tile, std::span<const sail::Rect> damage) = 0;
  // Returns a copy of the panel's pixels. Sets only the size in the copy's `begin`.
  virtual TileImage picture(size_t tile) = 0;

  // Returns the known refresh of each tile's display; empty if no refresh is known.
  virtual std::vector<TileRefresh> refreshes() { return {}; }
  // Returns the driver and the windows that show the tiles, for the manager. A tile whose output
  // is missing has no window and is kept in memory.
  virtual sail::DisplayStats stats() { return {.driver = "memory"}; }

  enum class Request { kNothing, kRepaint, kReopen, kQuit };
  // Handles events of the display. kRepaint: the canvases are lost, paint everything. kReopen: the
  // outputs of the tiles have changed, make a new display (AwaitedDisplay does).
  virtual Request pump() { return Request::kNothing; }
  // Returns the interval at which pump() must be called.
  virtual int64_t pump_every_ns() const { return INT64_MAX; }
};

enum class DisplayKind { kAuto, kGl, kCpu, kNull };

struct DisplayOptions {
  DisplayKind kind = DisplayKind::kAuto;
  std::string node;         // for the window titles
  int threads = 0;          // number of threads for CPU painting, in addition to the calling thread
  double simulated_hz = 0;  // refresh rate of displays in memory; 0: no refresh
  int64_t simulated_phase_ns = 0;
  bool swap_group = false;  // join the driver's swap group (kGl only)
};

// Creates a display and logs in one line which kind it is and why. kAuto: kGl if the display has a
// capable graphics card, else kCpu; kNull, with a warning, if the environment names no display. If
// a named display does not answer, keeps the tiles in memory and tries again (AwaitedDisplay).
// Returns kUnavailable if other requirements of kGl or kCpu are not met.
sail::Result<std::unique_ptr<Display>> make_display(const DisplayOptions& options,
                                                    const sail::Log& log);

}  // namespace receiver
