#include "tests/model/model_wall.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

namespace model {
namespace {

constexpr uint16_t kFirstPort = 1000;
constexpr int kPorts = 10;                   // per life of all nodes
constexpr int64_t kFrameNs = 200 * kMs;      // interval of frames and of checks
constexpr int64_t kAheadNs = 50 * kMs;       // of the frames of a group
constexpr int64_t kHealedNs = 3 * kFrameNs;  // a layout without a manager: two frames at most
constexpr int64_t kAllWellNs = 8000 * kMs;
constexpr int64_t kAbsentNs = 600 * kMs;  // a killed process is back
constexpr uint64_t kTime = 1;
constexpr uint64_t kDone = 2;
constexpr uint64_t kUndone = 3;

}  // namespace

const std::set<Allowance>& all_allowances() {
  static const std::set<Allowance> all{Allowance::kStoppedReceiver, Allowance::kLateMessage,
                                       Allowance::kCutReceiver, Allowance::kLeftBehind,
                                       Allowance::kDyingSender};
  return all;
}

ModelWall::ModelWall(const Scenario& scenario) : scenario_(scenario) {
  tiles_.name = "model";
  tiles_.size = {static_cast<int>(1000 * scenario.nodes), 1000};
  for (size_t i = 0; i < scenario.nodes; ++i) {
    sail::Tile tile;
    tile.name = tile.receiver = fmt::format("r{}", i);
    tile.wall_rect = {static_cast<int>(1000 * i), 0, 1000, 1000};
    tile.resolution = {1000, 1000};
    tiles_.receivers.push_back({tile.name, ""});
    tiles_.tiles.push_back(tile);
    nodes_.push_back(std::make_unique<Node>());
    nodes_.back()->process.name = tile.name;
    start_receiver(i);
  }
  for (size_t i = 0; i < scenario.senders; ++i) {
    senders_.push_back(std::make_unique<ModelSender>(*this, i, scenario.grouped));
    senders_.back()->process.name = fmt::format("sender {}", i + 1);
  }
  late_.assign(scenario.nodes, std::vector<bool>(scenario.senders, false));
  ruler_.name = "manager";
  connect_all();
  begin_rule();
  for (size_t i = 0; i < scenario.nodes; ++i) meet(*nodes_[i], i);
  for (size_t i = 0; i < scenario.senders; ++i) meet(*senders_[i], i);
  frame_at_ns_ = network_.now_ns + kFrameNs;
  for (const int64_t end_ns = network_.now_ns + 4 * kFrameNs; network_.now_ns < end_ns;) {
    if (list_deliveries()) {
      network_.deliver(choices_.front().which);
      after_step(*network_.line(choices_.front().which).to);
    } else {
      pass();
    }
  }
  for (size_t i = 0; list_deliveries() && i < 100; ++i) perform(choices_.front());
  faults_left_ = scenario.faults;
  moves_ = 1;
}

void ModelWall::connect_all() {
  for (const auto& node : nodes_) node_lines_.push_back(network_.connect(ruler_, node->process));
  for (const auto& sender : senders_) {
    sender_lines_.push_back(network_.connect(ruler_, sender->process));
    stream_lines_.emplace_back();
    group_lines_.emplace_back();
    for (const auto& node : nodes_) {
      stream_lines_.back().push_back(network_.connect(sender->process, node->process));
      if (scenario_.grouped) {
        group_lines_.back().push_back(network_.connect(sender->process, node->process));
      }
    }
  }
}

std::pair<size_t, int> ModelWall::node_at(uint16_t port) {
  return {port % kPorts, (port - kFirstPort) / kPorts};
}

// --- choices ------------------------------------------------------------------------------------

size_t ModelWall::choices() {
  const bool any = list_deliveries();
  if (!any) choices_.push_back({Step::kPass, 0, 0});
  if (moves_ < scenario_.places.size() && ruler_.runs()) choices_.push_back({Step::kMove, 0, 0});
  list_returns();
  if (faults_left_ > 0) list_faults();
  return choices_.size();
}

bool ModelWall::list_deliveries() {
  choices_.clear();
  for (size_t i = 0; i < network_.lines().size(); ++i) {
    if (network_.deliverable(i)) choices_.push_back({Step::kDeliver, i, 0});
  }
  return !choices_.empty();
}

void ModelWall::list_returns() {
  const size_t processes = 1 + nodes_.size() + senders_.size();
  for (size_t i = 0; i < processes; ++i) {
    const Process& one = process(i);
    if (!one.up && i <= nodes_.size()) choices_.push_back({Step::kBack, i, 0});
    if (one.stopped) choices_.push_back({Step::kGoOn, i, 0});
  }
  for (size_t i = 0; i < network_.lines().size(); ++i) {
    if (network_.line(i).held) choices_.push_back({Step::kRelease, i, 0});
  }
}

bool ModelWall::may_be_killed(size_t number) const {
  if (number == 0) return scenario_.kills_manager;
  return number <= nodes_.size() ? scenario_.kills_receivers : scenario_.kills_senders;
}

void ModelWall::list_faults() {
  const size_t processes = 1 + nodes_.size() + senders_.size();
  for (size_t i = 0; i < processes; ++i) {
    if (!process(i).runs()) continue;
    if (scenario_.stops) choices_.push_back({Step::kStop, i, 0});
    if (may_be_killed(i)) list_kills(i);
  }
  for (size_t i = 0; i < network_.lines().size(); ++i) {
    const Line& line = network_.line(i);
    if (scenario_.holds && !line.messages.empty() && !line.held) {
      choices_.push_back({Step::kHold, i, 0});
    }
    const bool of_application = std::ranges::find(sender_lines_, i) != sender_lines_.end();
    if (scenario_.cuts && i % 2 == 0 && line.open && !of_application) {
      choices_.push_back({Step::kCut, i, 0});
    }
  }
}

// A process also dies between two writes, and messages may die with its machine.
void ModelWall::list_kills(size_t number) {
  const Process& one = process(number);
  choices_.push_back({Step::kKill, number, 0});
  if (network_.acting() == &one) {
    for (size_t kept = 0; kept < network_.sent().size(); ++kept) {
      choices_.push_back({Step::kKillUnsent, number, kept});
    }
  }
  for (size_t i = 0; i < network_.lines().size(); ++i) {
    const Line& line = network_.line(i);
    if (line.from == &one && !line.messages.empty()) {
      choices_.push_back({Step::kKillLosing, number, i});
    }
  }
}

void ModelWall::choose(size_t choice) {
  choices();
  const Choice chosen = choices_[choice];
  if (recorded()) note(name(chosen));
  perform(chosen);
}

std::string ModelWall::name(const Choice& choice) const {
  auto& self = const_cast<ModelWall&>(*this);
  const auto line_text = [&](size_t number) {
    const Line& line = network_.lines()[number];
    return fmt::format("{} -> {}", line.from->name, line.to->name);
  };
  const auto process_name = [&] { return self.process(choice.which).name; };
  switch (choice.step) {
    case Step::kDeliver: {
      const Line& line = network_.lines()[choice.which];
      const Message& message = line.messages.front();
      return fmt::format("{}: {}{}{}", line_text(choice.which), message.what,
                         message.frame == 0 ? "" : fmt::format(" {}", message.frame),
                         message.epoch == 0 ? "" : fmt::format(" of epoch {}", message.epoch));
    }
    case Step::kPass:
      return "time passes";
    case Step::kMove:
      return "the windows are moved";
    case Step::kBack:
      return process_name() + " is back";
    case Step::kGoOn:
      return process_name() + " goes on";
    case Step::kRelease:
      return "messages " + line_text(choice.which) + " arrive again";
    case Step::kStop:
      return "FAULT: " + process_name() + " is stopped";
    case Step::kHold:
      return "FAULT: messages " + line_text(choice.which) + " are delayed";
    case Step::kCut:
      return "FAULT: the connection " + line_text(choice.which) + " is lost";
    case Step::kKill:
      return "FAULT: " + process_name() + " is killed";
    case Step::kKillUnsent:
      return fmt::format("FAULT: {} is killed after {} of its last messages", process_name(),
                         choice.detail);
    case Step::kKillLosing:
      return fmt::format("FAULT: {} is killed, and its messages {} are lost", process_name(),
                         line_text(choice.detail));
  }
  return "";
}

void ModelWall::perform(const Choice& choice) {
  switch (choice.step) {
    case Step::kDeliver: {
      network_.deliver(choice.which);
      return after_step(*network_.line(choice.which).to);
    }
    case Step::kPass:
      return pass();
    case Step::kMove:
      return move_windows();
    case Step::kBack:
      return back(choice.which);
    case Step::kGoOn:
      process(choice.which).stopped = false;
      network_.begin(process(choice.which), kDone);
      return after_step(process(choice.which));
    case Step::kRelease:
      network_.line(choice.which).held = false;
      return;
    default:
      --faults_left_;
      return perform_fault(choice);
  }
}

void ModelWall::perform_fault(const Choice& choice) {
  if (choice.step == Step::kStop) {
    process(choice.which).stopped = true;
  } else if (choice.step == Step::kHold) {
    network_.line(choice.which).held = true;
  } else if (choice.step == Step::kCut) {
    cut(choice.which);
  } else {
    const bool whole = choice.step == Step::kKill;
    if (choice.step == Step::kKillUnsent) network_.unsend(choice.detail);
    if (choice.step == Step::kKillLosing) network_.line(choice.detail).messages.clear();
    if (!whole && choice.which > nodes_.size()) sender_died_writing_ = true;
    process(choice.which).history =
        mix(process(choice.which).history, mix(kUndone + choice.detail, whole ? 1 : 0));
    kill(choice.which);
  }
  network_.forget_sent();
}

uint64_t ModelWall::fingerprint() const {
  uint64_t hash = mix(network_.state(), ruler_.state());
  for (const auto& node : nodes_) hash = mix(hash, node->process.state() + (node->met ? 1U : 0U));
  for (const auto& sender : senders_) hash = mix(hash, sender->process.state());
  for (const auto& of_node : late_) {
    for (const bool late : of_node) hash = mix(hash, late ? 1U : 0U);
  }
  return mix(mix(hash, moves_), static_cast<uint64_t>(faults_left_));
}

// --- processes ----------------------------------------------------------------------------------

// By number: the manager, the nodes, the senders.
Process& ModelWall::process(size_t number) {
  if (number == 0) return ruler_;
  if (number <= nodes_.size()) return nodes_[number - 1]->process;
  return senders_[number - 1 - nodes_.size()]->process;
}

void ModelWall::start_receiver(size_t number) {
  Node& node = *nodes_[number];
  const int life = node.process.life;
  const auto to_sender = [this, number](uint32_t stream, const char* what, uint64_t frame,
                                        uint64_t epoch, std::function<void(ModelSender&)> arrives) {
    ModelSender& sender = *senders_[stream - 1];
    network_.send(
        Network::back(stream_lines_[stream - 1][number]), what,
        [&sender, arrives = std::move(arrives)] { arrives(sender); }, frame, epoch);
  };
  node.receiver = std::make_unique<ModelReceiver>(
      tiles_.tiles[number].wall_rect, network_.now_ns,
      ModelReceiver::Handlers{
          .accept =
              [=](uint32_t stream) {
                to_sender(stream, "accepts", 0, 0,
                          [=](ModelSender& sender) { sender.accepted(number, life); });
              },
          .ready =
              [=](uint32_t stream, const receiver::FrameKey& key) {
                to_sender(stream, "ready", key.number, key.epoch,
                          [=](ModelSender& sender) { sender.ready(number, life, key); });
              },
          .report =
              [=](uint32_t stream, const sail::FrameReport& report) {
                const bool shown = report.outcome == sail::FrameOutcome::kShown;
                to_sender(stream, shown ? "shown" : "dropped", report.frame, report.epoch,
                          [=](ModelSender& sender) { sender.reported(number, life, report); });
              }});
}

void ModelWall::after_step(const Process& process) {
  if (&process == &ruler_) return carry_out_orders();
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (&process != &nodes_[i]->process) continue;
    nodes_[i]->receiver->present();
    send_decisions(i);
  }
}

