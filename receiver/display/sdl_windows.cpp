#include "receiver/display/sdl_windows.h"

#include <SDL.h>
#include <fmt/core.h>
#include <wayland-client.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

#include "receiver/display/console_card.h"
#include "sail/core/base/c_library.h"
#include "sail/core/base/environment.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

auto no_display() {
  return sail::fail(
      sail::ErrorCode::kUnavailable,
      "no display: start the receiver in a desktop session, or set DISPLAY; without a "
      "desktop, set SDL_VIDEODRIVER=kmsdrm");
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

constexpr int64_t kLookEveryNs = 1'000'000'000;

std::vector<Output> sdl_displays() {
  std::vector<Output> displays;
  for (int i = 0; i < SDL_GetNumVideoDisplays(); ++i) {
    SDL_Rect bounds{};
    SDL_GetDisplayBounds(i, &bounds);
    const char* name = SDL_GetDisplayName(i);
    displays.push_back(
        {.name = name == nullptr ? "" : name, .rect = {bounds.x, bounds.y, bounds.w, bounds.h}});
  }
  return displays;
}

// On X, windows are placed by their position, so SDL's idea of the displays does not matter.
std::vector<Output> find_outputs(std::string_view driver,
                                 const std::vector<ReportedOutput>& reported) {
  if (driver != "x11" || reported.empty()) return name_displays(sdl_displays(), reported);
  std::vector<Output> outputs;
  for (const ReportedOutput& output : reported) outputs.push_back({output.name, output.rect});
  return outputs;
}

const Output* find_output(const std::vector<Output>& outputs, const std::string& name) {
  const auto found = std::ranges::find(outputs, name, &Output::name);
  return found == outputs.end() ? nullptr : &*found;
}

// Returns the reported outputs that tiles of the wall file use.
std::vector<ReportedOutput> used(const std::vector<ReportedOutput>& reported,
                                 const std::vector<sail::TileInfo>& tiles) {
  std::vector<ReportedOutput> used;
  for (const ReportedOutput& output : reported) {
    if (std::ranges::count(tiles, output.name, &sail::TileInfo::output) > 0) used.push_back(output);
  }
  return used;
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

// Returns why the output cannot show the tile; empty if it can.
std::string output_trouble(const sail::TileInfo& tile, const Output& output) {
  const sail::Rect& rect = output.rect;
  if (rect.width == tile.resolution.width && rect.height == tile.resolution.height) return "";
  return fmt::format(
      "the output {} of tile '{}' has {}×{} pixels instead of {}×{}: correct the resolution of the "
      "display or of the tile in the wall file",
      tile.output, tile.name, rect.width, rect.height, tile.resolution.width,
      tile.resolution.height);
}

std::string other_output(const sail::TileInfo& tile, const std::string& display) {
  return fmt::format(
      "the window of tile '{}' is on {} instead of {}: use a desktop that lets programs choose the "
      "output (X without a window manager, sway, KMS)",
      tile.name, display.empty() ? "no output" : display, tile.output);
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

SdlWindows::SdlWindows(std::string node)
    : node_(std::move(node)),
      driver_(SDL_GetCurrentVideoDriver()),
      reported_(reported_outputs(driver_)),
      outputs_(find_outputs(driver_, reported_)) {}

SdlWindows::~SdlWindows() {
  const auto shown =
      std::ranges::find_if(windows_, [](const Window& one) { return one != nullptr; });
  const auto card = console_card(shown == windows_.end() ? nullptr : shown->get());
  windows_.clear();
  SDL_QuitSubSystem(SDL_INIT_VIDEO);
  leave_console_card(card);
}

int SdlWindows::reported_hz(size_t tile) const {
  if (window(tile) == nullptr) return 0;
  SDL_DisplayMode mode{};
  const int display = SDL_GetWindowDisplayIndex(window(tile));
  return display >= 0 && SDL_GetCurrentDisplayMode(display, &mode) == 0 ? mode.refresh_rate : 0;
}

sail::DisplayStats::Window SdlWindows::place_of(size_t tile) const {
  sail::DisplayStats::Window place{.tile = tiles_[tile].name};
  sail::Rect& rect = place.rect;
  SDL_GetWindowPosition(window(tile), &rect.x, &rect.y);
  SDL_GetWindowSize(window(tile), &rect.width, &rect.height);
  const auto index = static_cast<size_t>(SDL_GetWindowDisplayIndex(window(tile)));
  const auto output =
      driver_ == "x11"
          ? std::ranges::find_if(
                outputs_, [&](const Output& one) { return one.rect.contains(rect.x, rect.y); })
          : outputs_.begin() + static_cast<ptrdiff_t>(std::min(index, outputs_.size()));
  if (output != outputs_.end()) {
    place.display = sail::make_plain_text(output->name, sail::kMaxTitleLength);
  }
  return place;
}

std::string SdlWindows::trouble_of(size_t tile, const sail::DisplayStats::Window& place) const {
  const sail::TileInfo& info = tiles_[tile];
  if (const Output* output = find_output(outputs_, info.output)) {
    if (place.display != info.output) return other_output(info, place.display);
    // Elsewhere the window has the size of the output.
    std::string trouble = driver_ == "x11" ? output_trouble(info, *output) : "";
    if (!trouble.empty()) return trouble;
  }
  const bool places_known = driver_ != "wayland";  // Wayland hides window positions
  return window_trouble(info, place.rect, places_known);
}

sail::DisplayStats SdlWindows::stats() const {
  sail::DisplayStats stats{.driver = driver_};
  for (size_t i = 0; i < windows_.size(); ++i) {
    std::string trouble;
    if (window(i) == nullptr) {
      trouble = fmt::format("{} has no output {} for tile '{}'; it has {}", node_, tiles_[i].output,
                            tiles_[i].name, output_names(outputs_));
    } else {
      stats.windows.push_back(place_of(i));
      trouble = trouble_of(i, stats.windows.back());
    }
    if (stats.trouble.empty()) stats.trouble = sail::make_plain_text(trouble, sail::kMaxCloseText);
  }
  return stats;
}

SdlWindows::Window SdlWindows::make_window(const sail::TileInfo& tile, uint32_t flags) const {
  const std::string title = fmt::format("Vitrail {} tile {}", node_, tile.name);
  auto [x, y] = tile.window_at.value_or(std::pair(tile.wall_rect.x, tile.wall_rect.y));
  if (const Output* output = find_output(outputs_, tile.output)) {
    const auto index = static_cast<unsigned>(output - outputs_.data());
    const auto centred = static_cast<int>(SDL_WINDOWPOS_CENTERED_DISPLAY(index));
    x = driver_ == "x11" ? output->rect.x : centred;
    y = driver_ == "x11" ? output->rect.y : centred;
    // On KMS, a window that is not full screen sets the display's mode to its own resolution.
    if (driver_ == "wayland") flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
  }
  return Window(SDL_CreateWindow(title.c_str(), x, y, tile.resolution.width, tile.resolution.height,
                                 flags | SDL_WINDOW_BORDERLESS));
}

// SDL's KMS driver moves new windows to 0,0, so that the first display would show all (SDL 2.26).
void SdlWindows::put_on_output(size_t tile) const {
  const Output* const output = find_output(outputs_, tiles_[tile].output);
  if (driver_ != "KMSDRM" || output == nullptr) return;
  SDL_SetWindowPosition(window(tile), output->rect.x, output->rect.y);
}

sail::Result<void> SdlWindows::open(const std::vector<sail::TileInfo>& tiles, uint32_t flags) {
  windows_.clear();
  tiles_ = tiles;
  for (const sail::TileInfo& tile : tiles) {
    Window& window = windows_.emplace_back();
    if (!tile.output.empty() && find_output(outputs_, tile.output) == nullptr) continue;
    window = make_window(tile, flags);
    if (!window) {
      return sail::fail(sail::ErrorCode::kIo, fmt::format("cannot open a window for tile {}: {}",
                                                          tile.name, SDL_GetError()));
    }
    put_on_output(windows_.size() - 1);
  }
  SDL_ShowCursor(SDL_DISABLE);
  return {};
}

SDL_Surface* SdlWindows::surface(size_t tile) const {
  SDL_Surface* const surface = SDL_GetWindowSurface(window(tile));
  put_on_output(tile);  // SDL may have made the window again for a renderer
  return surface;
}

// Asks on another thread, because a busy display server would delay frames.
bool SdlWindows::outputs_changed() {
  const int64_t now_ns = sail::steady_now_ns();
  if (!looking_.valid()) {
    const bool wanted =
        std::ranges::any_of(tiles_, [](const auto& tile) { return !tile.output.empty(); });
    if (!wanted || now_ns < look_at_ns_) return false;
    looking_ = std::async(std::launch::async, reported_outputs, driver_);
    return false;
  }
  if (looking_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
  look_at_ns_ = now_ns + kLookEveryNs;
  return used(looking_.get(), tiles_) != used(reported_, tiles_);
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
  return outputs_changed() ? Display::Request::kReopen : request;
}

Display::Request SdlWindows::on_window_event(
    const SDL_WindowEvent& event,
    const std::function<Display::Request(size_t, Loss)>& on_loss) const {
  for (size_t tile = 0; tile < windows_.size(); ++tile) {
    if (windows_[tile] == nullptr || SDL_GetWindowID(window(tile)) != event.windowID) continue;
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
