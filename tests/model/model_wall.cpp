#include "tests/model/model_wall.h"

#include <fmt/core.h>

#include <algorithm>

namespace model {
namespace {

constexpr int64_t kAheadNs = 50 * kMs;  // of the frames of a group
constexpr uint64_t kTime = 1;
constexpr uint64_t kDone = 2;

}  // namespace

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
    nodes_.push_back(std::make_unique<ModelNode>(
        ModelNode{.process = {.name = tile.name}, .group = {*this, i}}));
    start_receiver(i);
  }
  for (size_t i = 0; i < scenario.senders; ++i) {
    senders_.push_back(std::make_unique<ModelSender>(*this, i, scenario.grouped));
    senders_.back()->process.name = fmt::format("sender {}", i + 1);
  }
  manager_.process.name = "manager";
  connect_all();
  manager_.begin();
  for (size_t i = 0; i < nodes(); ++i) manager_.meet_node(i);
  for (size_t i = 0; i < senders(); ++i) manager_.meet_sender(i);
  frame_at_ns_ = network_.now_ns + kFrameNs;
}

void ModelWall::connect_all() {
  for (const auto& node : nodes_) {
    node_lines_.push_back(network_.connect(manager_.process, node->process));
  }
  for (const auto& sender : senders_) {
    sender_lines_.push_back(network_.connect(manager_.process, sender->process));
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

Process& ModelWall::process(size_t number) {
  if (number == 0) return manager_.process;
  if (is_node(number)) return nodes_[number - 1]->process;
  return senders_[number - 1 - nodes()]->process;
}

void ModelWall::start_receiver(size_t number) {
  ModelNode& node = *nodes_[number];
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

// --- steps --------------------------------------------------------------------------------------

void ModelWall::deliver(size_t line) {
  network_.deliver(line);
  after_step(*network_.line(line).to);
}

void ModelWall::after_step(const Process& process) {
  if (&process == &manager_.process) return manager_.carry_out_orders();
  for (const auto& node : nodes_) {
    if (&process != &node->process) continue;
    node->receiver->present();
    node->group.send_decisions();
  }
}

void ModelWall::move_windows(int x) {
  network_.begin(manager_.process, kDone);
  manager_.move_windows(x);
}

void ModelWall::kill(size_t number, uint64_t left) {
  Process& killed = process(number);
  killed.history = mix(killed.history, left);
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
  if (number == 0) manager_.end();
  if (is_node(number)) kill_node(*nodes_[number - 1]);
}

void ModelWall::kill_node(ModelNode& node) {
  node.receiver.reset();
  node.group.end();
  node.met = false;
}

void ModelWall::back(size_t number) {
  Process& process = this->process(number);
  process.up = true;
  process.history = mix(kDone, static_cast<uint64_t>(process.life));
  network_.begin(process, kDone);
  number == 0 ? manager_.begin() : start_receiver(number - 1);
}

void ModelWall::go_on(size_t number) {
  process(number).stopped = false;
  network_.begin(process(number), kDone);
  after_step(process(number));
}

// --- connections --------------------------------------------------------------------------------

void ModelWall::cut(size_t line) {
  for (const size_t way : {line, Network::back(line)}) {
    network_.line(way).messages.clear();
    network_.close(way, on_closed(way));
  }
}

void ModelWall::suspect(size_t sender, size_t node) {
  network_.begin(senders_[sender]->process, mix(kDone, node + 1));
  senders_[sender]->suspect(node);
}

void ModelWall::refuse(size_t line) {
  network_.line(line).open = false;
  network_.close(Network::back(line), on_closed(Network::back(line)));
}

// What the process at the end of this line does when the connection is closed.
std::function<void()> ModelWall::on_closed(size_t number) {
  const size_t out = number & ~size_t{1};
  const bool forward = out == number;
  for (size_t i = 0; i < nodes(); ++i) {
    if (node_lines_[i] != out) continue;
    if (!forward)
      return [this, i, session = nodes_[i]->session] { manager_.node_left(i, session); };
    return [this, i] {
      nodes_[i]->met = false;
      nodes_[i]->receiver->lose_manager();
    };
  }
  for (size_t s = 0; s < senders(); ++s) {
    if (sender_lines_[s] == out) {
      if (forward) return [this, s] { senders_[s]->lose_manager(); };
      return [this, s] { manager_.sender_left(s); };
    }
    if (auto closed = on_data_closed(s, out, forward)) return closed;
  }
  return [] {};
}

// Empty: this line is not from the sender to a receiver.
std::function<void()> ModelWall::on_data_closed(size_t s, size_t out, bool forward) {
  ModelSender& sender = *senders_[s];
  for (size_t i = 0; i < nodes(); ++i) {
    if (stream_lines_[s][i] == out) {
      if (forward) return [] {};
      return [&sender, i, life = nodes_[i]->process.life] { sender.lose(i, life); };
    }
    if (!scenario_.grouped || group_lines_[s][i] != out) continue;
    if (!forward) return [&sender] { sender.lose_coordinator(); };
    return [this, s, i] { nodes_[i]->group.lose(s); };
  }
  return {};
}

// --- time ---------------------------------------------------------------------------------------

void ModelWall::pass() {
  int64_t next_ns = frame_at_ns_;
  for (const auto& node : nodes_) {
    if (!node->process.runs()) continue;
    const auto due_ns = node->receiver->next_ns();
    if (due_ns && *due_ns > network_.now_ns) next_ns = std::min(next_ns, *due_ns);
  }
  network_.now_ns = next_ns;
  for (const auto& node : nodes_) {
    if (!node->process.runs()) continue;
    network_.begin(node->process, kTime);
    node->receiver->present();
  }
  if (next_ns == frame_at_ns_) tick();
  network_.forget_sent();
}

bool ModelWall::rests() const {
  return std::ranges::all_of(
      nodes_, [](const auto& node) { return node->process.runs() && !node->receiver->next_ns(); });
}

void ModelWall::tick() {
  frame_at_ns_ += kFrameNs;
  if (manager_.process.runs()) {
    network_.begin(manager_.process, kTime);
    manager_.tick();
  }
  for (size_t i = 0; i < nodes(); ++i) tick_node(i);
  for (size_t i = 0; i < senders(); ++i) tick_sender(i);
}

void ModelWall::tick_node(size_t number) {
  ModelNode& node = *nodes_[number];
  if (!node.process.runs()) return;
  network_.begin(node.process, kTime);
  const bool reachable = manager_.process.up && !network_.line(node_lines_[number]).open;
  if (!node.met && reachable) manager_.meet_node(number);
  node.group.tick();
  node.group.send_decisions();
}

void ModelWall::tick_sender(size_t number) {
  ModelSender& sender = *senders_[number];
  if (!sender.process.runs()) return;
  network_.begin(sender.process, kTime);
  if (!sender.met && manager_.process.up) manager_.meet_sender(number);
  sender.tick();
  sender.submit(scenario_.grouped ? network_.now_ns + kAheadNs : 0);
}

}  // namespace model
