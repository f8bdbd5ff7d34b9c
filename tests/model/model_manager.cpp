#include "tests/model/model_manager.h"

#include <algorithm>
#include <utility>

#include "tests/model/model_wall.h"

namespace model {
namespace {

constexpr uint16_t kFirstPort = 1000;
constexpr int kPorts = 10;  // per life of all nodes

}  // namespace

std::pair<size_t, int> node_at(uint16_t port) {
  return {port % kPorts, (port - kFirstPort) / kPorts};
}

void ModelManager::begin() {
  windows_ = std::make_unique<manager::WindowStack>();
  director_ = std::make_unique<manager::Director>(wall_.tiles(), *windows_);
}

void ModelManager::end() {
  director_.reset();
  windows_.reset();
  coordinator_.reset();
  members_.clear();
  for (size_t i = 0; i < wall_.nodes(); ++i) wall_.node(i).known = 0;
}

// --- peers --------------------------------------------------------------------------------------

manager::Window ModelManager::new_window(size_t sender) const {
  const Scenario& scenario = wall_.scenario();
  manager::Window window;
  window.number = window.stream = wall_.sender(sender).stream();
  window.owner = sender + 1;
  window.frame_size = {1280, 640};
  window.block_size = sail::kDefaultBlockSize;
  window.secret = sender + 1;
  window.group = scenario.grouped ? "films" : "";
  const int width = static_cast<int>(1000 * (scenario.nodes - 1));
  window.wall_rect = {scenario.places.front(), static_cast<int>(250 * sender), width, 250};
  return window;
}

void ModelManager::meet_node(size_t number) {
  ModelNode& node = wall_.node(number);
  node.met = true;
  ++node.session;
  wall_.network().open(wall_.node_line(number));
  node.receiver->connected();
  const manager::ShownBefore shown{.epoch = node.receiver->newest_epoch(),
                                   .streams = node.receiver->shown_streams()};
  const auto port =
      static_cast<uint16_t>(kFirstPort + kPorts * node.process.life + static_cast<int>(number));
  wall_.network().send(Network::back(wall_.node_line(number)), "hello",
                       [this, &node, number, shown, port, session = node.session] {
                         node.known = session;
                         director_->receiver_joined(wall_.tiles().tiles[number].receiver,
                                                    {"10.0.0.1", port}, wall_.network().now_ns,
                                                    shown);
                       });
}

void ModelManager::node_left(size_t number, int session) {
  ModelNode& node = wall_.node(number);
  if (node.known != session) return;
  node.known = 0;
  director_->receiver_left(wall_.tiles().tiles[number].receiver, wall_.network().now_ns);
  if (coordinator_ == number) coordinator_.reset();
}

void ModelManager::meet_sender(size_t number) {
  const size_t line = wall_.sender_line(number);
  wall_.network().open(line);
  wall_.network().send(Network::back(line), "hello",
                       [this, number, routes = wall_.sender(number).resume()] {
                         manager::Window window = new_window(number);
                         if (routes.epoch != 0) {
                           window.wall_rect = routes.wall_rect;
                           director_->resume(routes, wall_.network().now_ns);
                         }
                         (void)windows_->open(window);
                         director_->layout_changed(wall_.network().now_ns);
                         std::erase(members_, window.number);
                       });
}

void ModelManager::sender_left(size_t number) {
  (void)windows_->remove(wall_.sender(number).stream());
  director_->layout_changed(wall_.network().now_ns);
}

void ModelManager::ready(const sail::EpochReady& ready) {
  director_->ready(ready, wall_.network().now_ns);
}

// --- layouts ------------------------------------------------------------------------------------

void ModelManager::tick() {
  director_->tick(wall_.network().now_ns);
  carry_out_orders();
}

void ModelManager::move_windows(int x) {
  for (size_t i = 0; i < wall_.senders(); ++i) {
    if (manager::Window* window = windows_->find(wall_.sender(i).stream())) window->wall_rect.x = x;
  }
  director_->layout_changed(wall_.network().now_ns);
  carry_out_orders();
}

void ModelManager::carry_out_orders() {
  evaluate_group();
  for (const manager::Order& order : director_->take_orders()) execute(order);
}

void ModelManager::send_to(size_t number, const char* what, std::function<void()> arrives,
                           uint64_t epoch) {
  const ModelNode& node = wall_.node(number);
  if (node.known == 0 || node.known != node.session) return;
  wall_.network().send(wall_.node_line(number), what, std::move(arrives), 0, epoch);
}

size_t ModelManager::number_of(const std::string& receiver) const {
  const auto& tiles = wall_.tiles().tiles;
  return static_cast<size_t>(std::ranges::find(tiles, receiver, &sail::Tile::receiver) -
                             tiles.begin());
}

void ModelManager::execute(const manager::Order& order) {
  Network& network = wall_.network();
  if (const auto* send = std::get_if<manager::SendScene>(&order)) {
    for (const std::string& name : send->receivers) {
      const size_t to = number_of(name);
      send_to(
          to, "scene",
          [this, to, scene = send->scene] { wall_.node(to).receiver->announce(scene); },
          send->scene.epoch);
    }
  } else if (const auto* map = std::get_if<manager::SendRoutes>(&order)) {
    const size_t to = map->routes.stream - 1;
    network.send(
        wall_.sender_line(to), "routes",
        [this, to, routes = map->routes] { wall_.sender(to).route(routes); }, 0, map->routes.epoch);
  } else if (const auto* taken = std::get_if<manager::SendTakeEffect>(&order)) {
    const size_t to = taken->taken.stream - 1;
    network.send(
        wall_.sender_line(to), "take_effect",
        [this, to, taken = taken->taken] { wall_.sender(to).take_effect(taken); },
        taken->taken.frame, taken->taken.epoch);
  } else if (const auto* named = std::get_if<manager::SendGo>(&order)) {
    const size_t to = number_of(named->receiver);
    send_to(
        to, "go",
        [this, to, go = named->go] {
          wall_.node(to).laid_out = wall_.node(to).session;
          wall_.node(to).receiver->go(go);
        },
        named->go.scene_epoch);
  }
}

// --- the group ----------------------------------------------------------------------------------

// As Groups::evaluate. The first connected node coordinates, for as long as it is there.
void ModelManager::evaluate_group() {
  if (!wall_.scenario().grouped || director_->waits_for_peers(wall_.network().now_ns)) return;
  if (!coordinator_) {
    size_t first = 0;
    while (first < wall_.nodes() && wall_.node(first).known == 0) ++first;
    if (first == wall_.nodes()) return;
    coordinator_ = first;
    ++group_secret_;
    members_.clear();
  }
  const std::vector<uint32_t> before = members_;
  members_.clear();
  for (const manager::Window& window : windows_->bottom_to_top()) {
    members_.push_back(window.number);
  }
  if (members_ == before) return;
  const size_t node = *coordinator_;
  const sail::CoordinatedGroup group{.secret = group_secret_, .streams = members_};
  send_to(
      node, "group", [this, node, group] { wall_.node(node).group.set_group(group); }, 0);
  for (const uint32_t stream : members_) {
    if (std::ranges::find(before, stream) != before.end()) continue;
    wall_.network().send(wall_.sender_line(stream - 1), "coordinator",
                         [this, stream, node, secret = group_secret_] {
                           wall_.sender(stream - 1).join_group(node, secret);
                         });
  }
}

}  // namespace model
