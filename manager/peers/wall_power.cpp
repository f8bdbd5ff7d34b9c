#include "manager/peers/wall_power.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "manager/peers/peers.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

using sail::PowerOrder;
using sail::PowerState;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

sail::TilePower unknown(const std::string& tile, std::string_view why) {
  return {tile, PowerState::kUnknown, sail::make_plain_text(why, sail::kMaxTitleLength)};
}

bool is_moving(PowerState state) {
  return state == PowerState::kWarming || state == PowerState::kCooling;
}

}  // namespace

// Replies when all receivers have answered: each question holds a reference.
struct WallPower::Gathering {
  sail::RpcPeer::Reply reply;
  sail::Json displays = sail::Json::array();

  void add(const std::string& receiver, const Tiles& tiles) {
    for (const sail::TilePower& tile : tiles) {
      sail::Json display = to_json(tile);
      display["receiver"] = receiver;
      displays.push_back(std::move(display));
    }
  }
  ~Gathering() {
    if (!displays.empty()) {
      std::sort(displays.begin(), displays.end(),
                [](const auto& a, const auto& b) { return a["tile"] < b["tile"]; });
      reply(sail::Json{{"displays", std::move(displays)}});
      return;
    }
    reply(sail::fail(sail::ErrorCode::kUnavailable,
                     "no display of this wall can be turned on or off: see \"power\" in "
                     "sail/core/wall/README.md"));
  }
};

WallPower::WallPower(sail::Loop& loop, Peers& peers, const Times& times, PendingPower kept,
                     std::function<void()> on_changed, const sail::Log& log)
    : peers_(peers),
      times_(times),
      kept_(std::move(kept)),
      on_changed_(std::move(on_changed)),
      log_(log),
      timer_(loop) {}

void WallPower::resume() {
  const auto orders = kept_.load();
  if (!orders) {
    return log_.warning("the orders to displays of the former manager are unknown: {}",
                        orders.error().message);
  }
  for (const auto& [tile, kept] : *orders) {
    const sail::Tile* known = peers_.wall().find_tile(tile);
    if (known == nullptr) continue;
    if (kept.idle) {
      log_.info("the former manager turned display '{}' off because nothing was shown", tile);
    } else {
      log_.info("display '{}' had not turned {} when the former manager ended: the order continues",
                tile, sail::kPowerOrders.word(kept.order));
    }
    record(known->receiver, {kept.order, kept.idle},
           {unknown(tile, "not asked since the former manager's order")});
  }
  if (!pending_.empty()) timer_.start(times_.poll_ms, times_.poll_ms, [this] { poll(); });
}

sail::Result<void> WallPower::check(const Selection& selection) const {
  for (const std::string& node : selection.nodes) {
    if (peers_.receivers().find(node) != nullptr) continue;
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("the wall has no receiver '{}'; its receivers are {}", node,
                                  peers_.receivers().names()));
  }
  for (const std::string& tile : selection.tiles) {
    if (peers_.wall().find_tile(tile) != nullptr) continue;
    return sail::fail(sail::ErrorCode::kNotFound, fmt::format("the wall has no tile '{}'", tile));
  }
  return {};
}

std::vector<std::string> WallPower::expected(const std::string& receiver,
                                             const Selection& selection) const {
  const sail::NodePower controls = node_power(peers_.wall(), receiver);
  const ReceiverEntry& entry = *peers_.receivers().find(receiver);
  const bool all = selection.nodes.empty() && selection.tiles.empty();
  const bool whole_node = contains(selection.nodes, receiver);
  std::vector<std::string> tiles;
  for (const sail::Tile& tile : peers_.wall().tiles) {
    if (tile.receiver != receiver) continue;
    const bool controlled = controls.find(tile.name) != nullptr || entry.power.contains(tile.name);
    if (whole_node || contains(selection.tiles, tile.name) || (all && controlled)) {
      tiles.push_back(tile.name);
    }
  }
  return tiles;
}

