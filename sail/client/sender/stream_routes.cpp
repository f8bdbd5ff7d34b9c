#include "sail/client/sender/stream_routes.h"

#include <algorithm>
#include <utility>

namespace sail {

StreamRoutes::StreamRoutes(const Parts& parts, Handlers handlers)
    : parts_(parts), handlers_(std::move(handlers)) {}

Result<RoutePlan> StreamRoutes::plan_of(const Routes& routes) const {
  return make_route_plan(routes, parts_.shape, parts_.links.extra_reductions());
}

Result<void> StreamRoutes::set(const Routes& routes) {
  RouteHistory& history = parts_.history;
  auto map = plan_of(routes);
  if (!map) return std::move(map.error());
  const auto added = history.add(routes, *std::move(map), parts_.feed.newest().get());
  if (!added) return added.error();
  // Tiles show the stream by the previous map until the layout takes effect.
  const bool leaves = added->change == RouteHistory::Change::kLeave;
  const RoutePlan& newest = history.newest();
  // Call this before on_window, whose handler may query the queue.
  update_submit_queue(newest, leaves ? history.map() : newest);
  if (added->moved) handlers_.on_window(newest.wall_rect);
  if (added->change == RouteHistory::Change::kAtOnce) {
    follow_map();
  } else if (added->change == RouteHistory::Change::kNextFrame) {
    parts_.links.prepare(newest);
    request_frame();
  }
  return {};
}

void StreamRoutes::update_submit_queue(const RoutePlan& placed, const RoutePlan& shown) {
  parts_.submit_queue.set_window(placed.wall_rect, placed.picture, !shown.receivers.empty(),
                                 shown.wanted);
}

void StreamRoutes::request_frame() {
  parts_.submit_queue.admit_one_extra();
  handlers_.on_refresh();
}

void StreamRoutes::follow_map() {
  const RouteHistory& history = parts_.history;
  const RoutePlan& map = history.map();
  const FrameRef& newest = parts_.feed.newest();
  const std::vector<uint32_t> members = parts_.links.follow(map);
  parts_.swaps.follow(map.epoch, members, history.newest_routes().group_members);
  const bool covered = !newest || history.covers(*newest);
  parts_.ledger.route(map.epoch, static_cast<uint32_t>(members.size()), covered);
  handlers_.on_followed();
  const bool all_covered = !newest || std::ranges::all_of(map.receivers, [&](const auto& plan) {
    return plan->covered_by(*newest);
  });
  if (!all_covered) request_frame();
}

void StreamRoutes::take_next_map() {
  if (parts_.history.take_next()) return follow_map();
  parts_.links.follow_sizes(parts_.history.map());
}

void StreamRoutes::add(const EncodedFrame& frame) {
  const auto& next = parts_.history.next();
  if (next && frame.is_for(*next->wanted)) take_next_map();
}

void StreamRoutes::plan_again() {
  auto map = plan_of(parts_.history.newest_routes());
  // Without a receiver there is nobody to send smaller pictures to.
  if (!map || map->receivers.empty()) return;
  update_submit_queue(*map, *map);
  parts_.history.plan_again(*std::move(map));
}

void StreamRoutes::take_effect(const TakeEffect& taken) {
  // The manager did not wait for this stream.
  if (parts_.history.awaits_layout() && parts_.history.next()->epoch == taken.epoch) {
    update_submit_queue(*parts_.history.next(), *parts_.history.next());
    take_next_map();
  }
  parts_.swaps.take_effect(taken);
  parts_.history.take_effect(parts_.swaps.epoch());
  parts_.swaps.execute();
  parts_.swaps.check_recorders();
}

void StreamRoutes::roll_back() {
  StreamSwaps& swaps = parts_.swaps;
  if (!swaps.changing() && !parts_.history.awaits_layout()) {
    // A receiver that was away may not know the layout, and the manager cannot tell it any more.
    return parts_.links.show({.frame = 0, .epoch = swaps.epoch(), .at_ns = swaps.next_layout_ns()});
  }
  if (swaps.changing()) swaps.revert(parts_.feed.newest_number());
  parts_.history.roll_back();
  if (auto map = plan_of(parts_.history.newest_routes())) {
    update_submit_queue(*map, *map);
    parts_.history.follow(*std::move(map));
    follow_map();
  }
  swaps.execute();
  // Some frames were sent only by the other map.
  request_frame();
}

void StreamRoutes::restore_rolled_back() {
  const auto routes = parts_.history.take_rolled_back();
  if (!routes) return;
  if (!set(*routes)) return;
  take_effect({.stream = parts_.links.stream(),
               .epoch = routes->epoch,
               .frame = 0,
               .at_ns = parts_.swaps.next_layout_ns()});
}

std::optional<Resume> StreamRoutes::resume() {
  parts_.history.take_rolled_back();
  if (parts_.swaps.epoch() == 0) return std::nullopt;
  return Resume{.window = 0, .secret = parts_.links.secret(), .routes = parts_.history.in_effect()};
}

}  // namespace sail
