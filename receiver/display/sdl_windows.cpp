#include "receiver/display/sdl_windows.h"

#include <SDL.h>
#include <fmt/core.h>
#include <wayland-client.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "sail/core/base/c_library.h"
#include "sail/core/base/environment.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace receiver {
namespace {

auto no_display() {
  return sail::fail(sail::ErrorCode::kUnavailable,
                    "no display: start the receiver in a desktop session or set DISPLAY");
}

auto no_seat() {
  return sail::fail(sail::ErrorCode::kUnavailable,
                    "the Wayland display has no seat, which SDL needs to open windows: attach a "
                    "mouse or keyboard, or use X11 (SDL_VIDEODRIVER=x11)");
}

// Returns the drivers that the environment selects. SDL's own list also has the console (KMS), even
// if a desktop is about to start on it, and drivers without output. Without a seat, Wayland is left
// out: SDL's Wayland driver would use a seat that does not exist yet (SDL 2.26.5).
sail::Result<std::string> drivers() {
  std::string drivers = sail::environment("SDL_VIDEODRIVER");
  if (!drivers.empty()) {
    if (drivers.find("wayland") != std::string::npos && !wayland_has_seat()) return no_seat();
    return drivers;
  }
  if (!sail::environment("DISPLAY").empty()) drivers = "x11";
  if (sail::environment("WAYLAND_DISPLAY").empty()) return drivers;
  if (wayland_has_seat()) return drivers + (drivers.empty() ? "wayland" : ",wayland");
  if (drivers.empty()) return no_seat();
  return drivers;
}

// Returns how the window of a tile differs from the wall file; empty if it does not differ.
std::string window_trouble(const sail::TileInfo& tile, const sail::Rect& rect, bool places_known) {
  if (rect.width != tile.resolution.width || rect.height != tile.resolution.height) {
    return fmt::format(
        "the window of tile '{}' has {}×{} pixels instead of {}×{}: correct the resolution of the "
        "display or of the tile in the wall file",
        tile.name, rect.width, rect.height, tile.resolution.width, tile.resolution.height);
  }
  if (!places_known || !tile.window_at || *tile.window_at == std::pair(rect.x, rect.y)) return "";
  return fmt::format(
      "the window of tile '{}' is at {},{} instead of {},{}: use a desktop that lets programs "
      "place "
      "their windows (X without a window manager), or correct \"window_at\" in the wall file",
      tile.name, rect.x, rect.y, tile.window_at->first, tile.window_at->second);
}

}  // namespace

void SdlWindows::Close::operator()(SDL_Window* window) const {
  SDL_DestroyWindow(window);
}

bool SdlWindows::requested() {
  return !sail::environment("SDL_VIDEODRIVER").empty() || !sail::environment("DISPLAY").empty() ||
         !sail::environment("WAYLAND_DISPLAY").empty();
}

sail::Result<std::shared_ptr<SdlWindows>> SdlWindows::start(const std::string& node) {
  const auto asked = drivers();
  if (!asked) return asked.error();
  if (asked->empty()) return no_display();
  SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, asked->c_str(), SDL_HINT_OVERRIDE);
  // The program handles signals itself.
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
    return sail::fail(sail::ErrorCode::kUnavailable, fmt::format("no display: {}", SDL_GetError()));
  }
  std::shared_ptr<SdlWindows> windows(new SdlWindows(node));
  const std::string_view driver = SDL_GetCurrentVideoDriver();
  const bool shows_nothing = driver == "offscreen" || driver == "dummy" || driver == "evdev";
  if (shows_nothing && driver != *asked) return no_display();
  SDL_DisableScreenSaver();
  return windows;
}

