#include "manager/wall/director.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace manager {

Director::Director(const sail::Wall& wall, const WindowStack& windows)
    : windows_(windows), wall_(wall), router_(wall_) {}

void Director::receiver_joined(const std::string& name, const sail::Address& data, int64_t now_ns,
                               const ShownBefore& shown, Multicast multicast) {
  skip_epochs(shown.epoch, now_ns);
  if (std::ranges::any_of(shown.streams, [this](uint32_t stream) { return !has_owner(stream); })) {
    check_isolation(now_ns);
  }
  if (waits_for_peers(now_ns)) returning_.expect(shown.streams, shown.epoch != 0);
  join(name, {.data = data, .multicast = multicast}, now_ns);
}

void Director::recorder_joined(const std::string& name, const sail::Address& data,
                               const sail::TileView& view, uint64_t secret, int64_t now_ns) {
  count_first_recorder(now_ns);
  wall_.receivers.push_back({.name = name, .host = {}});
  wall_.tiles.push_back(
      {.name = name, .receiver = name, .wall_rect = view.wall_rect, .resolution = view.upright});
  join(name, {.data = data, .recorder = secret}, now_ns);
}

void Director::bridge_joined(const std::string& name, const sail::Address& data,
                             std::vector<uint32_t> windows, uint64_t secret, int64_t now_ns) {
  count_first_recorder(now_ns);
  join(name, {.data = data, .recorder = secret, .whole = std::move(windows)}, now_ns);
}

// A recorder does not report what it shows. So the first peer to return starts the wait for the
// others, even if it is a recorder.
void Director::count_first_recorder(int64_t now_ns) {
  const bool is_first = incarnations_ == 0;
  if (is_first && !returning_.has_waited()) wait_for_peers(now_ns);
}

void Director::recorder_left(const std::string& name, int64_t now_ns) {
  std::erase_if(wall_.receivers, [&](const auto& place) { return place.name == name; });
  std::erase_if(wall_.tiles, [&](const sail::Tile& tile) { return tile.receiver == name; });
  receiver_left(name, now_ns);
}

void Director::join(const std::string& name, Receiver receiver, int64_t now_ns) {
  receiver.incarnation = ++incarnations_;
  if (receiver.recorder == 0 && !any_counts()) returning_.receivers_are_back(now_ns);
  receivers_[name] = std::move(receiver);
  router_.forget();  // Routing maps contain only connected receivers, so they must be recomputed.
  layout_changed(now_ns);
}

bool Director::counts(const std::string& receiver) const {
  const auto known = receivers_.find(receiver);
  return known != receivers_.end() && known->second.recorder == 0;
}

bool Director::any_counts() const {
  return std::ranges::any_of(receivers_, [this](const auto& one) { return counts(one.first); });
}

void Director::resume(const sail::Routes& routes, int64_t now_ns) {
  skip_epochs(routes.epoch, now_ns);
  if (!routes.routes.empty()) check_isolation(now_ns);
  if (waits_for_peers(now_ns)) {
    returning_.resume(routes);
  } else if (const auto known = streams_.find(routes.stream);
             known != streams_.end() && known->second.epoch != routes.epoch) {
    // Its application was away when the map changed.
    known->second.map = {};
    router_.forget();
  }
}

// Peers that come later with other epochs do not restart the wait.
void Director::skip_epochs(uint64_t epoch, int64_t now_ns) {
  if (epoch <= epoch_ || epoch > kMostKeptEpoch) return;
  epoch_ = epoch;
  if (!returning_.has_waited()) wait_for_peers(now_ns);
}

void Director::check_wall_clock(int64_t now_ns) {
  if (!returning_.stalled(now_ns)) return;
  std::vector<uint32_t> sending;
  for (const auto& [number, stream] : streams_) {
    if (!stream.map.shares.empty()) sending.push_back(number);
  }
  returning_.expect(sending, true);
  wait_for_peers(now_ns);
}

bool Director::has_owner(uint32_t stream) const {
  const Window* window = windows_.find_stream(stream);
  return window != nullptr && window->owner_of(stream) != 0;
}

void Director::check_isolation(int64_t now_ns) {
  const bool was_joined = incarnations_ > 0;
  if (!was_joined || any_counts() || !returning_.may_wait_again(now_ns)) return;
  wait_for_peers(now_ns);
}

// Drops a layout in progress: the peers that it concerns have forgotten it.
void Director::wait_for_peers(int64_t now_ns) {
  returning_.wait(now_ns);
  transaction_.reset();
  dirty_ = true;
}

