// The windows on the wall, bottom to top, and the bounds that each must keep. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/wall/block_grid.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/playback.h"

namespace manager {

struct Window {
  uint32_t number = 0;  // also of its stream; from 1, never used twice
  std::string title;
  uint64_t owner = 0;      // the application's session
  std::string owner_name;  // and what it calls itself
  std::string codec;
  bool alpha = false;     // its codec has alpha: windows beneath it are seen through it
  int max_reduction = 0;  // how often its pictures can be halved when it is shown smaller
  sail::Scaling scaling = sail::Scaling::kFrame;
  sail::Size frame_size;
  sail::Size block_size;
  sail::Transport transport = sail::Transport::kTcp;
  uint64_t secret = 0;
  sail::Rect wall_rect;
  std::optional<sail::StreamStats> stats;     // the last that came
  bool takes_input = false;                   // its application reads pointer, keys and touches
  std::optional<sail::Content> told_content;  // what its application says is in it
  std::optional<sail::Playback> playback;     // and how that plays
};

class WindowStack {
 public:
  // On top of the others, or of `beneath`, one of them; under the next number. kLimit: there are
  // kMaxWindows.
  sail::Result<Window*> open(Window window, const Window* beneath = nullptr);
  bool remove(uint32_t number);

  // Null when there is none. Pointers last until the next open, remove, raise or lower.
  Window* find(uint32_t number);
  const Window* find(uint32_t number) const;
  const std::vector<Window>& bottom_to_top() const { return windows_; }
  std::vector<uint32_t> owned_by(uint64_t owner) const;

  // False: it is there already.
  bool raise(uint32_t number);
  bool lower(uint32_t number);

 private:
  std::vector<Window>::iterator at(uint32_t number);

  std::vector<Window> windows_;
  uint32_t next_number_ = 1;
};

// kLimit when a window may not stand there: side or offset out of bounds. Sides are in 64 bits, so
// that callers can compute them without care.
struct WideRect {
  int64_t x = 0;
  int64_t y = 0;
  int64_t width = 0;
  int64_t height = 0;
};
sail::Result<sail::Rect> window_place(const WideRect& place);

}  // namespace manager