SdlWindows::~SdlWindows() {
  windows_.clear();
  SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

int SdlWindows::reported_hz(size_t tile) const {
  SDL_DisplayMode mode{};
  const int display = SDL_GetWindowDisplayIndex(window(tile));
  return display >= 0 && SDL_GetCurrentDisplayMode(display, &mode) == 0 ? mode.refresh_rate : 0;
}

sail::DisplayStats SdlWindows::stats() const {
  sail::DisplayStats stats{.driver = SDL_GetCurrentVideoDriver()};
  const bool places_known = stats.driver != "wayland";  // Wayland hides window positions
  for (size_t i = 0; i < windows_.size(); ++i) {
    sail::Rect rect;
    SDL_GetWindowPosition(window(i), &rect.x, &rect.y);
    SDL_GetWindowSize(window(i), &rect.width, &rect.height);
    if (stats.trouble.empty()) stats.trouble = window_trouble(tiles_[i], rect, places_known);
    const char* name = SDL_GetDisplayName(SDL_GetWindowDisplayIndex(window(i)));
    stats.windows.push_back(
        {.tile = tiles_[i].name,
         .display = sail::make_plain_text(name == nullptr ? "" : name, sail::kMaxTitleLength),
         .rect = rect});
  }
  return stats;
}

std::vector<sail::Rect> SdlWindows::displays() const {
  std::vector<sail::Rect> displays;
  for (int i = 0; i < SDL_GetNumVideoDisplays(); ++i) {
    SDL_Rect bounds{};
    if (SDL_GetDisplayBounds(i, &bounds) != 0) continue;
    displays.push_back({bounds.x, bounds.y, bounds.w, bounds.h});
  }
  return displays;
}

sail::Result<void> SdlWindows::open(const std::vector<sail::TileInfo>& tiles, uint32_t flags) {
  windows_.clear();
  tiles_ = tiles;
  for (const sail::TileInfo& tile : tiles) {
    const std::string title = fmt::format("Vitrail {} tile {}", node_, tile.name);
    const auto [x, y] = tile.window_at.value_or(std::pair(tile.wall_rect.x, tile.wall_rect.y));
    Window window(SDL_CreateWindow(title.c_str(), x, y, tile.resolution.width,
                                   tile.resolution.height, flags | SDL_WINDOW_BORDERLESS));
    if (!window) {
      return sail::fail(sail::ErrorCode::kIo, fmt::format("cannot open a window for tile {}: {}",
                                                          tile.name, SDL_GetError()));
    }
    windows_.push_back(std::move(window));
  }
  SDL_ShowCursor(SDL_DISABLE);
  return {};
}

Display::Request SdlWindows::pump(const std::function<Display::Request(size_t, Loss)>& on_loss) {
  Display::Request request = Display::Request::kNothing;
  SDL_Event event;
  while (SDL_PollEvent(&event) != 0) {
    if (event.type == SDL_QUIT) return Display::Request::kQuit;
    if (event.type == SDL_KEYDOWN &&
        (event.key.keysym.sym == SDLK_ESCAPE || event.key.keysym.sym == SDLK_q)) {
      return Display::Request::kQuit;
    }
    if (event.type != SDL_WINDOWEVENT) continue;
    const Display::Request asked = on_window_event(event.window, on_loss);
    if (asked == Display::Request::kQuit) return asked;
    if (asked == Display::Request::kRepaint) request = asked;
  }
  return request;
}

Display::Request SdlWindows::on_window_event(
    const SDL_WindowEvent& event,
    const std::function<Display::Request(size_t, Loss)>& on_loss) const {
  for (size_t tile = 0; tile < windows_.size(); ++tile) {
    if (SDL_GetWindowID(windows_[tile].get()) != event.windowID) continue;
    if (event.event == SDL_WINDOWEVENT_CLOSE) return Display::Request::kQuit;
    if (event.event == SDL_WINDOWEVENT_EXPOSED) return on_loss(tile, Loss::kShown);
    if (event.event == SDL_WINDOWEVENT_SIZE_CHANGED) return on_loss(tile, Loss::kSize);
  }
  return Display::Request::kNothing;
}

bool wayland_has_seat() {
  const std::unique_ptr<wl_display, sail::FreedBy<wl_display_disconnect>> display(
      wl_display_connect(nullptr));
  if (!display) return true;
  const std::unique_ptr<wl_registry, sail::FreedBy<wl_registry_destroy>> registry(
      wl_display_get_registry(display.get()));
  if (!registry) return true;
  bool has_seat = false;
  static const wl_registry_listener kListener{
      .global =
          [](void* found, wl_registry* /*registry*/, uint32_t /*name*/, const char* interface,
             uint32_t /*version*/) {
            if (interface == std::string_view("wl_seat")) *static_cast<bool*>(found) = true;
          },
      .global_remove = [](void*, wl_registry*, uint32_t) {}};
  wl_registry_add_listener(registry.get(), &kListener, &has_seat);
  return wl_display_roundtrip(display.get()) < 0 || has_seat;
}

}  // namespace receiver
