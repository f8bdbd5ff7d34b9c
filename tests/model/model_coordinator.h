// A node's coordinator of a group: the product's SyncCoordinator and its connections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>

#include "receiver/groups/sync_coordinator.h"
#include "sail/core/wire/data/data_messages.h"

namespace model {

class ModelWall;

class ModelCoordinator {
 public:
  ModelCoordinator(ModelWall& wall, size_t node) : wall_(wall), node_(node) {}

  // The node's process ended.
  void end();
  // The manager names the group's members.
  void set_group(const sail::CoordinatedGroup& group);
  void tick();
  // Sends the decisions made so far to the members.
  void send_decisions();

  // --- members, by number of the sender
  void join(size_t sender, uint64_t secret);
  void vote(size_t sender, const sail::GroupReady& ready);
  void lose(size_t sender);
  // Whether the heartbeats arrive.
  bool answers(size_t sender) const;

 private:
  receiver::SyncCoordinator::Now now() const;

  ModelWall& wall_;
  const size_t node_;
  std::unique_ptr<receiver::SyncCoordinator> coordinator_;  // empty: no group
  uint64_t secret_ = 0;                                     // of the group
  std::set<size_t> joined_;                                 // senders with a connection
};

}  // namespace model
