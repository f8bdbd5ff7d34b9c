// What a UI client knows of the wall: kept up to date from the manager's state and changes. What a
// manager of another version says, and nobody here expects, reads as nothing. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/wire/json.h"

namespace ui {

struct WallPoint {  // wall pixels
  double x = 0;
  double y = 0;
  bool operator==(const WallPoint&) const = default;
};

struct ViewedWindow {
  uint32_t number = 0;
  sail::Rect wall_rect;
  bool locked = false;
  bool maximised = false;
  bool takes_input = false;
};

class WallView {
 public:
  // The answer of "subscribe".
  void reset(const sail::Json& state);
  // The params of "changed".
  void apply(const sail::Json& changes);

  sail::Size size() const { return size_; }
  double pixel_pitch_mm() const { return pixel_pitch_mm_; }  // 0: unknown
  const ViewedWindow* find(uint32_t number) const;
  // The topmost there; null when there is none.
  const ViewedWindow* at(const WallPoint& point) const;

 private:
  void update(const sail::Json& windows);

  sail::Size size_;
  double pixel_pitch_mm_ = 0;
  std::map<uint32_t, ViewedWindow> windows_;
  std::vector<uint32_t> order_;  // bottom to top
};

}  // namespace ui
