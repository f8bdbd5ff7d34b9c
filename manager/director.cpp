#include "manager/director.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace manager {

Director::Director(const sail::Wall& wall, const WindowStack& windows)
    : windows_(windows), router_(wall) {}

void Director::receiver_joined(const std::string& name, const std::string& host, uint16_t port,
                               int64_t now_ns) {
  receivers_[name] = {.host = host, .port = port, .incarnation = ++incarnations_};
  router_.forget();  // maps name those that are connected
  layout_changed(now_ns);
}

void Director::receiver_left(const std::string& name, int64_t now_ns) {
  receivers_.erase(name);
  router_.forget();
  for (auto& [number, stream] : streams_) {
    stream.shown.leave(name);
    go_if_due(number, stream, now_ns);
    if (!stream.coming) continue;
    stream.coming->leave(name);
    if (transaction_ && (stream.coming->empty() || stream.coming->due())) {
      transaction_->settle(number);
    }
  }
  dirty_ = true;
  commit_if_complete(now_ns);
  begin_if_due(now_ns);
}

void Director::layout_changed(int64_t now_ns) {
  dirty_ = true;
  if (transaction_) {
    const std::set<uint32_t> waiting = transaction_->waiting();
    for (const uint32_t number : waiting) {
      if (windows_.find(number) == nullptr) transaction_->settle(number);
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

void Director::ready(const std::string& name, const sail::Ready& ready, int64_t now_ns) {
  const auto receiver = receivers_.find(name);
  const auto found = streams_.find(ready.stream);
  if (receiver == receivers_.end() || found == streams_.end()) return;
  // A peak that fades, so that one slow frame is remembered for about half a second.
  const int64_t faded = receiver->second.render_ns - receiver->second.render_ns / 16;
  receiver->second.render_ns = std::max(std::clamp<int64_t>(ready.render_ns, 0, kMaxLeadNs), faded);

  Stream& stream = found->second;
  if (stream.coming && ready.epoch == stream.coming->epoch()) {
    stream.coming->ready(name, ready.frame, now_ns);
    stream.silent = false;
    if (stream.coming->due()) transaction_->settle(ready.stream);
    commit_if_complete(now_ns);
    begin_if_due(now_ns);
  } else if (ready.epoch == stream.shown.epoch()) {
    stream.silent = false;
    if (stream.shown.ready(name, ready.frame, now_ns) == SwapBarrier::Arrival::kLate) {
      const int64_t at_ns = now_ns + lead_ns({name});
      orders_.push_back(SendGo{{name},
                               {.at_ns = at_ns,
                                .scene_epoch = 0,
                                .frames = {{ready.stream, ready.frame, ready.epoch}}}});
    }
    go_if_due(ready.stream, stream, now_ns);
  }
}

void Director::tick(int64_t now_ns) {
  for (auto& [number, stream] : streams_) {
    counters_.left_behind += stream.shown.expire(now_ns).size();
    go_if_due(number, stream, now_ns);
  }
  if (transaction_ && transaction_->timed_out(now_ns)) {
    ++counters_.layouts_timed_out;
    for (const uint32_t number : transaction_->waiting()) {
      Stream& stream = streams_.at(number);
      stream.silent = !stream.coming->heard();
    }
    commit(now_ns);
    begin_if_due(now_ns);
  }
}

std::optional<SwapBarrier::HeldUp> Director::take_held_up(uint32_t stream) {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return std::nullopt;
  return found->second.shown.take_held_up();
}

std::vector<Order> Director::take_orders() {
  return std::exchange(orders_, {});
}

// A transaction without streams to wait for is over at once, and the next may begin.
void Director::begin_if_due(int64_t now_ns) {
  if (!dirty_ || transaction_) return;
  dirty_ = false;
  ++epoch_;
  forget_closed_streams();
  const std::vector<Window>& windows = windows_.bottom_to_top();
  std::vector<sail::RoutedWindow> routed;
  routed.reserve(windows.size());
  for (const Window& window : windows) {
    routed.push_back({.window = window.stream,
                      .wall_rect = window.wall_rect,
                      .frame_size = window.frame_size,
                      .block_size = window.block_size,
                      .max_reduction = window.max_reduction,
                      .scaling = window.scaling,
                      .alpha = window.alpha});
  }
  std::vector<Order> routes;
  std::set<uint32_t> waits_for;
  for (const auto& [index, routing] : router_.update(std::move(routed))) {
    const Window& window = windows[index];
    Map map = connected_map(routing, window.wall_rect);
    const auto known = streams_.find(window.stream);
    if (known != streams_.end() && known->second.map == map) continue;
    const bool seen = !map.shares.empty();
    routes.push_back(change_map(window, std::move(map)));
    if (seen && !streams_.at(window.stream).silent) waits_for.insert(window.stream);
  }
  // The receivers hear of the scene before any application sends by it.
  orders_.push_back(send_scene());
  std::move(routes.begin(), routes.end(), std::back_inserter(orders_));
  transaction_.emplace(epoch_, std::move(waits_for), now_ns);
  commit_if_complete(now_ns);
}

void Director::forget_closed_streams() {
  std::vector<uint32_t> open;
  for (const Window& window : windows_.bottom_to_top()) open.push_back(window.stream);
  std::sort(open.begin(), open.end());
  std::erase_if(streams_, [&open](const auto& stream) {
    return !std::binary_search(open.begin(), open.end(), stream.first);
  });
}

SendScene Director::send_scene() {
  const sail::Scene before = std::exchange(scene_, scene());
  SendScene order{.receivers = {},
                  .scene = scene_,
                  .know_the_last = {},
                  .change = sail::scene_change(before, scene_)};
  for (auto& [name, receiver] : receivers_) {
    const bool knows = receiver.told_epoch != 0 && receiver.told_epoch == before.epoch;
    if (knows) order.know_the_last.push_back(name);
    order.receivers.push_back(name);
    receiver.told_epoch = epoch_;
  }
  return order;
}

Director::Map Director::connected_map(const sail::RoutingMap& routing,
                                      const sail::Rect& wall_rect) const {
  Map map{.wall_rect = wall_rect, .shares = {}};
  for (const sail::ReceiverBlocks& part : routing.receivers) {
    const auto it = receivers_.find(part.receiver);
    if (it == receivers_.end()) continue;
    map.shares.push_back({part.receiver, it->second.incarnation, part.reduction, part.blocks});
  }
  return map;
}

SendRoutes Director::change_map(const Window& window, Map map) {
  SendRoutes order{
      .owner = window.owner,
      .routes = {
          .stream = window.stream, .epoch = epoch_, .wall_rect = map.wall_rect, .routes = {}}};
  std::vector<std::string> members;
  for (const Share& share : map.shares) {
    const Receiver& receiver = receivers_.at(share.receiver);
    order.routes.routes.push_back(
        {share.receiver, receiver.host, receiver.port, share.blocks, share.reduction});
    members.push_back(share.receiver);
  }
  const auto [it, opened] = streams_.try_emplace(
      window.stream, Stream{.map = {}, .shown = SwapBarrier(0, {}), .coming = {}});
  it->second.map = std::move(map);
  it->second.coming.emplace(epoch_, members);
  return order;
}

sail::Scene Director::scene() const {
  sail::Scene scene{.epoch = epoch_, .windows = {}, .identify = identify_};
  for (const Window& window : windows_.bottom_to_top()) {
    const Stream& stream = streams_.at(window.stream);
    scene.windows.push_back({.window = window.stream,
                             .secret = window.secret,
                             .epoch = (stream.coming ? *stream.coming : stream.shown).epoch(),
                             .wall_rect = window.wall_rect,
                             .frame_size = window.frame_size,
                             .block_size = window.block_size,
                             .alpha = window.alpha,
                             .codec = window.codec});
  }
  return scene;
}

void Director::commit_if_complete(int64_t now_ns) {
  if (transaction_ && transaction_->complete()) commit(now_ns);
}

// The layout and the first frames of its new maps in one swap. Each receiver hears of its own
// frames, and only those that know the scene.
void Director::commit(int64_t now_ns) {
  std::map<std::string, std::vector<sail::Go::Frame>> frames_of;
  std::vector<std::string> everyone;
  for (const auto& [name, receiver] : receivers_) {
    if (receiver.told_epoch != transaction_->epoch()) continue;
    frames_of[name];
    everyone.push_back(name);
  }
  int64_t at_ns = now_ns + lead_ns(everyone);
  std::vector<Stream*> changed;
  for (auto& [number, stream] : streams_) {
    if (!stream.coming) continue;
    stream.shown = std::move(*stream.coming);
    stream.coming.reset();
    changed.push_back(&stream);
    at_ns = std::max(at_ns, stream.last_at_ns);
    const auto frame = stream.shown.take_due();
    if (!frame) continue;
    ++counters_.frames_swapped;
    for (const std::string& member : stream.shown.members()) {
      frames_of[member].push_back({number, *frame, stream.shown.epoch()});
    }
  }
  for (Stream* stream : changed) stream->last_at_ns = at_ns;
  for (auto& [name, frames] : frames_of) {
    orders_.push_back(SendGo{
        {name},
        {.at_ns = at_ns, .scene_epoch = transaction_->epoch(), .frames = std::move(frames)}});
  }
  ++counters_.layouts;
  transaction_.reset();
}

void Director::go_if_due(uint32_t number, Stream& stream, int64_t now_ns) {
  const auto frame = stream.shown.take_due();
  if (!frame) return;
  SendGo order{.receivers = stream.shown.members(), .go = {}};
  // Never before an older frame of the stream, though the receivers may have become quicker.
  stream.last_at_ns = std::max(now_ns + lead_ns(order.receivers), stream.last_at_ns);
  order.go = {.at_ns = stream.last_at_ns,
              .scene_epoch = 0,
              .frames = {{number, *frame, stream.shown.epoch()}}};
  ++counters_.frames_swapped;
  orders_.push_back(std::move(order));
}

int64_t Director::lead_ns(const std::vector<std::string>& receivers) const {
  int64_t render_ns = 0;
  for (const std::string& name : receivers) {
    const auto it = receivers_.find(name);
    if (it != receivers_.end()) render_ns = std::max(render_ns, it->second.render_ns);
  }
  return render_ns + kMessageLeadNs;
}

}  // namespace manager