void WallPower::run(PowerOrder order, const Selection& selection,
                    const sail::RpcPeer::Reply& reply) {
  run(Order{order}, selection, reply);
}

void WallPower::idle() {
  Selection selection;
  for (const ReceiverEntry& receiver : peers_.receivers().all()) {
    for (const std::string& tile : expected(receiver.name, {})) {
      const auto known = receiver.power.find(tile);
      const bool is_off = known != receiver.power.end() &&
                          known->second.wanted.value_or(PowerOrder::kStatus) != PowerOrder::kOn &&
                          (known->second.wanted || known->second.state == PowerState::kOff);
      if (!is_off) selection.tiles.push_back(tile);
    }
  }
  if (selection.tiles.empty()) return;
  log_.info("nothing is shown: turning {} displays off", selection.tiles.size());
  run(Order{PowerOrder::kOff, true}, selection, [](const auto& /*displays*/) {});
}

void WallPower::wake() {
  for (const ReceiverEntry& receiver : peers_.receivers().all()) {
    Tiles tiles;
    for (const auto& [tile, power] : receiver.power) {
      if (power.idle) tiles.push_back({tile, power.state, power.why});
    }
    if (tiles.empty()) continue;
    log_.info("a window is shown: turning {} displays of receiver '{}' on", tiles.size(),
              receiver.name);
    // Before the receiver answers, so that nobody wakes them twice. poll() sends the order.
    record(receiver.name, {PowerOrder::kOn}, tiles);
  }
  timer_.start(0, times_.poll_ms, [this] { poll(); });
}

bool WallPower::is_idle() const {
  return std::ranges::any_of(peers_.receivers().all(), [](const ReceiverEntry& receiver) {
    return std::ranges::any_of(receiver.power, [](const auto& tile) { return tile.second.idle; });
  });
}

void WallPower::run(Order order, const Selection& selection, const sail::RpcPeer::Reply& reply) {
  if (const auto known = check(selection); !known) return reply(known.error());
  const auto gathering = std::make_shared<Gathering>();
  gathering->reply = reply;
  const bool all = selection.nodes.empty() && selection.tiles.empty();
  for (const ReceiverEntry& receiver : peers_.receivers().all()) {
    const std::vector<std::string> tiles = expected(receiver.name, selection);
    // Receivers that were started by hand may have controls that the wall file does not name.
    if (tiles.empty() && (!all || !receiver.connected())) continue;
    sail::PowerRequest request{.order = order.order};
    if (!all && !contains(selection.nodes, receiver.name)) request.tiles = tiles;
    ask(receiver.name, request, tiles,
        [this, gathering, order, name = receiver.name](const Answered& answered) {
          gathering->add(name, answered.tiles);
          gathering->add(name, answered.uncontrolled);
          record(name, order, answered.tiles);
          timer_.start(times_.poll_ms, times_.poll_ms, [this] { poll(); });
        });
  }
}

void WallPower::ask(const std::string& receiver, const sail::PowerRequest& request,
                    const std::vector<std::string>& expected, const Done& done) {
  sail::ServicePeer* peer = peers_.receiver(receiver);
  if (peer == nullptr) {
    return done(answered(receiver,
                         sail::fail(sail::ErrorCode::kUnavailable,
                                    fmt::format("receiver '{}' is not connected", receiver)),
                         expected));
  }
  peer->rpc().call(
      sail::PowerRequest::kMethod, to_json(request),
      [this, receiver, expected, done](const sail::Result<sail::Json>& answer) {
        done(answered(receiver, answer, expected));
      },
      sail::kPowerCallTimeoutMs);
}