void ModelWall::kill(size_t number) {
  Process& killed = process(number);
  for (Line& line : network_.lines()) {
    if (line.to == &killed) line.messages.clear();
  }
  // Their ends learn of the death after the messages that were sent.
  for (size_t i = 0; i < network_.lines().size(); ++i) {
    Line& line = network_.line(i);
    if (line.from != &killed || !line.open) continue;
    network_.line(Network::back(i)).open = false;
    network_.close(i, on_closed(i));
  }
  killed.up = false;
  killed.stopped = false;
  ++killed.life;
  if (number == 0) {
    kill_manager();
  } else if (number <= nodes_.size()) {
    kill_node(number - 1);
  }
}

void ModelWall::kill_node(size_t number) {
  Node& node = *nodes_[number];
  node.receiver.reset();
  node.coordinator.reset();
  node.joined.clear();
  node.met = false;
  late_[number].assign(senders_.size(), false);
}

void ModelWall::kill_manager() {
  ruler_died_ns_ = network_.now_ns;
  director_.reset();
  windows_.reset();
  coordinator_.reset();
  members_.clear();
  for (const auto& node : nodes_) node->known = 0;
}

void ModelWall::back(size_t number) {
  Process& process = this->process(number);
  process.up = true;
  process.history = mix(kDone, static_cast<uint64_t>(process.life));
  network_.begin(process, kDone);
  number == 0 ? begin_rule() : start_receiver(number - 1);
}

