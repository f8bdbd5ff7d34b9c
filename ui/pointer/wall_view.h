// A UI client's view of the wall, updated from the manager's state and change notifications.
// Ignores invalid fields, so that another version of the manager does no harm. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/text/json.h"

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
  // Takes the answer of "subscribe".
  void reset(const sail::Json& state);
  // Takes the parameters of "changed".
  void apply(const sail::Json& changes);

  sail::Size size() const { return size_; }
  double pixel_pitch_mm() const { return pixel_pitch_mm_; }  // 0: unknown
  const ViewedWindow* find(uint32_t number) const;
  // Returns the topmost window at the point, or null.
  const ViewedWindow* at(const WallPoint& point) const;

 private:
  void remove(uint32_t number);
  void update(const sail::Json& windows);

  sail::Size size_;
  double pixel_pitch_mm_ = 0;
  std::map<uint32_t, ViewedWindow> windows_;
  std::vector<uint32_t> order_;  // bottom to top
};

}  // namespace ui