void Director::receiver_left(const std::string& name, int64_t now_ns) {
  check_wall_clock(now_ns);
  receivers_.erase(name);
  if (!any_counts()) returning_.receivers_are_gone(now_ns);
  router_.forget();
  for (const auto& [number, stream] : streams_) {
    const bool any_left =
        std::any_of(stream.map.shares.begin(), stream.map.shares.end(),
                    [this](const Share& share) { return counts(share.receiver); });
    if (transaction_ && !any_left) transaction_->confirm(number);
  }
  dirty_ = true;
  commit_if_complete(now_ns);
  begin_if_due(now_ns);
}

void Director::layout_changed(int64_t now_ns) {
  dirty_ = true;
  returning_.end_when_all_are_back(
      now_ns, [this](const std::string& receiver) { return receivers_.contains(receiver); });
  if (transaction_) {
    const std::set<uint32_t> waiting = transaction_->waiting();
    for (const uint32_t number : waiting) {
      const Window* window = windows_.find_stream(number);
      if (window == nullptr || window->owner_of(number) == 0) transaction_->confirm(number);
    }
    commit_if_complete(now_ns);
  }
  begin_if_due(now_ns);
}

void Director::set_identify(bool on, int64_t now_ns) {
  if (identify_ == on) return;
  identify_ = on;
  layout_changed(now_ns);
}

void Director::set_pattern(sail::TestPattern pattern, int64_t now_ns) {
  if (pattern_ == pattern) return;
  pattern_ = pattern;
  layout_changed(now_ns);
}

void Director::ready(const sail::EpochReady& ready, int64_t now_ns) {
  const auto found = streams_.find(ready.stream);
  if (found == streams_.end()) return;
  Stream& stream = found->second;
  stream.silent = false;  // A frame of any epoch ends the silence.
  // Without a running transaction, the report is about a layout that was dropped.
  if (!transaction_ || !stream.changing || ready.epoch != stream.epoch) return;
  stream.ready = ready;
  transaction_->confirm(ready.stream);
  commit_if_complete(now_ns);
  begin_if_due(now_ns);
}

void Director::measured(const std::string& name, int64_t render_ns) {
  const auto receiver = receivers_.find(name);
  if (receiver == receivers_.end()) return;
  receiver->second.render_ns = std::clamp<int64_t>(render_ns, 0, sail::kMaxLeadNs);
}

void Director::tick(int64_t now_ns) {
  check_wall_clock(now_ns);
  returning_.tick(now_ns);
  begin_if_due(now_ns);
  if (!transaction_ || !transaction_->timed_out(now_ns)) return;
  ++counters_.layouts_timed_out;
  for (const uint32_t number : transaction_->waiting()) streams_.at(number).silent = true;
  commit(now_ns);
  begin_if_due(now_ns);
}

std::vector<Order> Director::take_orders() {
  return std::exchange(orders_, {});
}

// A transaction that waits for no stream commits at once, and the next one may begin.
void Director::begin_if_due(int64_t now_ns) {
  if (!dirty_ || transaction_ || waits_for_peers(now_ns)) return;
  if (returning_.may_be_isolated(now_ns, any_counts())) return;
  dirty_ = false;
  ++epoch_;
  forget_closed_streams();
  const std::vector<WindowStream> streams = streams_of(windows_.bottom_to_top());
  std::vector<SendRoutes> routes;
  std::set<uint32_t> waits_for;
  for (auto& [stream, map] : new_maps(streams)) {
    const auto known = streams_.find(stream->stream);
    if (known != streams_.end() && known->second.map == map) continue;
    if (resume_map(*stream, map)) continue;
    const bool seen = std::ranges::any_of(
        map.shares, [this](const Share& share) { return counts(share.receiver); });
    const bool silent = known != streams_.end() && known->second.silent;
    routes.push_back(change_map(*stream, std::move(map)));
    streams_.at(stream->stream).silent = silent;
    if (seen && !silent && stream->owner != 0) waits_for.insert(stream->stream);
  }
  returning_.forget();
  count_group_members(routes, waits_for);
  // Receivers get the scene before any application sends frames for it.
  orders_.push_back(send_scene());
  std::move(routes.begin(), routes.end(), std::back_inserter(orders_));
  transaction_.emplace(epoch_, std::move(waits_for), now_ns);
  commit_if_complete(now_ns);
}

