// An OpenGL 3.3 core context and the windows that it shows in, one a tile. All windows share the
// one context, so that what one tile has, all have.
//
// With SDL_VIDEODRIVER=offscreen it needs no desktop: EGL renders into memory then.
//
// Thread: the one that starts it, for everything; the context is current there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "receiver/refresh_meter.h"
#include "receiver/sdl_windows.h"
#include "sail/base/log.h"
#include "sail/base/result.h"

namespace receiver {

// Whether a renderer of this name (GL_RENDERER) is the CPU: slower than our own painting.
bool is_software_renderer(std::string_view renderer);

class GlScreen {
 public:
  // kUnavailable when the display has no OpenGL 3.3 with S3TC textures.
  static sail::Result<std::unique_ptr<GlScreen>> start(std::shared_ptr<SdlWindows> windows);
  ~GlScreen();
  GlScreen(const GlScreen&) = delete;
  GlScreen& operator=(const GlScreen&) = delete;

  const std::string& renderer() const { return renderer_; }

  // The window that is opened next joins the driver's swap group, where it has one and a sync card.
  void want_swap_group(const sail::Log& log) { swap_group_log_ = log; }

  // Opens the tiles' windows. kIo when the display refuses.
  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles);
  // From here to swap(), framebuffer 0 is the tile's window, its first row at the bottom.
  void draw_on(size_t tile);
  // The size of the tile's window, which need not be the one that the desktop was asked for.
  sail::Size size(size_t tile) const;
  // Shows what was drawn: the only window with its display's next refresh, several at once. It
  // waits only for a swap before that no refresh has shown yet, or for a swap group.
  void swap(size_t tile);
  // Of each tile's display.
  std::vector<TileRefresh> refreshes();
  // The window is of a swap group: it has to be drawn and swapped for each refresh, or all others
  // of the group wait.
  bool in_swap_group() const { return in_swap_group_; }

  // `on_lost`: a window has to be drawn and swapped again.
  Display::Wish pump(const std::function<void(size_t tile)>& on_lost);

 private:
  struct EndContext {
    void operator()(void* context) const;
  };

  explicit GlScreen(std::shared_ptr<SdlWindows> windows) : windows_(std::move(windows)) {}
  sail::Result<void> make_context();
  void keep_step(size_t tiles);

  std::shared_ptr<SdlWindows> windows_;
  SdlWindows::Window root_;  // hidden: the context has a window whatever becomes of the tiles
  std::unique_ptr<void, EndContext> context_;
  std::string renderer_;
  std::optional<sail::Log> swap_group_log_;  // nothing: none is wanted
  bool in_swap_group_ = false;
  bool awaits_refresh_ = false;       // swaps do
  std::vector<RefreshMeter> meters_;  // of each tile
};

}  // namespace receiver
