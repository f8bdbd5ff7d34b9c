// Authorises the requests of connections to the data port: to send a stream's frames or its sound,
// to get the pictures of a snapshot, or to join a group. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "receiver/frame/canvas.h"
#include "receiver/groups/groups.h"
#include "receiver/intake/data_sessions.h"
#include "receiver/intake/memory_budget.h"
#include "receiver/intake/packet_port.h"
#include "receiver/intake/stream_frames.h"
#include "receiver/snapshot/snapshots.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"

namespace receiver {

class DataGrants {
 public:
  struct Handlers {
    // Converts steady time to wall time.
    std::function<int64_t(int64_t steady_ns)> to_wall_ns;
    // Report to the manager that members of a group are absent.
    std::function<void(const sail::GroupAbsent&)> on_group_absent;
    // A member of a group that is coordinated here has a frame ready.
    std::function<void()> on_group_ready;
  };
  // `frames` has the streams. `memory` is the budget of all streams; it must outlive the sessions.
  DataGrants(sail::Loop& loop, DataSessions& sessions, const StreamFrames& frames,
             MemoryBudget& memory, Handlers handlers, const sail::Log& log);

  // Sets the port of streams that send packets; earlier streams keep theirs.
  void set_packets(std::shared_ptr<PacketPort> packets) { packets_ = std::move(packets); }
  const PacketPort* packets() const { return packets_.get(); }
  void listen_to_tests(const sail::Address& group, bool loopback) {
    if (packets_) packets_->listen_to_tests(group, loopback);
  }

  // Whether a sender of the stream's frames is connected.
  bool has_sender(uint32_t stream) const;
  // Grants the session's request if the manager has announced it. Returns an error if it can never
  // be granted.
  std::optional<sail::DataError> grant(DataSession& session);

  // The manager's announcements. Call grant() for waiting sessions afterwards.
  // Sets the streams whose sound is accepted, with their secrets; ends all other sound sessions.
  void set_sounds(const std::map<uint32_t, uint64_t>& secrets);
  void set_groups(const sail::CoordinatedGroups& groups) { groups_.set_groups(groups); }
  // Returns the snapshot's id for send_pictures(); empty optional: too many snapshots are open.
  std::optional<uint64_t> permit_snapshot(uint64_t secret) { return snapshots_.permit(secret); }
  void send_pictures(uint64_t snapshot, std::vector<TileImage> pictures) {
    snapshots_.send(snapshot, std::move(pictures));
  }

  // Ends the sessions that send frames of these streams.
  void end_streams(const std::vector<uint32_t>& streams, const std::string& text);
  // Closes the connections that snapshots and groups have taken, and notifies their peers.
  void shut_down();

 private:
  struct SoundStream {
    uint64_t secret = 0;
    uint64_t session = 0;  // 0: none so far
  };

  std::optional<sail::DataError> grant_stream(DataSession& session);
  std::optional<sail::DataError> accept_stream(DataSession& session);
  std::optional<sail::DataError> grant_sound(DataSession& session);
  void grant_snapshot(DataSession& session);
  void grant_group(DataSession& session);
  bool is_open(uint64_t session) const { return sessions_.find(session) != nullptr; }

  DataSessions& sessions_;
  const StreamFrames& frames_;
  MemoryBudget& memory_;
  const std::function<int64_t(int64_t steady_ns)> to_wall_ns_;
  const sail::Log& log_;
  std::shared_ptr<PacketPort> packets_;
  Snapshots snapshots_;
  Groups groups_;
  // By stream number: the session granted last, which may be over.
  std::map<uint32_t, uint64_t> senders_;
  std::map<uint32_t, SoundStream> sounds_;
};

}  // namespace receiver
