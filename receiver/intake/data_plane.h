// The receiver's data port: accepts connections and packets, and passes the manager's announcements
// to StreamFrames (scenes) and DataGrants (sound, groups, snapshots). Loop thread.
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
#include "receiver/intake/data_grants.h"
#include "receiver/intake/data_session.h"
#include "receiver/intake/data_sessions.h"
#include "receiver/intake/memory_budget.h"
#include "receiver/intake/packet_port.h"
#include "receiver/intake/stream_frames.h"
#include "sail/core/base/frame_trace.h"
#include "sail/core/base/log.h"
#include "sail/core/base/rate_limited_log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/receiver_messages.h"

namespace receiver {

class DataPlane final : private DataSession::Host {
 public:
  struct Handlers {
    // The sender announced when to show a frame.
    std::function<void(uint32_t stream, const sail::FrameShow&)> on_show;
    // A frame arrived after its sender had asked to show it: show it immediately.
    std::function<void(std::unique_ptr<Frame>)> on_due;
    // Copy the tiles at this wall time, then call send_pictures().
    std::function<void(uint64_t snapshot, int64_t at_ns)> on_snapshot;
    // Sound of a stream that is played here. The samples are valid only during the call.
    std::function<void(uint32_t stream, const sail::Sound&)> on_sound;
    // Report to the manager that members of a group are absent.
    std::function<void(const sail::GroupAbsent&)> on_group_absent{};
    // A member of a group that is coordinated here has a frame ready.
    std::function<void()> on_group_ready{};
    // A thumbnail of a carried stream was made.
    std::function<void(const sail::Thumbnail&)> on_thumbnail{};
    // Converts steady time to wall time.
    std::function<int64_t(int64_t steady_ns)> to_wall_ns;
  };
  struct Counters {
    uint64_t bytes_received = 0;
    uint64_t sessions_refused = 0;
    uint64_t other_versions = 0;  // sessions_refused because of the data protocol's version
  };

  struct Options {
    // Set: no frame is decoded, and this is called for each whole one.
    std::function<void(const Frame&)> on_whole{};
    int decode_workers = 0;                             // in addition to the decode threads
    size_t memory_bytes = MemoryBudget::usual_bytes();  // budget of all streams together
    int64_t open_timeout_ms = sail::kDataOpenTimeoutMs;
    sail::FrameTrace* trace = nullptr;  // records all frames; must outlive this
  };
  DataPlane(sail::Loop& loop, Handlers handlers, const sail::Log& log, const Options& options);

  // Listens on this numeric address (port 0: the system chooses) for TCP connections, and on the
  // same port for UDP packets. Keeps the port if already listening on this host. Returns the port.
  sail::Result<uint16_t> listen(const sail::Address& at);
  // Counts packets to this multicast group as refused, until listen() opens another port. loopback:
  // only those from this host.
  void listen_to_tests(const sail::Address& group, bool loopback) {
    grants_.listen_to_tests(group, loopback);
  }
  // Returns the fingerprint of the TLS certificate that the port presents.
  const std::string& certificate() const { return sail::TcpListener::fingerprint(loop_); }

  // Whether a sender of the stream's frames is connected.
  bool has_sender(uint32_t stream) const { return grants_.has_sender(stream); }
  // The streams' frames: those due, and their results.
  StreamFrames& frames() override { return frames_; }

  // Announces the next scene; its streams may connect from now on.
  void prepare(const sail::Scene& scene);
  // Makes this the only scene: ends the streams that it does not contain. See StreamFrames.
  void commit(const sail::Scene& scene, uint32_t asked_by = 0);

  // Sets the streams whose sound is accepted, with their secrets; ends all other sound sessions.
  void set_sounds(const std::map<uint32_t, uint64_t>& secrets);

  // Sets the sync groups that this node coordinates, as sent by the manager.
  void set_groups(const sail::CoordinatedGroups& groups);

  // Called when the manager announces a snapshot. A peer that presents this secret, now or soon,
  // gets the pictures of that wall time, once.
  void permit_snapshot(uint64_t secret, int64_t at_ns);
  void send_pictures(uint64_t snapshot, std::vector<TileImage> pictures) {
    grants_.send_pictures(snapshot, std::move(pictures));
  }

  // Closes all sessions and notifies their peers.
  void shut_down();

  const Counters& counters() const { return counters_; }
  const MemoryBudget& memory() const { return memory_; }
  // Reserves memory for a fade until end_fade(), unless it is reserved. Returns false, and logs
  // why, if too little is left.
  bool reserve_fade(size_t bytes);
  void end_fade() { fade_memory_ = {}; }
  // Returns the number of refused datagrams since listen().
  uint64_t packets_refused() const {
    return grants_.packets() != nullptr ? grants_.packets()->dropped().all() : 0;
  }
  PacketPort::Senders refused_senders() const {
    return grants_.packets() != nullptr ? grants_.packets()->senders() : PacketPort::Senders();
  }

 private:
  std::optional<sail::DataError> on_first_request(DataSession& session) override {
    return grants_.grant(session);
  }
  void bytes_read(size_t bytes) override { counters_.bytes_received += bytes; }
  void on_sound(uint32_t stream, const sail::Sound& sound) override {
    handlers_.on_sound(stream, sound);
  }
  void show(uint32_t stream, const sail::FrameShow& show) override {
    handlers_.on_show(stream, show);
  }
  void session_over(uint64_t session, const std::optional<sail::DataError>& error) override;

  void on_descriptors_exhausted(const sail::Error& why);
  void on_connection(std::unique_ptr<sail::TcpConnection> connection);
  void grant_waiting();
  void run_housekeeping();

  sail::Loop& loop_;
  Handlers handlers_;
  const sail::Log& log_;
  sail::RateLimitedLog rate_limited_log_;
  const int64_t open_timeout_ms_;
  std::unique_ptr<sail::TcpListener> listener_;
  MemoryBudget memory_;
  MemoryBudget::Share fade_memory_;
  MemoryTrim trim_;
  DataSessions sessions_;  // destroyed before the budget, from which its sessions have taken memory
  StreamFrames frames_;
  DataGrants grants_;
  uint64_t next_id_ = 1;  // id of the next session
  sail::Timer housekeeping_;
  Counters counters_;
};

}  // namespace receiver
