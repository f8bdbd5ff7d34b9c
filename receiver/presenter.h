// Gives the CPU the tiles' pixels to paint on and shows them: canvas and panel as in Display.
//
// Thread: the process's main thread, for everything.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "receiver/canvas.h"
#include "receiver/display.h"
#include "sail/base/clock.h"
#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/wire/control_messages.h"

namespace receiver {

class SdlWindows;

class Presenter {
 public:
  virtual ~Presenter() = default;

  // Opens these tiles, black; those open before are closed. kIo when the display refuses.
  virtual sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) = 0;
  // A tile's upright pixels, which keep what was painted. Good until the next open(), or a pump()
  // that says kRepaint.
  virtual Canvas canvas(size_t tile) = 0;
  // Shows what was painted in these rectangles of the canvas.
  virtual void present(size_t tile, std::span<const sail::Rect> damage) = 0;
  // What the panel shows: its own pixels, turned as it is mounted.
  virtual Canvas panel(size_t tile) = 0;

  // As the display's.
  virtual std::vector<TileRefresh> refreshes() { return {}; }
  // As Display::pump(). kRepaint: take the canvases anew, too.
  virtual Display::Wish pump() { return Display::Wish::kNothing; }
  virtual int64_t pump_every_ns() const { return INT64_MAX; }
};

// A panel that shows at its refreshes what was presented before them.
struct SimulatedRefresh {
  double hz = 0;  // 0: it shows everything at once
  int64_t phase_ns = 0;
  std::function<int64_t()> now_ns = sail::steady_now_ns;
};

// Memory only: for headless nodes and tests.
std::unique_ptr<Presenter> make_null_presenter(SimulatedRefresh refresh = {});

// The windows' surfaces.
std::unique_ptr<Presenter> make_sdl_presenter(std::shared_ptr<SdlWindows> windows,
                                              const sail::Log& log);

}  // namespace receiver