// Both ends learn it, and what was on the way is lost.
void ModelWall::cut(size_t line) {
  for (const size_t way : {line, Network::back(line)}) {
    network_.line(way).messages.clear();
    network_.close(way, on_closed(way));
  }
}

// What the process at the end of this line does when the connection is closed.
std::function<void()> ModelWall::on_closed(size_t number) {
  const size_t out = number & ~size_t{1};
  const bool forward = out == number;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (node_lines_[i] != out) continue;
    if (!forward) return [this, i, session = nodes_[i]->session] { node_left(i, session); };
    return [this, i] {
      nodes_[i]->met = false;
      nodes_[i]->receiver->lose_manager();
    };
  }
  for (size_t s = 0; s < senders_.size(); ++s) {
    ModelSender& sender = *senders_[s];
    if (sender_lines_[s] == out && forward) return [&sender] { sender.lose_manager(); };
    if (sender_lines_[s] == out) {
      return [this, &sender] {
        (void)windows_->remove(sender.stream());
        director_->layout_changed(network_.now_ns);
      };
    }
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (stream_lines_[s][i] == out) {
        if (forward) return [] {};
        return [&sender, i, life = nodes_[i]->process.life] { sender.lose(i, life); };
      }
      if (!scenario_.grouped || group_lines_[s][i] != out) continue;
      if (!forward) return [&sender] { sender.lose_coordinator(); };
      return [this, &sender, i] {
        if (nodes_[i]->joined.erase(sender.stream() - 1) != 0) {
          nodes_[i]->coordinator->lose(sender.stream(), {network_.now_ns, network_.now_ns});
        }
      };
    }
  }
  return [] {};
}

