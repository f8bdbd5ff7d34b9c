// Interface for CPU painting: provides the tiles' canvases and shows them on the panels. For canvas
// and panel see Display.
//
// Thread: the process's main thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "receiver/display/display.h"
#include "receiver/frame/canvas.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/receiver_messages.h"

namespace receiver {

class SdlWindows;

class WindowSystem {
 public:
  virtual ~WindowSystem() = default;

  // Opens these tiles, black, and closes those opened before. Returns kIo if the display refuses.
  virtual sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) = 0;
  // Returns a tile's upright pixels as last painted. Valid until open(), or kRepaint from pump().
  virtual Canvas canvas(size_t tile) = 0;
  // Shows the painted pixels in these rectangles of the canvas.
  virtual void present(size_t tile, std::span<const sail::Rect> damage) = 0;
  // Returns the panel's pixels, rotated as the display is mounted.
  virtual Canvas panel(size_t tile) = 0;

  // As Display::refreshes().
  virtual std::vector<TileRefresh> refreshes() { return {}; }
  // As Display::stats().
  virtual sail::DisplayStats stats() { return {.driver = "memory"}; }
  // As Display::pump(). After kRepaint, call canvas() again too.
  virtual Display::Request pump() { return Display::Request::kNothing; }
  virtual int64_t pump_every_ns() const { return INT64_MAX; }
};

// A panel that shows the presented pixels at its next simulated refresh.
struct SimulatedRefresh {
  double hz = 0;  // 0: shows everything immediately
  int64_t phase_ns = 0;
  std::function<int64_t()> now_ns = sail::steady_now_ns;
};

// Keeps the tiles in memory only, for headless nodes and tests.
std::unique_ptr<WindowSystem> make_null_window_system(SimulatedRefresh refresh = {});

// Shows the tiles through the surfaces of SDL windows.
std::unique_ptr<WindowSystem> make_sdl_window_system(std::shared_ptr<SdlWindows> windows,
                                                     const sail::Log& log);

// Returns the CPU-painted display, which decodes the visible part of each window from the blocks of
// its frame, straight into the canvases of the window system (cpu_display.cpp). `threads`: number
// of painting threads in addition to the thread that calls paint().
std::unique_ptr<Display> make_cpu_display(std::unique_ptr<WindowSystem> window_system, int threads);

}  // namespace receiver
