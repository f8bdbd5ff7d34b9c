#include "manager/wall/director.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace manager {

Director::Director(const sail::Wall& wall, const WindowStack& windows, int64_t spacing_ns)
    : windows_(windows), spacing_ns_(spacing_ns), lost_(wall.lost), maps_(wall) {}

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
  maps_.add_tile(name, view);
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
  if (!maps_.any_joined() && !returning_.has_waited()) wait_for_peers(now_ns);
}

void Director::recorder_left(const std::string& name, int64_t now_ns) {
  maps_.remove_tile(name);
  receiver_left(name, now_ns);
}

void Director::join(const std::string& name, StreamMaps::Destination destination, int64_t now_ns) {
  receivers_[name] = {.recorder = destination.recorder};
  if (destination.recorder == 0 && !maps_.any_counts()) returning_.receivers_are_back(now_ns);
  maps_.join(name, std::move(destination));
  layout_changed(now_ns);
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
    maps_.forget();
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

std::vector<std::string> Director::shown_by(uint32_t stream) const {
  std::vector<std::string> names;
  const auto known = streams_.find(stream);
  if (known == streams_.end()) return names;
  for (const Share& share : known->second.map.shares) {
    if (maps_.counts(share.receiver)) names.push_back(share.receiver);
  }
  return names;
}

bool Director::has_owner(uint32_t stream) const {
  const Window* window = windows_.find_stream(stream);
  return window != nullptr && window->owner_of(stream) != 0;
}

void Director::check_isolation(int64_t now_ns) {
  if (!maps_.any_joined() || maps_.any_counts() || !returning_.may_wait_again(now_ns)) return;
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
  maps_.leave(name);
  if (!maps_.any_counts()) returning_.receivers_are_gone(now_ns);
  for (const auto& [number, stream] : streams_) {
    const bool any_left =
        std::any_of(stream.map.shares.begin(), stream.map.shares.end(),
                    [this](const Share& share) { return maps_.counts(share.receiver); });
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
  if (!transaction_ || !changing_.contains(ready.stream) || ready.epoch != stream.epoch) return;
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

int64_t Director::spaced_ns(int64_t now_ns) const {
  return spaced_ ? std::max<int64_t>(next_begin_ns_ - now_ns, 1) : 0;
}

// A transaction that waits for no stream commits at once, and the next one may begin.
void Director::begin_if_due(int64_t now_ns) {
  spaced_ = dirty_ && !transaction_ && now_ns < next_begin_ns_;
  if (!dirty_ || transaction_ || spaced_ || waits_for_peers(now_ns)) return;
  if (returning_.may_be_isolated(now_ns, maps_.any_counts())) return;
  dirty_ = false;
  next_begin_ns_ = now_ns + spacing_ns_;
  ++epoch_;
  const std::vector<WindowStream> streams = streams_of(windows_.bottom_to_top());
  if (freezes_any(streams)) maps_.forget();
  std::vector<SendRoutes> routes;
  std::set<uint32_t> waits_for;
  for (auto& [stream, map] : maps_.update(streams)) {
    const auto known = streams_.find(stream->stream);
    if (known != streams_.end() && known->second.map == map) continue;
    if (resume_map(*stream, map)) continue;
    const bool seen = std::ranges::any_of(
        map.shares, [this](const Share& share) { return maps_.counts(share.receiver); });
    const bool silent = known != streams_.end() && known->second.silent;
    routes.push_back(change_map(*stream, std::move(map)));
    streams_.at(stream->stream).silent = silent;
    if (seen && !silent && stream->owner != 0) waits_for.insert(stream->stream);
  }
  if (streams_.size() > streams.size()) forget_closed_streams();
  returning_.forget();
  count_group_members(routes, waits_for);
  // Receivers get the scene before any application sends frames for it.
  orders_.push_back(send_scene(streams));
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
bool Director::freezes_any(const std::vector<WindowStream>& streams) {
  const auto is_frozen = [](const WindowStream& stream) { return stream.window->cover.frozen; };
  const bool any = std::ranges::any_of(streams, is_frozen);
  if (!std::exchange(any_frozen_, any) && !any) return false;
  return std::ranges::any_of(streams, [this](const WindowStream& stream) {
    const auto known = streams_.find(stream.stream);
    return known != streams_.end() && known->second.map.frozen != stream.window->cover.frozen;
  });
}

void Director::forget_closed_streams() {
  std::erase_if(streams_, [this](const auto& stream) {
    return windows_.find_stream(stream.first) == nullptr;
  });
}

SendScene Director::send_scene(const std::vector<WindowStream>& streams) {
  const sail::Scene before = std::exchange(scene_, scene(streams));
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

bool Director::resume_map(const WindowStream& stream, const Map& map) {
  const sail::Routes* resumed = returning_.resumed(stream.stream);
  if (resumed == nullptr) return false;
  const sail::Routes routes = maps_.routes_of(stream.stream, map, epoch_);
  if (resumed->wall_rect != routes.wall_rect || resumed->look != routes.look ||
      resumed->routes != routes.routes) {
    return false;
  }
  streams_[stream.stream] = {.owner = stream.owner, .map = map, .epoch = resumed->epoch};
  changing_.erase(stream.stream);
  return true;
}

SendRoutes Director::change_map(const WindowStream& stream, Map map) {
  SendRoutes order{.owner = stream.owner, .routes = maps_.routes_of(stream.stream, map, epoch_)};
  streams_[stream.stream] = {.owner = stream.owner, .map = std::move(map), .epoch = epoch_};
  changing_.insert(stream.stream);
  return order;
}

sail::Scene Director::scene(const std::vector<WindowStream>& streams) const {
  sail::Scene scene{.epoch = epoch_,
                    .windows = {},
                    .identify = identify_,
                    .pattern = pattern_,
                    .blanks = blanks_,
                    .fade_ms = fade_ms_};
  scene.windows.reserve(streams.size());
  for (const WindowStream& stream : streams) {
    if (stream.wall_rect.empty()) continue;
    const Window& window = *stream.window;
    const bool stands_in = lost_ == sail::LostWindow::kDark && (window.lost || window.no_signal());
    const bool blank = (blank_ && !window.covers_wall()) || window.cover.blank || stands_in;
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
  for (const uint32_t number : std::exchange(changing_, {})) {
    const auto known = streams_.find(number);
    if (known == streams_.end()) continue;
    const Stream& stream = known->second;
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
  for (const uint32_t number : changing_) {
    const auto known = streams_.find(number);
    if (known != streams_.end()) lead_ns = std::max(lead_ns, known->second.ready.lead_ns);
  }
  return std::min(lead_ns, sail::kMaxLeadNs + sail::kMessageLeadNs);
}

}  // namespace manager