// --- the manager --------------------------------------------------------------------------------

void ModelWall::begin_rule() {
  windows_ = std::make_unique<manager::WindowStack>();
  director_ = std::make_unique<manager::Director>(tiles_, *windows_);
}

manager::Window ModelWall::window_of(size_t sender) const {
  manager::Window window;
  window.number = window.stream = senders_[sender]->stream();
  window.owner = sender + 1;
  window.frame_size = {1280, 640};
  window.block_size = sail::kDefaultBlockSize;
  window.secret = sender + 1;
  window.group = scenario_.grouped ? "films" : "";
  const int width = static_cast<int>(1000 * (nodes_.size() - 1));
  window.wall_rect = {scenario_.places.front(), static_cast<int>(250 * sender), width, 250};
  return window;
}

void ModelWall::meet(Node& node, size_t number) {
  node.met = true;
  ++node.session;
  network_.open(node_lines_[number]);
  node.receiver->connected();
  const manager::ShownBefore shown{.epoch = node.receiver->newest_epoch(),
                                   .streams = node.receiver->shown_streams()};
  const auto port =
      static_cast<uint16_t>(kFirstPort + kPorts * node.process.life + static_cast<int>(number));
  network_.send(Network::back(node_lines_[number]), "hello",
                [this, &node, number, shown, port, session = node.session] {
                  node.known = session;
                  director_->receiver_joined(tiles_.tiles[number].receiver, {"10.0.0.1", port},
                                             network_.now_ns, shown);
                });
}

