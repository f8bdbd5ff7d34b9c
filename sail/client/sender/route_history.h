// Knows which routing map a stream's frames follow. Keeps the newest routes, the routes in effect,
// and the map that comes next. Pure.
//
// A new map is followed at once if the newest frame has all blocks that the map shows. Otherwise
// frames follow the previous map until a frame arrives that was encoded for the new map. If no
// receiver shows the stream in the new map, frames follow the previous map until the layout takes
// effect.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "sail/client/encode/encoded_frame.h"
#include "sail/client/transport/route_plan.h"
#include "sail/core/base/result.h"
#include "sail/core/wire/application_messages.h"

namespace sail {

class RouteHistory {
 public:
  enum class Change {
    kAtOnce,     // map() is the new map
    kNextFrame,  // the new map waits for a frame with its blocks
    kLeave,      // the new map has no receivers and waits until it takes effect
  };
  struct Added {
    Change change = Change::kAtOnce;
    // The window was moved or resized after its first position was known.
    bool moved = false;
  };

  // There is no map until the next add(). The routes in effect are kept.
  void clear();

  // Adds the manager's newest routes and their map. newest: the newest frame, or null. Returns an
  // error and changes nothing if the epoch does not grow.
  Result<Added> add(const Routes& routes, RoutePlan map, const EncodedFrame* newest);
  // The newest routes are planned again, for frames submitted from now on.
  void plan_again(RoutePlan map) { next_ = std::move(map); }
  // Follows this map at once.
  void follow(RoutePlan map);
  // Follows the next map. Returns true if the next map belongs to another layout.
  bool take_next();

  // The routes of this epoch are in effect.
  void take_effect(uint64_t epoch);
  // The manager is lost: the routes in effect are the newest again. The pending routes are kept,
  // because the manager may have informed others that they are in effect.
  void roll_back();
  // Returns the routes that roll_back() gave up, once; empty if there are none.
  std::optional<Routes> take_rolled_back();

  bool routed() const { return routed_; }
  // The map that frames follow. Only if routed().
  const RoutePlan& map() const { return map_; }
  // The map for frames still to come: of the same layout, or of the coming one.
  const std::optional<RoutePlan>& next() const { return next_; }
  const RoutePlan& newest() const { return next_ ? *next_ : map_; }
  const Routes& newest_routes() const { return newest_routes_; }
  const Routes& in_effect() const { return in_effect_; }
  bool awaits_layout() const { return next_ && next_->epoch != map_.epoch; }
  // Returns true if `frame` has all blocks of the newest map, so it can be the first frame sent by
  // this map.
  bool covers(const EncodedFrame& frame) const { return !routed_ || map_.covered_by(frame); }

 private:
  bool routed_ = false;   // there is a map since clear()
  Routes newest_routes_;  // the routes of next_, or else of map_
  Routes in_effect_;
  std::optional<Routes> rolled_back_;
  RoutePlan map_;
  std::optional<RoutePlan> next_;
};

}  // namespace sail
