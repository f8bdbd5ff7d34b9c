// The part of Desk that shows layouts: sends the director's messages to receivers and applications.
#include <algorithm>
#include <utility>
#include <variant>

#include "manager/desk/desk.h"
#include "manager/peers/peers.h"
#include "sail/core/time/clock.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/rpc.h"

namespace manager {

void Desk::epoch_ready(const sail::EpochReady& ready) {
  director_.ready(ready, sail::steady_now_ns());
  carry_out_orders();
}

void Desk::receiver_measured(const std::string& receiver, const sail::ReceiverStats& stats) {
  director_.measured(receiver, static_cast<int64_t>(stats.render_peak_ms * 1e6));
}

void Desk::peer_fell_silent() {
  director_.peer_fell_silent(sail::steady_now_ns());
}

void Desk::receiver_changed(const ReceiverEntry& receiver) {
  const int64_t now_ns = sail::steady_now_ns();
  if (receiver.connected()) {
    for (const uint32_t stream : receiver.shown_streams) arrangement_.skip_number(stream);
    director_.receiver_joined(receiver.name, receiver.data_address(), now_ns,
                              {receiver.shown_epoch, receiver.shown_streams},
                              receiver.multicast ? Multicast::kYes : Multicast::kNo);
  } else {
    director_.receiver_left(receiver.name, now_ns);
  }
  carry_out_orders();
}

void Desk::recorder_joined(const std::string& name, const sail::Address& data,
                           const sail::TileView& view, uint64_t secret) {
  director_.recorder_joined(name, data, view, secret, sail::steady_now_ns());
  carry_out_orders();
}

void Desk::bridge_joined(const std::string& name, const sail::Address& data,
                         const std::vector<uint32_t>& windows, uint64_t secret) {
  director_.bridge_joined(name, data, windows, secret, sail::steady_now_ns());
  carry_out_orders();
}

void Desk::recorder_left(const std::string& name) {
  director_.recorder_left(name, sail::steady_now_ns());
  carry_out_orders();
}

void Desk::identify(bool on, double seconds) {
  identify_.stop();
  director_.set_identify(on, sail::steady_now_ns());
  changes_.switches_changed();
  carry_out_orders();
  if (!on || seconds <= 0) return;
  identify_.start(static_cast<int64_t>(seconds * 1000), 0, [this] { identify(false, 0); });
}

void Desk::calibrate(sail::TestPattern pattern, double seconds) {
  calibrate_.stop();
  director_.set_pattern(pattern, sail::steady_now_ns());
  changes_.switches_changed();
  carry_out_orders();
  if (pattern == sail::TestPattern::kOff || seconds <= 0) return;
  calibrate_.start(static_cast<int64_t>(seconds * 1000), 0,
                   [this] { calibrate(sail::TestPattern::kOff, 0); });
}

void Desk::resumed(const sail::Routes& routes) {
  director_.resume(routes, sail::steady_now_ns());
}

void Desk::update_layout() {
  director_.layout_changed(sail::steady_now_ns());
  carry_out_orders();
}

void Desk::tick() {
  const int64_t now_ns = sail::steady_now_ns();
  if (!absent_.empty() && !director_.waits_for_peers(now_ns)) {
    for (const auto& [owner, silent] : std::exchange(absent_, {})) owner_left(owner, silent);
  }
  if (arrangement_.anything_held()) {
    change([](Arrangement& arrangement) { arrangement.tick_holds(); });
  }
  director_.tick(now_ns);
  carry_out_orders();
}

void Desk::carry_out_orders() {
  for (const Order& order : director_.take_orders()) {
    std::visit([this](const auto& one) { execute(one); }, order);
  }
  if (spaced_) return;
  const int64_t wait_ns = director_.spaced_ns(sail::steady_now_ns());
  if (wait_ns == 0) return;
  spaced_ = true;
  spacing_.start(wait_ns / sail::kMillisecondNs + 1, 0, [this] {
    spaced_ = false;
    director_.tick(sail::steady_now_ns());
    carry_out_orders();
  });
}

void Desk::execute(const SendScene& order) {
  std::vector<std::string> know_the_last;
  std::vector<std::string> others;
  for (const std::string& name : order.receivers) {
    if (order.recorders.contains(name)) continue;
    (std::ranges::binary_search(order.know_the_last, name) ? know_the_last : others)
        .push_back(name);
  }
  if (!know_the_last.empty()) {
    peers_.send_line(know_the_last, sail::notification_line("scene_change", to_json(order.change)));
  }
  if (!others.empty()) {
    peers_.send_line(others, sail::notification_line("scene", to_json(order.scene)));
  }
  for (const auto& [name, secret] : order.recorders) notify_recorder(order, name, secret);
}

namespace {

std::optional<sail::WindowSource> source_of(const Window* window) {
  if (window == nullptr) return std::nullopt;
  const bool by_block = window->scaling == sail::Scaling::kBlock;
  return sail::WindowSource{.window = window->number,
                            .title = window->title,
                            .owner = window->owner_name,
                            .max_reduction = by_block ? window->max_reduction : 0};
}

}  // namespace

void Desk::notify_recorder(const SendScene& order, const std::string& name, uint64_t secret) {
  const auto send = [&](const char* method, auto scene) {
    for (sail::SceneWindow& window : scene.windows) {
      window.secret = secret;
      window.source = source_of(windows().find_stream(window.window));
    }
    peers_.send_line({name}, sail::notification_line(method, to_json(scene)));
  };
  if (std::ranges::binary_search(order.know_the_last, name)) {
    send("scene_change", order.change);
  } else {
    send("scene", order.scene);
  }
}

void Desk::execute(const SendRoutes& order) {
  sail::Routes routes = order.routes;
  for (sail::Route& route : routes.routes) {
    const std::string host = peers_.host_for(order.owner, route.receiver);
    if (!host.empty()) route.host = host;
  }
  peers_.notify(order.owner, "routes", to_json(routes));
}

void Desk::execute(const SendTakeEffect& order) {
  sail::TakeEffect taken = order.taken;
  taken.at_ns = clock_.to_wall_ns(taken.at_ns);
  peers_.notify(order.owner, "take_effect", to_json(taken));
}

void Desk::execute(const SendGo& order) {
  sail::Go go = order.go;
  go.at_ns = clock_.to_wall_ns(go.at_ns);
  peers_.send_line({order.receiver}, sail::notification_line("go", to_json(go)));
}

}  // namespace manager