void ModelWall::node_left(size_t number, int session) {
  Node& node = *nodes_[number];
  if (node.known != session) return;
  node.known = 0;
  director_->receiver_left(tiles_.tiles[number].receiver, network_.now_ns);
  if (coordinator_ == number) coordinator_.reset();
}

void ModelWall::meet(ModelSender& sender, size_t number) {
  network_.open(sender_lines_[number]);
  network_.send(Network::back(sender_lines_[number]), "hello",
                [this, number, routes = sender.resume()] {
                  manager::Window window = window_of(number);
                  if (routes.epoch != 0) {
                    window.wall_rect = routes.wall_rect;
                    director_->resume(routes, network_.now_ns);
                  }
                  (void)windows_->open(window);
                  director_->layout_changed(network_.now_ns);
                  std::erase(members_, window.number);
                });
}

void ModelWall::report_ready(size_t sender, const sail::EpochReady& ready) {
  network_.send(
      Network::back(sender_lines_[sender]), "layout ready",
      [this, ready] { director_->ready(ready, network_.now_ns); }, ready.frame, ready.epoch);
}

void ModelWall::move_windows() {
  network_.begin(ruler_, kDone);
  const int x = scenario_.places[moves_++];
  for (const auto& sender : senders_) {
    if (manager::Window* window = windows_->find(sender->stream())) window->wall_rect.x = x;
  }
  director_->layout_changed(network_.now_ns);
  carry_out_orders();
}

void ModelWall::carry_out_orders() {
  evaluate_group();
  for (const manager::Order& order : director_->take_orders()) execute(order);
}

void ModelWall::to_node(size_t number, const char* what, std::function<void()> arrives,
                        uint64_t epoch) {
  const Node& node = *nodes_[number];
  if (node.known == 0 || node.known != node.session) return;
  network_.send(node_lines_[number], what, std::move(arrives), 0, epoch);
}

void ModelWall::execute(const manager::Order& order) {
  const auto number_of = [this](const std::string& name) {
    const auto it = std::ranges::find(tiles_.tiles, name, &sail::Tile::receiver);
    return static_cast<size_t>(it - tiles_.tiles.begin());
  };
  if (const auto* send = std::get_if<manager::SendScene>(&order)) {
    for (const std::string& name : send->receivers) {
      const size_t to = number_of(name);
      to_node(
          to, "scene", [this, to, scene = send->scene] { nodes_[to]->receiver->announce(scene); },
          send->scene.epoch);
    }
  } else if (const auto* map = std::get_if<manager::SendRoutes>(&order)) {
    const size_t to = map->routes.stream - 1;
    network_.send(
        sender_lines_[to], "routes",
        [this, to, routes = map->routes] { senders_[to]->route(routes); }, 0, map->routes.epoch);
  } else if (const auto* taken = std::get_if<manager::SendTakeEffect>(&order)) {
    const size_t to = taken->taken.stream - 1;
    network_.send(
        sender_lines_[to], "take_effect",
        [this, to, taken = taken->taken] { senders_[to]->take_effect(taken); }, taken->taken.frame,
        taken->taken.epoch);
  } else if (const auto* named = std::get_if<manager::SendGo>(&order)) {
    const size_t to = number_of(named->receiver);
    to_node(
        to, "go",
        [this, to, go = named->go] {
          nodes_[to]->laid_out = nodes_[to]->session;
          nodes_[to]->receiver->go(go);
        },
        named->go.scene_epoch);
  }
}

