// Routing maps kept up to date while windows come, go, move and change places in the stack: only
// those are made again that may have changed. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "sail/wall/routing.h"

namespace sail {

class Router {
 public:
  // The wall must outlive this.
  explicit Router(const Wall& wall) : wall_(wall) {}

  struct Routed {
    size_t index = 0;  // of the window in what was given
    RoutingMap map;    // as route() makes it
  };
  // windows: all of them, bottom to top; their numbers differ. The result, which is in order, has
  // every window whose map differs from the one after the call before, and may have others.
  std::vector<Routed> update(std::vector<RoutedWindow> windows);
  // The next update() makes all maps.
  void forget() { windows_.clear(); }

 private:
  std::vector<size_t> may_differ(const std::vector<RoutedWindow>& windows) const;

  const Wall& wall_;
  std::vector<RoutedWindow> windows_;  // of the last update()
};

}  // namespace sail
