// Maps pointer, touch and keyboard input on a still to zoom, pan and page commands. Pure.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "sail/apps/show/shown_page.h"

namespace sail {

class StillControls {
 public:
  // Number of pages to turn by, or the page to turn to (from 1, or kLastPage).
  struct Turn {
    int by = 0;
    std::optional<int> to;
  };
  static constexpr int kLastPage = INT32_MAX;

  // Applies zoom and pan at once. The caller must turn the page.
  Turn obey(const sail_input& input, PageZoom& zoom);
  // Returns true while a user drags the picture.
  bool dragging() const { return !held_.empty(); }

 private:
  struct Point {
    double x = 0;
    double y = 0;
  };
  // The client and its finger, or kPointer for its mouse.
  using Holder = std::pair<uint32_t, int32_t>;
  static constexpr int32_t kPointer = -1;
  static constexpr size_t kMostHolders = 64;

  static Point point_of(const sail_input& input, const PageZoom& zoom);
  void hold(const Holder& holder, const sail_input& input);
  void drag(const Holder& holder, const sail_input& input, PageZoom& zoom);
  void let_go(uint32_t client);
  static Turn press(const sail_input& input, PageZoom& zoom);

  std::map<Holder, Point> held_;
};

}  // namespace sail