// --- the group ----------------------------------------------------------------------------------

// As Groups::evaluate. The first connected node coordinates, for as long as it is there.
void ModelWall::evaluate_group() {
  if (!scenario_.grouped || director_->waits_for_peers(network_.now_ns)) return;
  if (!coordinator_) {
    const auto it = std::ranges::find_if(nodes_, [](const auto& node) { return node->known != 0; });
    if (it == nodes_.end()) return;
    coordinator_ = static_cast<size_t>(it - nodes_.begin());
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
  to_node(
      node, "group", [this, node, group] { set_group(node, group); }, 0);
  for (const uint32_t stream : members_) {
    if (std::ranges::find(before, stream) != before.end()) continue;
    network_.send(sender_lines_[stream - 1], "coordinator",
                  [this, stream, node, secret = group_secret_] {
                    senders_[stream - 1]->join_group(node, secret);
                  });
  }
}

void ModelWall::set_group(size_t number, const sail::CoordinatedGroup& group) {
  Node& node = *nodes_[number];
  if (!node.coordinator || node.secret != group.secret) {
    node.coordinator = std::make_unique<receiver::SyncCoordinator>();
    node.secret = group.secret;
    node.joined.clear();
  }
  node.coordinator->set_members(group, network_.now_ns);
  node.coordinator->tick({network_.now_ns, network_.now_ns});
}

void ModelWall::join_group(size_t sender, size_t number, uint64_t secret) {
  Node& node = *nodes_[number];
  const uint32_t stream = senders_[sender]->stream();
  if (node.secret != secret || !node.coordinator || !node.coordinator->has(stream)) {
    const size_t line = Network::back(group_lines_[sender][number]);
    network_.line(Network::back(line)).open = false;
    return network_.close(line, on_closed(line));
  }
  if (!node.joined.insert(sender).second) {
    node.coordinator->lose(stream, {network_.now_ns, network_.now_ns});
  }
  network_.send(Network::back(group_lines_[sender][number]), "joined", [this, sender] {
    senders_[sender]->decided({.kind = sail::DecisionKind::kJoined});
  });
}

void ModelWall::vote(size_t sender, size_t number, const sail::GroupReady& ready) {
  Node& node = *nodes_[number];
  if (!node.coordinator || !node.joined.contains(sender)) return;
  node.coordinator->ready(senders_[sender]->stream(), ready, {network_.now_ns, network_.now_ns});
}

bool ModelWall::coordinator_answers(size_t sender, size_t number) const {
  const size_t line = Network::back(group_lines_[sender][number]);
  return nodes_[number]->process.runs() && nodes_[number]->joined.contains(sender) &&
         network_.lines()[line].open && !network_.lines()[line].held;
}

void ModelWall::send_decisions(size_t number) {
  Node& node = *nodes_[number];
  if (!node.coordinator) return;
  for (const auto& message : node.coordinator->outgoing()) {
    const size_t to = message.member - 1;
    if (!node.joined.contains(to)) continue;
    static constexpr const char* kNames[] = {"", "joined", "show", "drop", "granted", "alive"};
    network_.send(
        Network::back(group_lines_[to][number]), kNames[static_cast<size_t>(message.decision.kind)],
        [this, to, decision = message.decision] { senders_[to]->decided(decision); },
        static_cast<uint64_t>(message.decision.present_ns / kMs));
  }
  node.coordinator->clear_outgoing();
}

// --- time ---------------------------------------------------------------------------------------

void ModelWall::pass() {
  look();
  int64_t next_ns = frame_at_ns_;
  for (const auto& node : nodes_) {
    if (!node->process.runs()) continue;
    const auto due_ns = node->receiver->next_ns();
    if (due_ns && *due_ns > network_.now_ns) next_ns = std::min(next_ns, *due_ns);
  }
  network_.now_ns = next_ns;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i]->process.runs()) continue;
    network_.begin(nodes_[i]->process, kTime);
    nodes_[i]->receiver->present();
  }
  if (next_ns == frame_at_ns_) tick();
  network_.forget_sent();
  if (recorded()) note(fmt::format("  {} ms: {}", next_ns / kMs, pictures()));
}

