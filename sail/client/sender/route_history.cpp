#include "sail/client/sender/route_history.h"

#include <utility>

namespace sail {

void RouteHistory::clear() {
  routed_ = false;
  rolled_back_.reset();
  next_.reset();
}

Result<RouteHistory::Added> RouteHistory::add(const Routes& routes, RoutePlan map,
                                              const EncodedFrame* newest) {
  const RoutePlan& last = this->newest();
  if (routed_ && map.epoch <= last.epoch) {
    return fail(ErrorCode::kInvalidParams, "routes: the epoch must be greater than the last one");
  }
  const bool placed = last.epoch != 0;
  Added added{.moved = placed && (map.wall_rect != last.wall_rect || map.picture != last.picture)};
  rolled_back_.reset();
  newest_routes_ = routes;
  if (routed_ && map.receivers.empty()) {
    added.change = Change::kLeave;
  } else if (routed_ && newest != nullptr && !map.covered_by(*newest)) {
    added.change = Change::kNextFrame;
  }
  if (added.change == Change::kAtOnce) {
    follow(std::move(map));
  } else {
    next_ = std::move(map);
  }
  return added;
}

void RouteHistory::follow(RoutePlan map) {
  map_ = std::move(map);
  next_.reset();
  routed_ = true;
}

bool RouteHistory::take_next() {
  const bool other_layout = awaits_layout();
  map_ = *std::exchange(next_, std::nullopt);
  return other_layout;
}

void RouteHistory::take_effect(uint64_t epoch) {
  if (newest_routes_.epoch == epoch) in_effect_ = newest_routes_;
}

void RouteHistory::roll_back() {
  rolled_back_ = std::exchange(newest_routes_, in_effect_);
}

std::optional<Routes> RouteHistory::take_rolled_back() {
  return std::exchange(rolled_back_, std::nullopt);
}

}  // namespace sail