// Group members that change together show the layout with frames of one instant.
void Director::count_group_members(std::vector<SendRoutes>& routes,
                                   const std::set<uint32_t>& waits_for) const {
  const auto group_of = [this](const SendRoutes& one) {
    const Window& window = *windows_.find_stream(one.routes.stream);
    return std::pair(window.group, window.group.empty() ? window.number : 0);
  };
  std::map<std::pair<std::string, uint32_t>, uint32_t> members;
  for (const SendRoutes& one : routes) {
    if (waits_for.contains(one.routes.stream)) ++members[group_of(one)];
  }
  for (SendRoutes& one : routes) {
    const uint32_t together = members[group_of(one)];
    if (together > 1) one.routes.group_members = together;
  }
}

// Whether a window is frozen, or shown again after that.
bool Director::freezes_any(const std::vector<WindowStream>& streams) const {
  return std::ranges::any_of(streams, [this](const WindowStream& stream) {
    const auto known = streams_.find(stream.stream);
    return known != streams_.end() && known->second.map.frozen != stream.window->cover.frozen;
  });
}

std::vector<Director::NewMap> Director::new_maps(const std::vector<WindowStream>& streams) {
  if (freezes_any(streams)) router_.forget();
  std::vector<NewMap> maps;
  std::vector<sail::RoutedWindow> routed;
  std::vector<const WindowStream*> routed_streams;
  routed.reserve(streams.size());
  for (const WindowStream& stream : streams) {
    const Window& window = *stream.window;
    if (stream.wall_rect.empty()) {
      maps.push_back({&stream, connected_map({}, window)});
      continue;
    }
    routed_streams.push_back(&stream);
    // Reduced frames have one size for all receivers.
    const bool keeps_size = window.scaling == sail::Scaling::kFrame && is_bridged(stream);
    routed.push_back({.window = stream.stream,
                      .wall_rect = stream.wall_rect,
                      .frame_size = stream.frame_size,
                      .block_size = window.block_size,
                      .max_reduction = keeps_size ? 0 : window.max_reduction,
                      .scaling = window.scaling,
                      .alpha = window.alpha,
                      .look = window.current_view_transform(),
                      .part = stream.part});
  }
  for (const auto& [index, routing] : router_.update(std::move(routed))) {
    const WindowStream& stream = *routed_streams[index];
    maps.push_back({&stream, connected_map(routing, *stream.window)});
    add_bridges(maps.back().map, stream);
  }
  return maps;
}

bool Director::Receiver::gets_whole(const WindowStream& stream) const {
  if (!whole || stream.part) return false;
  return whole->empty() || std::ranges::find(*whole, stream.window->number) != whole->end();
}

bool Director::is_bridged(const WindowStream& stream) const {
  return std::ranges::any_of(
      receivers_, [&](const auto& receiver) { return receiver.second.gets_whole(stream); });
}

void Director::add_bridges(Map& map, const WindowStream& stream) const {
  const Window& window = *stream.window;
  const sail::BlockGrid grid =
      sail::reduced_grid(stream.frame_size, window.block_size, 0, window.scaling);
  for (const auto& [name, receiver] : receivers_) {
    if (!receiver.gets_whole(stream)) continue;
    map.shares.push_back({name, receiver.incarnation, 0, {{0, 0, grid.columns(), grid.rows()}}});
  }
}

void Director::forget_closed_streams() {
  std::erase_if(streams_, [this](const auto& stream) {
    return windows_.find_stream(stream.first) == nullptr;
  });
}

SendScene Director::send_scene() {
  const sail::Scene before = std::exchange(scene_, scene());
  fade_ms_ = 0;
  SendScene order{.receivers = {},
                  .scene = scene_,
                  .know_the_last = {},
                  .change = sail::scene_change(before, scene_),
                  .recorders = {}};
  for (auto& [name, receiver] : receivers_) {
    const bool knows = receiver.last_sent_epoch != 0 && receiver.last_sent_epoch == before.epoch;
    if (knows) order.know_the_last.push_back(name);
    order.receivers.push_back(name);
    if (receiver.recorder != 0) order.recorders.emplace(name, receiver.recorder);
    receiver.last_sent_epoch = epoch_;
  }
  return order;
}

Director::Map Director::connected_map(const sail::RoutingMap& routing, const Window& window) const {
  Map map{.wall_rect = window.wall_rect,
          .look = window.current_view_transform(),
          .frozen = window.cover.frozen,
          .shares = {}};
  for (const sail::ReceiverBlocks& part : routing.receivers) {
    const auto it = receivers_.find(part.receiver);
    if (it == receivers_.end()) continue;
    map.shares.push_back({part.receiver, it->second.incarnation, part.reduction, part.blocks});
  }
  return map;
}