void ModelWall::tick() {
  frame_at_ns_ += kFrameNs;
  if (ruler_.runs()) {
    network_.begin(ruler_, kTime);
    director_->tick(network_.now_ns);
    carry_out_orders();
  }
  for (size_t i = 0; i < nodes_.size(); ++i) {
    Node& node = *nodes_[i];
    if (!node.process.runs()) continue;
    network_.begin(node.process, kTime);
    const Line& line = network_.line(node_lines_[i]);
    if (!node.met && ruler_.up && !line.open) meet(node, i);
    if (node.coordinator) node.coordinator->tick({network_.now_ns, network_.now_ns});
    send_decisions(i);
  }
  for (size_t i = 0; i < senders_.size(); ++i) {
    ModelSender& sender = *senders_[i];
    if (!sender.process.runs()) continue;
    network_.begin(sender.process, kTime);
    if (!sender.met && ruler_.up) meet(sender, i);
    sender.tick();
    sender.submit(scenario_.grouped ? network_.now_ns + kAheadNs : 0);
  }
}

// --- what must hold -----------------------------------------------------------------------------

// A decision about a frame that is delayed itself does not count: it should not have been made.
bool ModelWall::decision_is_late(size_t number) const {
  const Line& line = network_.lines()[number];
  std::set<uint64_t> delayed;
  for (const Message& message : line.messages) {
    const std::string_view what = message.what;
    if (what == "frame") delayed.insert(message.frame);
    if (what == "go" || (what == "show" && !delayed.contains(message.frame))) return line.held;
  }
  return false;
}

bool ModelWall::excused(size_t node, size_t sender) const {
  const Node& one = *nodes_[node];
  const bool cut = (ruler_.up && (one.known != one.session || one.laid_out != one.session)) ||
                   senders_[sender]->is_cut_from(node);
  const bool late =
      decision_is_late(node_lines_[node]) || decision_is_late(stream_lines_[sender][node]);
  return excuses(Allowance::kStoppedReceiver, one.process.stopped) ||
         excuses(Allowance::kLateMessage, late) || excuses(Allowance::kCutReceiver, cut) ||
         excuses(Allowance::kLeftBehind, senders_[sender]->leaves_behind(node)) ||
         excuses(Allowance::kDyingSender, sender_died_writing_ && !senders_[sender]->process.up);
}

// The first difference between two tiles. with_late: of those that may differ, too.
std::optional<std::string> ModelWall::difference(bool with_late) const {
  std::optional<int64_t> instant;
  for (size_t s = 0; s < senders_.size(); ++s) {
    std::optional<uint64_t> seen;
    for (size_t n = 0; n < nodes_.size(); ++n) {
      const Node& node = *nodes_[n];
      if (!node.process.up || (late_[n][s] && !with_late)) continue;
      const auto frame = node.receiver->seen(senders_[s]->stream());
      if (!frame) continue;
      if (seen && *seen != *frame) {
        return fmt::format("stream {} shows frames {} and {}", s + 1, *seen, *frame);
      }
      seen = frame;
    }
    if (!scenario_.grouped || !seen || !senders_[s]->process.up) continue;
    const int64_t present_ns = senders_[s]->present_ns(*seen);
    if (instant && *instant != present_ns) return "the group shows frames of two instants";
    instant = present_ns;
  }
  return std::nullopt;
}

