// An OpenGL 3.3 core context and one window per tile. All windows share this context, so that
// textures are available to all tiles.
//
// With SDL_VIDEODRIVER=offscreen no desktop is needed: EGL renders into memory.
//
// Thread: only the one that calls start(); the context is current there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "receiver/display/refresh_meter.h"
#include "receiver/display/sdl_windows.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"

namespace receiver {

// Returns true if this GL_RENDERER runs on the CPU, which is slower than our own painter.
bool is_software_renderer(std::string_view renderer);

class GlScreen {
 public:
  // Returns kUnavailable if the display has no OpenGL 3.3 with S3TC textures.
  static sail::Result<std::unique_ptr<GlScreen>> start(std::shared_ptr<SdlWindows> windows);
  ~GlScreen();
  GlScreen(const GlScreen&) = delete;
  GlScreen& operator=(const GlScreen&) = delete;

  const std::string& renderer() const { return renderer_; }

  // Lets the next opened window join the driver's swap group, if there is one with a sync card.
  void want_swap_group(const sail::Log& log) { swap_group_log_ = log; }

  // Opens the windows of the tiles. Returns kIo if the display refuses.
  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles);
  // Returns false if the tile's output is missing. Such a tile cannot be drawn on or swapped.
  bool has_window(size_t tile) const { return windows_->window(tile) != nullptr; }
  // Makes the tile's window framebuffer 0 until swap(). The window's first row is at the bottom.
  void draw_on(size_t tile);
  // Returns the size of the tile's window, which may differ from the requested size.
  sail::Size size(size_t tile) const;
  // Shows the drawn picture: a single window at the next refresh, several windows immediately.
  // Blocks only while an earlier swap is not shown yet, or for a swap group.
  void swap(size_t tile);
  // Returns the refresh of each tile's display.
  std::vector<TileRefresh> refreshes();
  sail::DisplayStats stats() const;
  // Returns true if the window is in a swap group. It must then be drawn and swapped at every
  // refresh, or all other members of the group wait.
  bool in_swap_group() const { return in_swap_group_; }

  // Calls `on_lost` for each window that must be drawn and swapped again.
  Display::Request pump(const std::function<void(size_t tile)>& on_lost);

 private:
  struct EndContext {
    void operator()(void* context) const;
  };

  explicit GlScreen(std::shared_ptr<SdlWindows> windows) : windows_(std::move(windows)) {}
  sail::Result<void> make_context();
  void keep_step(size_t tiles);

  std::shared_ptr<SdlWindows> windows_;
  SdlWindows::Window root_;  // hidden; keeps the context alive without tile windows
  std::unique_ptr<void, EndContext> context_;
  std::string renderer_;
  std::optional<sail::Log> swap_group_log_;  // empty optional: no swap group wanted
  bool in_swap_group_ = false;
  bool awaits_refresh_ = false;       // swaps wait for the refresh
  std::vector<RefreshMeter> meters_;  // one per tile
};

}  // namespace receiver
