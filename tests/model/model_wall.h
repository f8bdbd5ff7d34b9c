// A modelled wall: a manager, receivers and senders, and the connections between them. The code
// that decides is the product's: Director, SwapPlan, LayoutGate, ReadyFrames, SwapSchedule and
// SyncCoordinator.
//
// Time passes in steps: to the next frame, check or swap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "tests/model/model_coordinator.h"
#include "tests/model/model_manager.h"
#include "tests/model/model_receiver.h"
#include "tests/model/model_sender.h"
#include "tests/model/network.h"
#include "tests/model/scenario.h"

namespace model {

constexpr int64_t kFrameNs = 200 * kMs;  // interval of frames and of checks

// A receiver's process.
struct ModelNode {
  Process process;
  std::unique_ptr<ModelReceiver> receiver{};  // empty: it is dead
  ModelCoordinator group;
  bool met = false;  // it has a session with the manager
  int session = 0;   // number of that session
  int known = 0;     // the session that the manager knows; 0: none
  int laid_out = 0;  // the session in which it got its last layout
};
// The node, and which of its lives listens at this port.
std::pair<size_t, int> node_at(uint16_t port);

class ModelWall {
 public:
  explicit ModelWall(const Scenario& scenario);

  // --- parts
  const Scenario& scenario() const { return scenario_; }
  const sail::Wall& tiles() const { return tiles_; }
  Network& network() { return network_; }
  const Network& network() const { return network_; }
  ModelManager& manager() { return manager_; }
  const ModelManager& manager() const { return manager_; }
  size_t nodes() const { return nodes_.size(); }
  ModelNode& node(size_t number) { return *nodes_[number]; }
  const ModelNode& node(size_t number) const { return *nodes_[number]; }
  size_t senders() const { return senders_.size(); }
  ModelSender& sender(size_t number) { return *senders_[number]; }
  const ModelSender& sender(size_t number) const { return *senders_[number]; }
  // By number: the manager, the nodes, the senders.
  size_t processes() const { return 1 + nodes() + senders(); }
  Process& process(size_t number);
  const Process& process(size_t number) const {
    return const_cast<ModelWall&>(*this).process(number);
  }
  bool is_node(size_t process) const { return process > 0 && process <= nodes(); }
  bool is_sender(size_t process) const { return process > nodes(); }

  // --- connections, by the line from the manager or the sender
  size_t node_line(size_t node) const { return node_lines_[node]; }
  size_t sender_line(size_t sender) const { return sender_lines_[sender]; }
  size_t stream_line(size_t sender, size_t node) const { return stream_lines_[sender][node]; }
  size_t group_line(size_t sender, size_t node) const { return group_lines_[sender][node]; }
  // The process at the end of this line closes the connection.
  void refuse(size_t line);

  // Whether nothing happens before the next frame.
  bool rests() const;

  // --- steps
  void deliver(size_t line);
  void pass();
  void move_windows(int x);
  // left: distinguishes what the process left undone.
  void kill(size_t process, uint64_t left);
  void back(size_t process);
  void go_on(size_t process);
  // Both ends learn it, and what was on the way is lost.
  void cut(size_t line);
  void suspect(size_t sender, size_t node);

 private:
  void connect_all();
  void start_receiver(size_t number);
  void after_step(const Process& process);
  void kill_node(ModelNode& node);
  std::function<void()> on_closed(size_t line);
  std::function<void()> on_data_closed(size_t sender, size_t line, bool forward);
  void tick();
  void tick_node(size_t number);
  void tick_sender(size_t number);

  const Scenario scenario_;
  Network network_;
  sail::Wall tiles_;
  ModelManager manager_{*this};
  std::vector<std::unique_ptr<ModelNode>> nodes_;
  std::vector<std::unique_ptr<ModelSender>> senders_;
  std::vector<size_t> node_lines_;
  std::vector<size_t> sender_lines_;
  std::vector<std::vector<size_t>> stream_lines_;
  std::vector<std::vector<size_t>> group_lines_;  // empty without a group
  int64_t frame_at_ns_ = 0;
};

}  // namespace model
