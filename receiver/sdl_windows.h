// The node's windows on its desktop, one a tile, and what a person does with them.
//
// Thread: the process's main thread, for everything. One object at a time in a process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "receiver/display.h"
#include "sail/base/result.h"
#include "sail/wire/control_messages.h"

struct SDL_Window;
struct SDL_WindowEvent;

namespace receiver {

class SdlWindows {
 public:
  struct Close {
    void operator()(SDL_Window* window) const;
  };
  using Window = std::unique_ptr<SDL_Window, Close>;

  // `node` is for the windows' titles. kUnavailable without a display; SDL's drivers that show
  // nothing count as one only when the environment asks for them.
  static sail::Result<std::shared_ptr<SdlWindows>> start(const std::string& node);
  ~SdlWindows();
  SdlWindows(const SdlWindows&) = delete;
  SdlWindows& operator=(const SdlWindows&) = delete;

  // Opens the tiles' windows, borderless, with these flags of SDL besides; those open before are
  // closed. kIo when the display refuses.
  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles, uint32_t flags);
  void close() { windows_.clear(); }
  SDL_Window* window(size_t tile) const { return windows_[tile].get(); }

  // The rate of the display that has most of the tile's window, by its mode; 0: unknown.
  int told_hz(size_t tile) const;

  // All that the desktop has, in its own coordinates.
  std::vector<sail::Rect> displays() const;

  enum class Loss {
    kShown,  // the desktop lost what it showed
    kSize,   // the window has another size
  };
  // Takes what came from the desktop; asks `on_loss` what to do about it.
  Display::Wish pump(const std::function<Display::Wish(size_t tile, Loss)>& on_loss);
  static constexpr int64_t kPumpEveryNs = 20'000'000;

 private:
  explicit SdlWindows(std::string node) : node_(std::move(node)) {}
  Display::Wish on_window_event(const SDL_WindowEvent& event,
                                const std::function<Display::Wish(size_t, Loss)>& on_loss) const;

  std::string node_;
  std::vector<Window> windows_;
};

}  // namespace receiver