WallPower::Answered WallPower::answered(const std::string& receiver,
                                        const sail::Result<sail::Json>& answer,
                                        const std::vector<std::string>& expected) const {
  const auto read = answer.and_then(
      [](const sail::Json& json) { return sail::message_from_json<sail::PowerAnswer>(json); });
  Answered result;
  if (!read) {
    for (const std::string& tile : expected) {
      result.tiles.push_back(unknown(tile, read.error().message));
    }
    return result;
  }
  for (const sail::TilePower& tile : read->tiles) {
    const sail::Tile* known = peers_.wall().find_tile(tile.tile);
    if (known != nullptr && known->receiver == receiver) result.tiles.push_back(tile);
  }
  for (const std::string& tile : expected) {
    if (std::ranges::find(result.tiles, tile, &sail::TilePower::tile) != result.tiles.end())
      continue;
    result.uncontrolled.push_back(
        unknown(tile, fmt::format("receiver '{}' was started without \"power\" for this display "
                                  "(sail/core/wall/README.md)",
                                  receiver)));
  }
  return result;
}

bool WallPower::is_late(const RecordedPower& power) const {
  const int64_t limit_ms = is_moving(power.state) ? times_.lamp_ms : times_.obey_ms;
  return sail::steady_now_ns() - power.since_ns >= limit_ms * 1'000'000;
}

void WallPower::record(const std::string& receiver, Order order, const Tiles& tiles) {
  std::map<std::string, RecordedPower> recorded = peers_.receivers().find(receiver)->power;
  for (const sail::TilePower& tile : tiles) {
    RecordedPower& power = recorded[tile.tile];
    power.state = tile.state;
    // While an order waits, answers to questions do not replace the reason why the order failed.
    const bool asks = order.order == PowerOrder::kStatus && power.wanted;
    if (!asks || !tile.why.empty()) power.why = tile.why;
    if (order.order != PowerOrder::kStatus) {
      power.wanted = order.order;
      power.idle = order.idle;
      power.since_ns = sail::steady_now_ns();
      power.disobeyed = false;
    }
    if (!power.wanted) continue;
    if (power.state == state_after(*power.wanted)) {
      power.wanted.reset();
      power.why = tile.why;
      power.disobeyed = false;
    } else if (!power.disobeyed && is_late(power)) {
      power.disobeyed = true;
      log_.warning("{}", disobeyed_text(tile.tile, power));
    }
  }
  if (!peers_.record(receiver, std::move(recorded))) return;
  keep_pending();
  on_changed_();
}

void WallPower::keep_pending() {
  PowerOrders pending;
  for (const ReceiverEntry& receiver : peers_.receivers().all()) {
    for (const auto& [tile, power] : receiver.power) {
      if (power.wanted || power.idle) {
        pending[tile] = {power.wanted.value_or(PowerOrder::kOff), power.idle};
      }
    }
  }
  if (pending == pending_) return;
  pending_ = std::move(pending);
  if (const auto kept = kept_.save(pending_); !kept) {
    log_.warning("the next manager will not know the pending orders to displays: {}",
                 kept.error().message);
  }
  on_pending_();
}

void WallPower::poll() {
  bool any = false;
  for (const ReceiverEntry& receiver : peers_.receivers().all()) any = poll(receiver) || any;
  if (!any) timer_.stop();
}

bool WallPower::poll(const ReceiverEntry& receiver) {
  std::map<PowerOrder, std::vector<std::string>> tiles;
  for (const auto& [tile, power] : receiver.power) {
    if (!power.wanted || power.disobeyed) continue;
    const bool ignored = power.state == PowerState::kOn || power.state == PowerState::kOff;
    tiles[ignored ? *power.wanted : PowerOrder::kStatus].push_back(tile);
  }
  if (tiles.empty() || asked_[receiver.name] > 0) return !tiles.empty();
  for (const auto& [order, names] : tiles) {
    ++asked_[receiver.name];
    ask(receiver.name, {.order = order, .tiles = names}, names,
        [this, name = receiver.name](const Answered& answered) {
          --asked_[name];
          record(name, {}, answered.tiles);
          record(name, {}, answered.uncontrolled);
        });
  }
  return true;
}

}  // namespace manager
