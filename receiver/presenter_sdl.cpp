// SDL's only wrapper: borderless windows whose surfaces the CPU paints, without GL.

#include <SDL.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include "receiver/presenter.h"

namespace receiver {
namespace {

constexpr int64_t kPumpEveryNs = 20'000'000;

struct CloseWindow {
  void operator()(SDL_Window* window) const { SDL_DestroyWindow(window); }
};

class SdlTile {
 public:
  SdlTile(const sail::TileInfo& tile, std::unique_ptr<SDL_Window, CloseWindow> window)
      : tile_(tile), upright_(upright_size(tile)), window_(std::move(window)) {}

  uint32_t window_id() const { return SDL_GetWindowID(window_.get()); }

  // The window's size has changed, or it is new: canvas() is another one from now on.
  bool take_surface() {
    surface_ = SDL_GetWindowSurface(window_.get());
    if (surface_ == nullptr) return false;
    direct_ = tile_.rotation == 0 && surface_->format->format == SDL_PIXELFORMAT_XRGB8888 &&
              surface_->w == upright_.width && surface_->h == upright_.height;
    pixels_.assign(direct_ ? 0 : bytes(upright_), 0);
    turned_.assign(tile_.rotation == 0 ? 0 : bytes(upright_), 0);
    SDL_FillRect(surface_, nullptr, SDL_MapRGB(surface_->format, 0, 0, 0));
    SDL_UpdateWindowSurface(window_.get());
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
    if (updates_.empty()) return;
    SDL_UpdateWindowSurfaceRects(window_.get(), updates_.data(), static_cast<int>(updates_.size()));
  }
  // The desktop lost what it showed.
  void present_again() { SDL_UpdateWindowSurface(window_.get()); }

 private:
  static size_t bytes(sail::Size size) {
    return static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * kBytesPerPixel;
  }

  // Brings a rectangle of the canvas to the surface: where it is there.
  sail::Rect show(const sail::Rect& upright_rect) {
    if (direct_) return upright_rect;
    const sail::Rect turned = turned_rect(upright_rect, upright_, tile_.rotation);
    const Canvas shown = panel();
    if (tile_.rotation != 0) turn(canvas(), upright_rect, tile_.rotation, shown.target);
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
  std::unique_ptr<SDL_Window, CloseWindow> window_;
  SDL_Surface* surface_ = nullptr;  // the window's
  bool direct_ = false;             // the surface is the canvas
  std::vector<uint8_t> pixels_;     // the canvas, when it is not
  std::vector<uint8_t> turned_;     // the panel, when it is mounted turned
  std::vector<SDL_Rect> updates_;   // reused
};

class SdlPresenter final : public Presenter {
 public:
  // SDL's video is up; this ends it.
  SdlPresenter(std::string node, const sail::Log& log) : node_(std::move(node)), log_(log) {}
  ~SdlPresenter() override {
    tiles_.clear();
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
  }
  SdlPresenter(const SdlPresenter&) = delete;
  SdlPresenter& operator=(const SdlPresenter&) = delete;

  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override;
  Canvas canvas(size_t tile) override { return tiles_[tile].canvas(); }
  void present(size_t tile, std::span<const sail::Rect> damage) override {
    tiles_[tile].present(damage);
  }
  Canvas panel(size_t tile) override { return tiles_[tile].panel(); }
  Display::Wish pump() override;
  int64_t pump_every_ns() const override { return kPumpEveryNs; }

 private:
  Display::Wish on_window_event(const SDL_WindowEvent& event);

  std::string node_;
  sail::Log log_;
  std::vector<SdlTile> tiles_;
};

sail::Result<void> SdlPresenter::open(const std::vector<sail::TileInfo>& tiles) {
  tiles_.clear();
  for (const sail::TileInfo& tile : tiles) {
    const std::string title = fmt::format("Vitrail {} tile {}", node_, tile.name);
    std::unique_ptr<SDL_Window, CloseWindow> window(
        SDL_CreateWindow(title.c_str(), tile.has_window_at ? tile.window_x : tile.wall_rect.x,
                         tile.has_window_at ? tile.window_y : tile.wall_rect.y,
                         tile.resolution.width, tile.resolution.height, SDL_WINDOW_BORDERLESS));
    if (!window) {
      return sail::fail(
          sail::ErrorCode::kIo,
          fmt::format("the display gives no window for tile {}: {}", tile.name, SDL_GetError()));
    }
    tiles_.emplace_back(tile, std::move(window));
    if (!tiles_.back().take_surface()) {
      return sail::fail(sail::ErrorCode::kIo, fmt::format("the window of tile {} has no pixels: {}",
                                                          tile.name, SDL_GetError()));
    }
  }
  SDL_ShowCursor(SDL_DISABLE);
  return {};
}

Display::Wish SdlPresenter::pump() {
  Display::Wish wish = Display::Wish::kNothing;
  SDL_Event event;
  while (SDL_PollEvent(&event) != 0) {
    if (event.type == SDL_QUIT) return Display::Wish::kQuit;
    if (event.type == SDL_KEYDOWN &&
        (event.key.keysym.sym == SDLK_ESCAPE || event.key.keysym.sym == SDLK_q)) {
      return Display::Wish::kQuit;
    }
    if (event.type != SDL_WINDOWEVENT) continue;
    const Display::Wish asked = on_window_event(event.window);
    if (asked == Display::Wish::kQuit) return asked;
    if (asked == Display::Wish::kRepaint) wish = asked;
  }
  return wish;
}

Display::Wish SdlPresenter::on_window_event(const SDL_WindowEvent& event) {
  for (SdlTile& tile : tiles_) {
    if (tile.window_id() != event.windowID) continue;
    if (event.event == SDL_WINDOWEVENT_CLOSE) return Display::Wish::kQuit;
    if (event.event == SDL_WINDOWEVENT_EXPOSED) tile.present_again();
    if (event.event != SDL_WINDOWEVENT_SIZE_CHANGED) continue;
    if (tile.take_surface()) return Display::Wish::kRepaint;
    log_.error("a window lost its pixels: {}", SDL_GetError());
    return Display::Wish::kQuit;
  }
  return Display::Wish::kNothing;
}

auto no_display() {
  return sail::fail(sail::ErrorCode::kUnavailable,
                    "no display: start it in a desktop session or set DISPLAY");
}

}  // namespace

sail::Result<std::unique_ptr<Presenter>> make_sdl_presenter(const std::string& node,
                                                            const sail::Log& log) {
  const char* asked = std::getenv("SDL_VIDEODRIVER");
  const char* const desktops[] = {std::getenv("DISPLAY"), std::getenv("WAYLAND_DISPLAY"), asked};
  if (std::none_of(std::begin(desktops), std::end(desktops),
                   [](const char* value) { return value != nullptr && *value != '\0'; })) {
    return no_display();
  }
  // SDL would show our pixels through GL, several times slower without a graphics card.
  SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
  // Signals are the program's.
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
    return sail::fail(sail::ErrorCode::kUnavailable, fmt::format("no display: {}", SDL_GetError()));
  }
  auto presenter = std::make_unique<SdlPresenter>(node, log);
  // When no desktop answers SDL quietly takes a driver that shows nothing.
  const std::string_view driver = SDL_GetCurrentVideoDriver();
  const bool shows_nothing = driver == "offscreen" || driver == "dummy" || driver == "evdev";
  if (shows_nothing && (asked == nullptr || driver != asked)) return no_display();
  SDL_DisableScreenSaver();
  return presenter;
}

}  // namespace receiver
