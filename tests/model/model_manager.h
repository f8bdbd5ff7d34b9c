// The manager of the model: the product's Director, with the rules of sessions and groups around
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "manager/wall/director.h"
#include "manager/wall/window_stack.h"
#include "tests/model/network.h"

namespace model {

class ModelWall;

class ModelManager {
 public:
  explicit ModelManager(ModelWall& wall) : wall_(wall) {}

  // The process starts, without knowledge, or ends.
  void begin();
  void end();

  // --- peers, by number
  void meet_node(size_t node);
  void node_left(size_t node, int session);
  void meet_sender(size_t sender);
  void sender_left(size_t sender);
  void ready(const sail::EpochReady& ready);

  void tick();
  void move_windows(int x);
  // Sends what was decided since the last call.
  void carry_out_orders();

  bool settled() const { return director_->settled(); }
  uint64_t epoch() const { return director_->epoch(); }
  // The window of this stream; null: none.
  const manager::Window* window(uint32_t stream) const {
    return static_cast<const manager::WindowStack&>(*windows_).find(stream);
  }

  Process process;

 private:
  void execute(const manager::Order& order);
  void send_to(size_t node, const char* what, std::function<void()> arrives, uint64_t epoch);
  void evaluate_group();
  manager::Window new_window(size_t sender) const;
  size_t number_of(const std::string& receiver) const;

  ModelWall& wall_;
  std::unique_ptr<manager::WindowStack> windows_;
  std::unique_ptr<manager::Director> director_;
  std::optional<size_t> coordinator_;  // its node
  uint64_t group_secret_ = 0;
  std::vector<uint32_t> members_;  // of the group, as sent to the coordinator
};

}  // namespace model