sail::Routes Director::routes_of(uint32_t stream, const Map& map) const {
  sail::Routes routes{.stream = stream,
                      .epoch = epoch_,
                      .wall_rect = map.wall_rect,
                      .routes = {},
                      .look = map.look};
  for (const Share& share : map.shares) {
    const Receiver& receiver = receivers_.at(share.receiver);
    routes.routes.push_back({share.receiver, receiver.data.host, receiver.data.port, share.blocks,
                             share.reduction, receiver.data.certificate, receiver.recorder,
                             wall_.multicast && receiver.multicast == Multicast::kYes});
  }
  return routes;
}

bool Director::resume_map(const WindowStream& stream, const Map& map) {
  const sail::Routes* resumed = returning_.resumed(stream.stream);
  if (resumed == nullptr) return false;
  const sail::Routes routes = routes_of(stream.stream, map);
  if (resumed->wall_rect != routes.wall_rect || resumed->look != routes.look ||
      resumed->routes != routes.routes) {
    return false;
  }
  streams_[stream.stream] = {.owner = stream.owner, .map = map, .epoch = resumed->epoch};
  return true;
}

SendRoutes Director::change_map(const WindowStream& stream, Map map) {
  SendRoutes order{.owner = stream.owner, .routes = routes_of(stream.stream, map)};
  streams_[stream.stream] = {
      .owner = stream.owner, .map = std::move(map), .epoch = epoch_, .changing = true};
  return order;
}

sail::Scene Director::scene() const {
  sail::Scene scene{.epoch = epoch_,
                    .windows = {},
                    .identify = identify_,
                    .pattern = pattern_,
                    .blanks = blanks_,
                    .fade_ms = fade_ms_};
  for (const WindowStream& stream : streams_of(windows_.bottom_to_top())) {
    if (stream.wall_rect.empty()) continue;
    const Window& window = *stream.window;
    const bool stands_in =
        wall_.lost == sail::LostWindow::kDark && (window.lost || window.no_signal());
    const bool blank = blank_ || window.cover.blank || stands_in;
    scene.windows.push_back(
        {.window = stream.stream,
         .secret = stream.secret,
         .epoch = streams_.at(stream.stream).epoch,
         .wall_rect = stream.wall_rect,
         .frame_size = stream.frame_size,
         .block_size = window.block_size,
         .alpha = window.alpha,
         .codec = window.codec,
         .look = blank ? sail::ViewTransform() : window.current_view_transform(),
         .part = stream.part,
         .dark = stream.dark || blank,
         .frozen = window.cover.frozen});
  }
  return scene;
}

void Director::commit_if_complete(int64_t now_ns) {
  if (transaction_ && transaction_->complete()) commit(now_ns);
}

// Shows the layout and the first frames of its new maps in one swap. Applications are notified
// first: should this manager fail in between, their frames still match what the receivers show. A
// receiver gets only its own frames, and only if it has the scene.
void Director::commit(int64_t now_ns) {
  const uint64_t epoch = transaction_->epoch();
  const int64_t at_ns = now_ns + lead_ns();
  std::map<std::string, std::vector<sail::Go::Frame>> frames_of;
  for (const auto& [name, receiver] : receivers_) {
    if (receiver.last_sent_epoch == epoch) frames_of[name];
  }
  for (auto& [number, stream] : streams_) {
    if (!std::exchange(stream.changing, false)) continue;
    const uint64_t frame = stream.ready.frame;
    orders_.push_back(SendTakeEffect{stream.owner, {number, stream.epoch, frame, at_ns}});
    if (frame == 0) continue;
    for (const Share& share : stream.map.shares) {
      const auto frames = frames_of.find(share.receiver);
      if (frames != frames_of.end()) frames->second.push_back({number, frame, stream.epoch});
    }
  }
  for (auto& [name, frames] : frames_of) {
    orders_.push_back(
        SendGo{name, {.at_ns = at_ns, .scene_epoch = epoch, .frames = std::move(frames)}});
  }
  ++counters_.layouts;
  transaction_.reset();
}

// The lead time that the slowest receiver or stream needs. The application of a stream with a
// pending frame knows its own lead time best.
int64_t Director::lead_ns() const {
  int64_t lead_ns = 0;
  for (const auto& [name, receiver] : receivers_) lead_ns = std::max(lead_ns, receiver.render_ns);
  lead_ns += sail::kMessageLeadNs;
  for (const auto& [number, stream] : streams_) {
    if (stream.changing) lead_ns = std::max(lead_ns, stream.ready.lead_ns);
  }
  return std::min(lead_ns, sail::kMaxLeadNs + sail::kMessageLeadNs);
}

}  // namespace manager
