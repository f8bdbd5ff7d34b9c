// Keeps routing maps up to date while windows open, close, move and change in z-order: only maps
// that may have changed are computed again. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "sail/core/routing/routing.h"

namespace sail {

class Router {
 public:
  // The wall must outlive the Router.
  explicit Router(const Wall& wall) : wall_(wall) {}

  struct Routed {
    size_t index = 0;  // index of the window in the argument
    RoutingMap map;    // as computed by route()
  };
  // windows: all windows, bottom to top, with unique numbers. The result, in the same order,
  // contains every window whose map differs from the last call, and may contain others.
  std::vector<Routed> update(std::vector<RoutedWindow> windows);
  // Makes the next update() compute all maps.
  void forget() { windows_.clear(); }

 private:
  std::vector<size_t> may_differ(const std::vector<RoutedWindow>& windows) const;

  const Wall& wall_;
  std::vector<RoutedWindow> windows_;  // argument of the last update()
};

}  // namespace sail
