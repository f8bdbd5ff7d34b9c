// A window system that paints the surfaces of SDL windows, without GL.

#include <SDL.h>
#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "receiver/display/sdl_windows.h"
#include "receiver/display/window_system.h"

namespace receiver {
namespace {

class SdlTile {
 public:
  SdlTile(const sail::TileInfo& tile, const SdlWindows& windows, size_t number)
      : tile_(tile),
        upright_(upright_size(tile)),
        windows_(&windows),
        number_(number),
        window_(windows.window(number)) {}

  // The window is new or its size has changed: canvas() returns another canvas from now on.
  bool take_surface() {
    if (window_ == nullptr) return keep_in_memory();
    surface_ = windows_->surface(number_);
    if (surface_ == nullptr) return false;
    direct_ = tile_.rotation == 0 && surface_->format->format == SDL_PIXELFORMAT_XRGB8888 &&
              surface_->w == upright_.width && surface_->h == upright_.height;
    pixels_.assign(direct_ ? 0 : bytes(upright_), 0);
    turned_.assign(tile_.rotation == 0 ? 0 : bytes(upright_), 0);
    SDL_FillRect(surface_, nullptr, SDL_MapRGB(surface_->format, 0, 0, 0));
    SDL_UpdateWindowSurface(window_);
    return true;
  }

  Canvas canvas() {
    if (direct_) return {{static_cast<uint8_t*>(surface_->pixels), surface_->pitch}, upright_};
    return {{pixels_.data(), ptrdiff_t{upright_.width} * kBytesPerPixel}, upright_};
  }
  Canvas panel() {
    if (tile_.rotation == 0) return canvas();
    return {{turned_.data(), ptrdiff_t{tile_.resolution.width} * kBytesPerPixel}, tile_.resolution};
  }

  void present(std::span<const sail::Rect> damage) {
    updates_.clear();
    for (const sail::Rect& rect : damage) {
      const sail::Rect shown = show(rect);
      if (!shown.empty()) updates_.push_back({shown.x, shown.y, shown.width, shown.height});
    }
    if (updates_.empty() || window_ == nullptr) return;
    SDL_UpdateWindowSurfaceRects(window_, updates_.data(), static_cast<int>(updates_.size()));
  }
  // The desktop lost the window's content.
  void present_again() { SDL_UpdateWindowSurface(window_); }

 private:
  static size_t bytes(sail::Size size) {
    return static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * kBytesPerPixel;
  }

  bool keep_in_memory() {
    pixels_.assign(bytes(upright_), 0);
    turned_.assign(tile_.rotation == 0 ? 0 : bytes(upright_), 0);
    return true;
  }

  // Copies a rectangle of the canvas to the surface, if there is one. Returns its rectangle on the
  // surface.
  sail::Rect show(const sail::Rect& upright_rect) {
    if (direct_) return upright_rect;
    const sail::Rect turned = turned_rect(upright_rect, upright_, tile_.rotation);
    const Canvas shown = panel();
    if (tile_.rotation != 0) turn(canvas(), upright_rect, tile_.rotation, shown.target);
    if (surface_ == nullptr) return {};
    const sail::Rect rect = sail::intersect(turned, {0, 0, surface_->w, surface_->h});
    if (rect.empty()) return rect;
    SDL_ConvertPixels(rect.width, rect.height, SDL_PIXELFORMAT_XRGB8888,
                      shown.target.pixels + rect.y * shown.target.stride + rect.x * kBytesPerPixel,
                      static_cast<int>(shown.target.stride), surface_->format->format,
                      static_cast<uint8_t*>(surface_->pixels) +
                          rect.y * ptrdiff_t{surface_->pitch} +
                          rect.x * ptrdiff_t{surface_->format->BytesPerPixel},
                      surface_->pitch);
    return rect;
  }

  sail::TileInfo tile_;
  sail::Size upright_;
  const SdlWindows* windows_;
  size_t number_;                   // of the tile
  SDL_Window* window_;              // null: the tile's output is missing
  SDL_Surface* surface_ = nullptr;  // surface of the window
  bool direct_ = false;             // the surface is also the canvas
  PixelMemory pixels_;              // the canvas, if separate from the surface
  std::vector<uint8_t> turned_;     // the panel, if mounted rotated
  std::vector<SDL_Rect> updates_;   // kept for its capacity
};

class SdlWindowSystem final : public WindowSystem {
 public:
  SdlWindowSystem(std::shared_ptr<SdlWindows> windows, const sail::Log& log)
      : windows_(std::move(windows)), log_(log) {}

  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override;
  Canvas canvas(size_t tile) override { return tiles_[tile].canvas(); }
  void present(size_t tile, std::span<const sail::Rect> damage) override {
    tiles_[tile].present(damage);
  }
  Canvas panel(size_t tile) override { return tiles_[tile].panel(); }
  std::vector<TileRefresh> refreshes() override {
    std::vector<TileRefresh> refreshes;
    for (size_t i = 0; i < tiles_.size(); ++i) {
      refreshes.push_back(RefreshMeter(windows_->reported_hz(i)).refresh());
    }
    return refreshes;
  }
  sail::DisplayStats stats() override { return windows_->stats(); }
  Display::Request pump() override {
    return windows_->pump(
        [this](size_t tile, SdlWindows::Loss loss) { return on_loss(tiles_[tile], loss); });
  }
  int64_t pump_every_ns() const override { return SdlWindows::kPumpEveryNs; }

 private:
  Display::Request on_loss(SdlTile& tile, SdlWindows::Loss loss) const;

  std::shared_ptr<SdlWindows> windows_;
  sail::Log log_;
  std::vector<SdlTile> tiles_;
};

sail::Result<void> SdlWindowSystem::open(const std::vector<sail::TileInfo>& tiles) {
  tiles_.clear();
  if (auto opened = windows_->open(tiles, 0); !opened) return opened;
  for (size_t i = 0; i < tiles.size(); ++i) {
    tiles_.emplace_back(tiles[i], *windows_, i);
    if (!tiles_.back().take_surface()) {
      return sail::fail(
          sail::ErrorCode::kIo,
          fmt::format("cannot draw into the window of tile {}: {}", tiles[i].name, SDL_GetError()));
    }
  }
  return {};
}

Display::Request SdlWindowSystem::on_loss(SdlTile& tile, SdlWindows::Loss loss) const {
  if (loss == SdlWindows::Loss::kShown) {
    tile.present_again();
    return Display::Request::kNothing;
  }
  if (tile.take_surface()) return Display::Request::kRepaint;
  log_.error("cannot draw into a window any more: {}", SDL_GetError());
  return Display::Request::kQuit;
}

}  // namespace

std::unique_ptr<WindowSystem> make_sdl_window_system(std::shared_ptr<SdlWindows> windows,
                                                     const sail::Log& log) {
  // Without a graphics card, SDL presents several times slower through GL. On X11, SDL can present
  // without GL; its Wayland and KMS drivers have no surfaces of their own (SDL 2.26).
  const bool by_x11 = std::string_view(SDL_GetCurrentVideoDriver()) == "x11";
  SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, by_x11 ? "0" : "1");
  return std::make_unique<SdlWindowSystem>(std::move(windows), log);
}

}  // namespace receiver