// At the end of an instant: all that was due is shown.
void ModelWall::look() {
  for (size_t n = 0; n < nodes_.size(); ++n) {
    for (size_t s = 0; s < senders_.size(); ++s) {
      if (nodes_[n]->process.up && excused(n, s)) late_[n][s] = true;
    }
  }
  if (const auto differ = difference(false)) violate("mixed frame: " + *differ);
  look_at_layouts();
  // All have caught up once they show the same frames by the same layout.
  if (difference(true) || layouts_differ()) return;
  for (size_t n = 0; n < nodes_.size(); ++n) {
    for (size_t s = 0; s < senders_.size(); ++s) {
      if (!excused(n, s)) late_[n][s] = false;
    }
  }
}

bool ModelWall::layouts_differ() const {
  std::set<uint64_t> epochs;
  for (const auto& node : nodes_) {
    if (node->process.up) epochs.insert(node->receiver->shown_epoch());
  }
  epochs.erase(0);
  return epochs.size() > 1;
}

void ModelWall::look_at_layouts() {
  if (network_.now_ns - ruler_died_ns_ <= kHealedNs && ruler_died_ns_ != 0) return;
  std::optional<uint64_t> epoch;
  for (size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = *nodes_[n];
    if (!node.process.up || node.receiver->shown_epoch() == 0) continue;
    if (std::ranges::any_of(late_[n], [](bool late) { return late; })) continue;
    if (epoch && *epoch != node.receiver->shown_epoch()) {
      return violate(fmt::format("layout half: tiles show the layouts {} and {}", *epoch,
                                 node.receiver->shown_epoch()));
    }
    epoch = node.receiver->shown_epoch();
  }
}

std::string ModelWall::unwell() const {
  if (!director_->settled()) return "a layout is not finished";
  for (size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = *nodes_[n];
    if (node.receiver->shown_epoch() != director_->epoch()) {
      return fmt::format("{} shows layout {} instead of {}", node.process.name,
                         node.receiver->shown_epoch(), director_->epoch());
    }
    for (const auto& sender : senders_) {
      const bool here =
          windows_->find(sender->stream()) != nullptr &&
          !sail::intersect(windows_->find(sender->stream())->wall_rect, tiles_.tiles[n].wall_rect)
               .empty();
      if (!sender->process.up || !here) continue;
      const auto seen = node.receiver->seen(sender->stream());
      if (!seen || *seen + 2 < sender->newest()) {
        return fmt::format("{} does not get the frames of stream {}", node.process.name,
                           sender->stream());
      }
    }
  }
  return difference(true).value_or("");
}

std::string ModelWall::pictures() const {
  std::string text;
  for (const auto& node : nodes_) {
    text += node->process.name + " ";
    if (!node->process.up) {
      text += "is dead; ";
      continue;
    }
    text += fmt::format("layout {}", node->receiver->shown_epoch());
    for (const auto& sender : senders_) {
      const auto seen = node->receiver->seen(sender->stream());
      text += seen ? fmt::format(", frame {}", *seen) : ", black";
    }
    text += "; ";
  }
  return text;
}

void ModelWall::finish() {
  faults_left_ = 0;
  const int64_t began_ns = network_.now_ns;
  bool well = false;
  while (wrong().empty() && network_.now_ns - began_ns < kAllWellNs) {
    choices();
    const bool absent = network_.now_ns - began_ns < kAbsentNs;
    const auto next = std::ranges::find_if(choices_, [&](const Choice& choice) {
      return choice.step != Step::kMove && choice.step != Step::kPass &&
             !(absent && choice.step == Step::kBack);
    });
    const Choice chosen = next == choices_.end() ? Choice{Step::kPass, 0, 0} : *next;
    if (recorded()) note(name(chosen));
    if (chosen.step == Step::kPass) {
      const bool is_well = !absent && ruler_.up && unwell().empty();
      const bool frame_next = is_well && std::ranges::all_of(nodes_, [&](const auto& node) {
                                return node->process.runs() && !node->receiver->next_ns();
                              });
      if (frame_next && std::exchange(well, true)) return;
    }
    perform(chosen);
  }
  if (wrong().empty()) violate("waits for ever: " + unwell());
}

}  // namespace model
