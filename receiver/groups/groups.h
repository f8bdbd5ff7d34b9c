// The sync groups that the manager assigned to this node, and their members. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "receiver/groups/sync_coordinator.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/group.h"

namespace receiver {

class Groups {
 public:
  // on_absent: called when the set of absent members changes, to notify the manager.
  // on_ready: called when a member has a frame ready.
  Groups(sail::Loop& loop, std::function<int64_t(int64_t steady_ns)> to_wall_ns,
         std::function<void(const sail::GroupAbsent&)> on_absent, std::function<void()> on_ready);
  ~Groups();

  // Sets the groups; all others end.
  void set_groups(const sail::CoordinatedGroups& groups);
  // Returns true if the stream is a member of the group with this secret.
  bool has_member(uint64_t secret, uint32_t stream) const;
  // Adds a member's connection; has_member() must be true. Closes the member's previous connection.
  void add_member(uint64_t secret, uint32_t stream,
                  std::unique_ptr<sail::TcpConnection> connection);
  // Closes all connections and notifies the members.
  void shut_down();

 private:
  class MemberConnection;
  struct Group {
    SyncCoordinator coordinator;
    std::map<uint32_t, std::unique_ptr<MemberConnection>> connections;  // by stream number
    std::vector<uint32_t> absent;                                       // as last reported
  };
  SyncCoordinator::Now now() const;
  std::optional<sail::DataError> on_ready(uint64_t secret, uint32_t stream,
                                          const sail::GroupReady& ready);
  void on_lost(uint64_t secret, uint32_t stream);
  void execute(Group& group);
  void tick(uint64_t secret, Group& group);

  sail::Loop& loop_;
  const std::function<int64_t(int64_t)> to_wall_ns_;
  const std::function<void(const sail::GroupAbsent&)> on_absent_;
  const std::function<void()> on_ready_;
  std::map<uint64_t, Group> groups_;  // by secret
  sail::Timer tick_;
  int64_t ticked_ns_ = 0;
};

}  // namespace receiver
