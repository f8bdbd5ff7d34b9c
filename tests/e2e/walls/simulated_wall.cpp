#include "tests/e2e/walls/simulated_wall.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "sail/core/text/limits.h"

namespace test {
namespace {

constexpr int kPorts = 100;  // per process of a node
constexpr uint16_t kFirstPort = 1000;
constexpr int64_t kMissedNs = int64_t{sail::kHeartbeatTimeoutMs} * kMs;
constexpr int64_t kTriesAgainNs = 500 * kMs;  // retry interval of the manager and of receivers

sail::Wall wall_of(size_t tiles) {
  if (tiles == 2) return manager::two_tiles();
  std::vector<std::string> receivers;
  for (size_t i = 0; i < tiles; ++i) receivers.push_back(fmt::format("node{}", i + 1));
  return manager::row_of_tiles(receivers);
}

}  // namespace

SimulatedWall::SimulatedWall(uint32_t seed, size_t streams, bool grouped, const Film& played,
                             const Trouble& goes_wrong, size_t tiles)
    : time(seed), film(played), grouped_(grouped), trouble_(goes_wrong), tiles_(wall_of(tiles)) {
  begin_rule();
  for (size_t i = 0; i < tiles_.tiles.size(); ++i) {
    nodes_.push_back(std::make_unique<Node>(time, i));
    start_receiver(*nodes_.back());
  }
  carry_out_orders();
  std::vector<uint32_t> members;
  for (size_t i = 0; i < streams; ++i) {
    const uint32_t number = (*ruler_.windows->open(window_of(i)))->number;
    members.push_back(number);
    senders_[number] = std::make_unique<Sender>(*this, number, grouped);
  }
  if (grouped) table.set_members({.streams = members}, time.now_ns);
  director().layout_changed(time.now_ns);
  carry_out_orders();
  for (auto& [number, sender] : senders_) sender->begin_film();
  tick();
  if (trouble_.any()) time.in(2000 * kMs, [this] { go_wrong(); });
}

manager::Window SimulatedWall::window_of(size_t stream) const {
  manager::Window window;
  window.owner = stream + 1;
  window.frame_size = {1280, 640};
  window.block_size = sail::kDefaultBlockSize;
  window.secret = stream + 1;
  window.group = grouped_ ? "films" : "";
  // From the middle of the first tile to that of the last.
  window.wall_rect = {500, static_cast<int>(250 * stream), tiles_.size.width - 1000, 250};
  return window;
}

std::pair<size_t, int> SimulatedWall::node_at(uint16_t port) {
  return {port % kPorts, (port - kFirstPort) / kPorts};
}

// --- connections --------------------------------------------------------------------------------

void SimulatedWall::begin_rule() {
  ruler_.windows = std::make_unique<manager::WindowStack>();
  ruler_.director = std::make_unique<manager::Director>(tiles_, *ruler_.windows);
  ruler_.up = true;
  for (const auto& node : nodes_) {
    time.in(time.any(kMs, 400 * kMs), node->process.with([this, &one = *node] { meet(one); }));
  }
  for (const auto& [number, sender] : senders_) {
    time.in(time.any(kMs, 400 * kMs),
            sender->process.with([this, of = number, &one = *sender] { meet(of, one); }));
  }
}

void SimulatedWall::start_receiver(Node& node) {
  const int life = node.process.life();
  if (node.receiver) dead_.push_back(std::move(node.receiver));
  node.up = true;
  node.receiver = std::make_unique<Receiver>(
      time, node.process, tiles_.tiles[node.number].wall_rect,
      [this, &node, life](uint32_t stream, const Key& key) {
        if (life == node.process.life()) senders_.at(stream)->on_ready(node.number, life, key);
      },
      [this, &node, life](uint32_t stream, const sail::FrameReport& report) {
        if (life == node.process.life()) senders_.at(stream)->on_report(node.number, life, report);
      });
  meet(node);
}

void SimulatedWall::meet(Node& node) {
  if (!ruler_.up || !node.up || std::exchange(node.met, true)) return;
  node.receiver->met();
  manager::ShownBefore shown{.epoch = node.receiver->newest_epoch()};
  for (const sail::SceneWindow& window : node.receiver->current().windows) {
    shown.streams.push_back(window.window);
  }
  const auto port = static_cast<uint16_t>(kFirstPort + kPorts * node.process.life() +
                                          static_cast<int>(node.number));
  const auto joins = [this, &node, shown, port] {
    director().receiver_joined(tiles_.tiles[node.number].receiver, {"10.0.0.1", port}, time.now_ns,
                               shown);
  };
  // At the start of the simulation, receivers are connected at once.
  senders_.empty() ? joins() : at_manager(node.to_manager, joins);
}

void SimulatedWall::meet(uint32_t stream, Sender& sender) {
  if (!ruler_.up || sender.met) return;
  sender.met_rule = ruler_.process.life();
  at_manager(sender.to_manager, [this, stream, routes = sender.resume()] {
    manager::Window window = window_of(stream - 1);
    window.number = window.stream = stream;
    window.wall_rect = routes.wall_rect;
    director().resume(routes, time.now_ns);
    ruler_.windows->open(window);
    director().layout_changed(time.now_ns);
  });
}

// --- faults -------------------------------------------------------------------------------------

void SimulatedWall::go_wrong() {
  if (!moving) return;
  time.in(time.any(300 * kMs, 1500 * kMs), [this] { go_wrong(); });
  const int64_t which = time.any(0, 2);
  if (which == 0 && trouble_.receivers) kill_receiver();
  if (which == 1 && trouble_.senders) stop_sender();
  if (which == 2 && trouble_.managers && ruler_.up) {
    // Kills the manager now, or in the middle of its next announcement.
    if (time.any(0, 1) == 0) return kill_manager();
    ruler_.orders_left = time.any(0, 8);
  }
}

void SimulatedWall::kill_receiver() {
  const auto number = static_cast<size_t>(time.any(0, static_cast<int64_t>(nodes_.size()) - 1));
  if (std::ranges::any_of(nodes_, [](const auto& node) { return !node->up; })) return;
  Node& node = *nodes_[number];
  went_wrong_ = fmt::format("receiver {} was killed", number);
  const int life = node.process.life();
  node.process.kill();
  node.up = false;
  if (std::exchange(node.met, false)) {
    at_manager(node.to_manager, [this, &node] {
      director().receiver_left(tiles_.tiles[node.number].receiver, time.now_ns);
    });
  }
  for (const auto& [stream, sender] : senders_) {
    time.in(time.any(kMessageNs / 2, 2 * kMessageNs),
            sender->process.with([&one = *sender, number, life] { one.lose(number, life); }));
  }
  time.in(time.any(20 * kMs, 500 * kMs), [this, &node] { start_receiver(node); });
}

void SimulatedWall::stop_sender() {
  const auto which =
      std::next(senders_.begin(), time.any(0, static_cast<int64_t>(senders_.size()) - 1));
  Sender& sender = *which->second;
  if (sender.process.stopped()) return;
  went_wrong_ = fmt::format("sender {} stood still", which->first);
  sender.process.stop();
  time.in(time.any(50 * kMs, 1500 * kMs), [&sender] { sender.process.go_on(); });
}

void SimulatedWall::kill_manager() {
  went_wrong_ = "the manager was killed";
  layouts_before_ += director().counters().layouts;
  const int rule = ruler_.process.life();
  ruler_.process.kill();
  ruler_.up = false;
  ruler_.orders_left.reset();
  for (const auto& node : nodes_) {
    if (!std::exchange(node->met, false)) continue;
    node->from_manager.send(node->process.with([&one = *node->receiver] { one.lost_manager(); }));
  }
  for (const auto& [number, sender] : senders_) {
    if (sender->met_rule != rule) continue;
    sender->from_manager.send(sender->process.with([&one = *sender] { one.go_on_alone(); }));
  }
  time.in(time.any(50 * kMs, 700 * kMs), [this] { begin_rule(); });
}

// --- the manager --------------------------------------------------------------------------------

void SimulatedWall::tick() {
  if (ruler_.up) {
    director().tick(time.now_ns);
    carry_out_orders();
  }
  table.tick(now());
  notify_members();
  for (auto& [number, sender] : senders_) {
    if (!sender->process.stopped()) sender->tick();
  }
  time.in(50 * kMs, [this] { tick(); });
}

void SimulatedWall::notify_manager(Way& way, const sail::EpochReady& ready) {
  at_manager(way, [this, ready] { director().ready(ready, time.now_ns); });
}

void SimulatedWall::at_manager(Way& way, std::function<void()> happens) {
  way.send(ruler_.process.with([this, happens = std::move(happens)] {
    if (!ruler_.up) return;
    happens();
    carry_out_orders();
  }));
}

void SimulatedWall::notify_members() {
  for (const auto& message : table.outgoing()) {
    Sender& sender = *senders_.at(message.member);
    sender.from_table.send(
        [&sender, decision = message.decision] { sender.on_decision(decision); });
  }
  table.clear_outgoing();
}

void SimulatedWall::carry_out_orders() {
  const std::vector<manager::Order> orders = director().take_orders();
  const bool decides = std::ranges::any_of(
      orders, [](const auto& order) { return std::holds_alternative<manager::SendGo>(order); });
  for (const manager::Order& order : orders) {
    if (decides && ruler_.orders_left && (*ruler_.orders_left)-- == 0) {
      if (&order != &orders.front()) ++told_some_only;
      return kill_manager();
    }
    execute(order);
  }
}

void SimulatedWall::execute(const manager::Order& order) {
  const auto to_node = [this](const std::string& name, const auto& happens) {
    const auto place = std::ranges::find(tiles_.receivers, name, &sail::ReceiverPlace::name);
    Node& node = *nodes_[static_cast<size_t>(place - tiles_.receivers.begin())];
    node.from_manager.send(
        node.line.with(node.process.with([happens, &node] { happens(*node.receiver); })));
  };
  const auto to_sender = [this](uint32_t stream, const auto& happens) {
    Sender& sender = *senders_.at(stream);
    sender.from_manager.send(sender.process.with([happens, &sender] { happens(sender); }));
  };
  if (const auto* send = std::get_if<manager::SendScene>(&order)) {
    for (const std::string& name : send->receivers) {
      to_node(name, [scene = send->scene](Receiver& receiver) { receiver.scene(scene); });
    }
  } else if (const auto* map = std::get_if<manager::SendRoutes>(&order)) {
    to_sender(map->routes.stream, [routes = map->routes](Sender& sender) { sender.route(routes); });
  } else if (const auto* effect = std::get_if<manager::SendTakeEffect>(&order)) {
    to_sender(effect->taken.stream,
              [taken = effect->taken](Sender& sender) { sender.take_effect(taken); });
  } else if (const auto* named = std::get_if<manager::SendGo>(&order)) {
    to_node(named->receiver, [go = named->go](Receiver& receiver) { receiver.go(go); });
  }
}

// Moves all or some windows, mostly across all tiles.
void SimulatedWall::move_windows() {
  const bool all = !grouped_ || time.any(0, 1) == 0;
  bool moved = false;
  for (const manager::Window& window : ruler_.windows->bottom_to_top()) {
    if (!all && time.any(0, 2) != 0) continue;
    moved = true;
    const int x = time.any(0, 9) == 0 ? static_cast<int>(1000 * time.any(0, 1))
                                      : static_cast<int>(time.any(1, 999));
    ruler_.windows->find(window.number)->wall_rect.x = x;
  }
  if (!moved) return;
  director().layout_changed(time.now_ns);
  carry_out_orders();
}

void SimulatedWall::move_window(uint32_t number, int x) {
  ruler_.windows->find(number)->wall_rect.x = x;
  director().layout_changed(time.now_ns);
  carry_out_orders();
}

void SimulatedWall::stand_still(size_t number, int64_t for_ns) {
  Node& one = node(number);
  one.process.stop();
  time.in(for_ns, [&one] {
    one.process.go_on();
    one.receiver->look();
  });
}

void SimulatedWall::pull_cable(size_t number) {
  Node& one = node(number);
  one.cable.stop();
  one.pulled_ns = time.now_ns;
  one.line.stop();
  time.in(time.any(kMissedNs, kMissedNs + 1000 * kMs), [this, &one] { miss(one); });
}

void SimulatedWall::cut_off(size_t number, int64_t for_ns) {
  Node& one = node(number);
  one.cable.stop();
  one.pulled_ns = time.now_ns;
  time.in(for_ns, [&one] { one.cable.go_on(); });
}

void SimulatedWall::miss(Node& node) {
  node.line.kill();
  node.met = false;
  node.receiver->lost_manager();
  director().peer_fell_silent(time.now_ns);
  director().receiver_left(tiles_.tiles[node.number].receiver, time.now_ns);
  carry_out_orders();
  time.in(time.any(0, 1000 * kMs), [this, &node] {
    node.cable.go_on();
    time.in(time.any(0, kTriesAgainNs), [this, &node] { meet(node); });
  });
}

void SimulatedWall::run(int64_t for_ns) {
  for (const int64_t until_ns = time.now_ns + for_ns; time.now_ns < until_ns;) {
    time.step();
    look();
    if (!ruler_.up || !director().settled() || layouts() < 2) continue;
    if (std::exchange(moves_soon_, true)) continue;
    time.in(time.any(0, film.pause_ns), [this] {
      moves_soon_ = false;
      if (ruler_.up) move_windows();
    });
  }
}

void SimulatedWall::play(int64_t for_ns) {
  run(for_ns);
  moving = false;
  for (const int64_t until_ns = time.now_ns + 1000 * kMs; time.now_ns < until_ns;) time.step();
}

// --- pictures -----------------------------------------------------------------------------------

void SimulatedWall::look() {
  std::string differ = differences();
  if (!differ.empty()) ++mixed;
  if (!differ_.empty() && time.now_ns - differ_since_ns_ > longest_mixed_ns) {
    longest_mixed_ns = time.now_ns - differ_since_ns_;
    longest_mixed = fmt::format("at {:.1f} ms, {}: {}", static_cast<double>(differ_since_ns_) / 1e6,
                                went_wrong_, differ_);
  }
  if (differ_.empty() || differ.empty()) differ_since_ns_ = time.now_ns;
  differ_ = std::move(differ);
}

// Layouts may differ for a while when a process is gone, but frames may not.
std::string SimulatedWall::differences() const {
  std::set<uint64_t> layouts;
  std::map<uint32_t, std::set<uint64_t>> frames;
  std::set<int64_t> instants;
  for (const auto& node : nodes_) {
    if (!node->up || node->receiver->scene().epoch == 0) continue;
    layouts.insert(node->receiver->scene().epoch);
    for (const auto& [number, sender] : senders_) {
      const auto frame = node->receiver->seen(number);
      if (!frame) continue;
      frames[number].insert(*frame);
      instants.insert(sender->present_ns(*frame));
    }
  }
  for (const auto& [number, seen] : frames) {
    if (seen.size() > 1) {
      return fmt::format("stream {} shows frames {} and {}", number, *seen.begin(), *seen.rbegin());
    }
  }
  if (layouts.size() > 1 && !trouble_.any()) return "layouts";
  return grouped_ && instants.size() > 1 ? "instants of the group" : "";
}

std::string SimulatedWall::causes() const {
  const auto of = [this](uint64_t sail::DropCounts::*cause) {
    return std::to_string(sum([cause](const Sender& one) { return one.ledger().drops().*cause; }));
  };
  return "superseded " + of(&sail::DropCounts::superseded) + ", old_epoch " +
         of(&sail::DropCounts::old_epoch) + ", hidden " + of(&sail::DropCounts::hidden) +
         ", unsent " + of(&sail::DropCounts::unsent) + ", refused " +
         std::to_string(sum([](const Sender& one) { return one.refused; })) + " of " +
         std::to_string(submitted()) + " in " + std::to_string(layouts()) + " layouts";
}

}  // namespace test
