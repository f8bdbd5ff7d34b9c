// The node's windows on its desktop, one per tile, and their events.
//
// Thread: the process's main thread only. One instance per process.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "receiver/display/display.h"
#include "receiver/display/outputs.h"
#include "sail/core/base/result.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/stats.h"

struct SDL_Surface;
struct SDL_Window;
struct SDL_WindowEvent;

namespace receiver {

class SdlWindows {
 public:
  struct Close {
    void operator()(SDL_Window* window) const;
  };
  using Window = std::unique_ptr<SDL_Window, Close>;

  // Returns true if the environment names a display: DISPLAY, WAYLAND_DISPLAY or SDL_VIDEODRIVER.
  static bool requested();
  // `node`: for the window titles. Returns kUnavailable without a display. SDL drivers without
  // output, and those that take a console, count as a display only if SDL_VIDEODRIVER selects them.
  static sail::Result<std::shared_ptr<SdlWindows>> start(const std::string& node);
  ~SdlWindows();
  SdlWindows(const SdlWindows&) = delete;
  SdlWindows& operator=(const SdlWindows&) = delete;

  // Opens borderless windows for the tiles, with these additional SDL flags, and closes those
  // opened before. Tiles whose output is missing get none. Returns kIo if the display refuses.
  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles, uint32_t flags);
  void close() { windows_.clear(); }
  // Null if the tile's output is missing.
  SDL_Window* window(size_t tile) const { return windows_[tile].get(); }
  // The pixels of a window that exists, until its size changes; null: SDL_GetError() says why.
  SDL_Surface* surface(size_t tile) const;

  // Returns the refresh rate (Hz) of the display with most of the tile's window; 0: unknown.
  int reported_hz(size_t tile) const;

  // Returns the driver, the places of the tiles' windows, and how these differ from the request.
  sail::DisplayStats stats() const;

  // Returns the outputs with a display.
  const std::vector<Output>& outputs() const { return outputs_; }

  enum class Loss {
    kShown,  // the desktop lost the window's content
    kSize,   // the size of the window changed
  };
  // Handles pending desktop events, and looks for changed outputs once a second. `on_loss` returns
  // what to do about a loss.
  Display::Request pump(const std::function<Display::Request(size_t tile, Loss)>& on_loss);
  static constexpr int64_t kPumpEveryNs = 20'000'000;

 private:
  explicit SdlWindows(std::string node);
  Window make_window(const sail::TileInfo& tile, uint32_t flags) const;
  void put_on_output(size_t tile) const;
  sail::DisplayStats::Window place_of(size_t tile) const;
  std::string trouble_of(size_t tile, const sail::DisplayStats::Window& place) const;
  bool outputs_changed();
  Display::Request on_window_event(
      const SDL_WindowEvent& event,
      const std::function<Display::Request(size_t, Loss)>& on_loss) const;

  std::string node_;
  std::string driver_;
  std::vector<ReportedOutput> reported_;  // when the display was opened
  std::vector<Output> outputs_;
  std::future<std::vector<ReportedOutput>> looking_;
  int64_t look_at_ns_ = 0;
  std::vector<sail::TileInfo> tiles_;
  std::vector<Window> windows_;  // one for each of tiles_; null: its output is missing
};

// Returns true if $WAYLAND_DISPLAY has a mouse, keyboard or touch device. Also true if no display
// answers; opening it will report the error.
bool wayland_has_seat();

}  // namespace receiver
