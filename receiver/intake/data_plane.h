// The receiver's data port: accepts connections and packets, assembles the frames of the scenes'
// streams, and serves announced snapshots. Loop thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "receiver/decode/decode_thread.h"
#include "receiver/decode/visible_region.h"
#include "receiver/frame/tile_image.h"
#include "receiver/groups/groups.h"
#include "receiver/intake/data_session.h"
#include "receiver/intake/data_sessions.h"
#include "receiver/intake/jitter_buffer.h"
#include "receiver/intake/memory_budget.h"
#include "receiver/intake/memory_trim.h"
#include "receiver/intake/packet_port.h"
#include "receiver/intake/ready_frames.h"
#include "receiver/snapshot/snapshots.h"
#include "sail/core/base/frame_trace.h"
#include "sail/core/base/log.h"
#include "sail/core/base/rate_limited_log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/control_messages.h"

namespace receiver {

class DataPlane final : private DataSession::Host {
 public:
  struct Handlers {
    // The sender announced when to show a frame; see show().
    std::function<void(uint32_t stream, const sail::FrameShow&)> on_show;
    // A frame arrived after its sender had asked to show it: show it immediately.
    std::function<void(std::unique_ptr<Frame>)> on_due;
    // Copy the tiles at this wall time, then call send_pictures().
    std::function<void(uint64_t snapshot, int64_t at_ns)> on_snapshot;
    // Sound of a stream that is played here. The samples are valid only during the call.
    std::function<void(uint32_t stream, const sail::Sound&)> on_sound;
    // Report to the manager that members of a group are absent.
    std::function<void(const sail::GroupAbsent&)> on_group_absent{};
    // Converts steady time to wall time.
    std::function<int64_t(int64_t steady_ns)> to_wall_ns;
  };
  struct Counters {
    uint64_t frames_shown = 0;
    uint64_t frames_dropped = 0;
    uint64_t bytes_received = 0;
    uint64_t sessions_refused = 0;
    uint64_t blocks_decoded = 0;    // of codecs that need decoding
    uint64_t blocks_concealed = 0;  // blocks among them that could not be decoded
    uint64_t frames_decoded = 0;    // of codecs that need decoding
    int64_t decode_ns = 0;          // total time spent decoding them
  };

  struct Options {
    int decode_workers = 0;                             // threads in addition to the decode thread
    size_t memory_bytes = MemoryBudget::usual_bytes();  // budget of all streams together
    int64_t open_timeout_ms = sail::kDataOpenTimeoutMs;
    sail::FrameTrace* trace = nullptr;  // records all frames; must outlive this
  };
  DataPlane(sail::Loop& loop, Handlers handlers, const sail::Log& log, const Options& options);
  ~DataPlane() override;

  // Listens on this numeric address (port 0: the system chooses) for TCP connections, and on the
  // same port for UDP packets. Keeps the port if already listening on this host. Returns the port.
  sail::Result<uint16_t> listen(const sail::Address& at);
  // Returns the fingerprint of the TLS certificate that the port presents.
  const std::string& certificate() const { return sail::TcpListener::fingerprint(loop_); }

  // Sets the tiles that show the scenes.
  void set_tiles(const std::vector<sail::TileInfo>& tiles);
  // Announces the next scene; its streams may connect from now on.
  void prepare(const sail::Scene& scene);
  // Makes this the only scene: ends the streams that it does not contain.
  void commit(const sail::Scene& scene);
  // The committed scene is on screen: drops frames of earlier epochs.
  void end_former_epochs();
  // Returns the epoch of the stream's committed layout. Empty optional: no such stream.
  std::optional<uint64_t> epoch_of(uint32_t stream) const;
  // Marks the frame as due and returns it; null if it is not here (yet).
  std::unique_ptr<Frame> take(uint32_t stream, const FrameKey& key);
  // Drops this frame and all older ones, now and when they arrive.
  void drop_frames(uint32_t stream, const FrameKey& key);
  // Drops this frame and older ones of its epoch: their layout will not be shown.
  void leave_out_frames(uint32_t stream, const FrameKey& key);
  // Sets the render time to report to senders: the slowest recent time to paint a swap.
  void set_render_ns(int64_t render_ns) { render_ns_ = render_ns; }
  // Sets the refresh of the displays, in wall time.
  void set_refresh(const sail::Refresh& refresh) { refresh_ = refresh; }

  void report(const EndedFrame& ended);
  void give_back(std::unique_ptr<Frame> frame);

  // Sets the streams whose sound is accepted, with their secrets; ends all other sound sessions.
  void set_sounds(const std::map<uint32_t, uint64_t>& secrets);

  // Sets the sync groups that this node coordinates, as sent by the manager.
  void set_groups(const sail::GroupTables& told);

  // Called when the manager announces a snapshot. A peer that presents this secret, now or soon,
  // gets the pictures of that wall time, once.
  void permit_snapshot(uint64_t secret, int64_t at_ns);
  void send_pictures(uint64_t snapshot, std::vector<TileImage> pictures) {
    snapshots_.send(snapshot, std::move(pictures));
  }

  // Closes all sessions and notifies their peers.
  void shut_down();

  const Counters& counters() const { return counters_; }
  // Returns the number of refused datagrams since listen().
  uint64_t packets_refused() const { return packets_ ? packets_->dropped().all() : 0; }
  PacketPort::Senders refused_senders() const {
    return packets_ ? packets_->senders() : PacketPort::Senders();
  }

 private:
  struct Stream {
    sail::SceneWindow window;
    VisibleRegion shown;
    JitterBuffer held;  // jitter buffer: frames that are here before they may be ready
    ReadyFrames frames;
    uint64_t session = 0;  // 0: none
    bool fault_reported = false;
  };
  struct SoundStream {
    uint64_t secret = 0;
    uint64_t session = 0;  // 0: none
  };
  // A completely received frame that waits for decoding.
  struct Undecoded {
    std::unique_ptr<Frame> frame;
    uint64_t secret = 0;  // the stream's secret: another stream may take over its number meanwhile
  };

  std::optional<sail::DataError> first_message(DataSession& session) override;
  void bytes_read(size_t bytes) override { counters_.bytes_received += bytes; }
  void hear(uint32_t stream, const sail::Sound& sound) override {
    handlers_.on_sound(stream, sound);
  }
  void show(uint32_t stream, const sail::FrameShow& show) override {
    handlers_.on_show(stream, show);
  }
  void frame_whole(std::unique_ptr<Frame> frame) override;
  void frame_incomplete(std::unique_ptr<Frame> frame) override;
  void frame_lost(const FrameSource& source, const FrameKey& key,
                  std::unique_ptr<Frame> frame) override;
  void session_over(uint64_t session, const std::optional<sail::DataError>& error) override;

  void decode_next();
  void frame_decoded(std::unique_ptr<Frame> frame, const BlockDecoder::Counts& counts);
  void report_fault(const Frame& frame, const BlockDecoder::Counts& counts);
  // Queues a frame for presentation, or drops it if its stream has ended or it is too old.
  void queue(std::unique_ptr<Frame> frame, uint64_t secret);
  void make_ready(Stream& stream, std::unique_ptr<Frame> frame);
  void note(sail::TraceStage stage, const Frame& frame, int64_t begin_ns, int64_t end_ns);
  // Makes frames ready whose time has come, and all frames up to `key`.
  void release_held(Stream& stream, int64_t now_ns, const FrameKey& key = {});
  void release_all_held();
  void on_descriptors_exhausted(const sail::Error& why);
  void on_connection(std::unique_ptr<sail::TcpConnection> connection);
  // Grants the session's request if it is known here. Returns an error if it can never be granted.
  std::optional<sail::DataError> try_grant(DataSession& session);
  std::optional<sail::DataError> try_stream(DataSession& session);
  std::optional<sail::DataError> try_sound(DataSession& session);
  void try_snapshot(DataSession& session);
  void try_group(DataSession& session);
  void try_all_waiting();
  void end_session(uint64_t id, sail::CloseReason reason, const std::string& text);
  void forget_session(uint64_t id);
  void end_stream(Stream& stream, const std::string& text);
  void drop(std::vector<DroppedFrame>& dropped);
  void run_housekeeping();

  sail::Loop& loop_;
  Handlers handlers_;
  const sail::Log& log_;
  sail::RateLimitedLog rate_limited_log_;
  const int64_t open_timeout_ms_;
  sail::FrameTrace* const trace_;
  std::unique_ptr<sail::TcpListener> listener_;
  std::shared_ptr<PacketPort> packets_;  // sessions of an earlier address keep their port
  MemoryBudget memory_;
  MemoryTrim trim_;
  DataSessions sessions_;
  Snapshots snapshots_;
  Groups groups_;
  uint64_t next_id_ = 1;  // of the next session
  std::vector<sail::TileView> tiles_;
  std::map<uint32_t, Stream> streams_;      // of the shown and the announced scene
  std::map<uint32_t, SoundStream> sounds_;  // by stream number
  sail::FineTimer hold_timer_;              // fires when the next held frame of any stream is due
  sail::Timer housekeeping_;
  std::vector<DroppedFrame> dropped_;  // kept for its capacity
  // Frames that wait for decoding, in the order of their completion. Every receiver of a stream
  // decodes all useful frames in order. If receivers skipped frames independently, they would
  // rarely have the same frame, and the swap barrier would wait in vain. The frames in flight bound
  // this queue, so a slow decoder slows the sender, which then drops frames before encoding them.
  std::deque<Undecoded> undecoded_;
  uint64_t decoding_secret_ = 0;  // of the stream whose frame is being decoded
  int64_t decoding_since_ns_ = 0;
  int64_t render_ns_ = 0;
  sail::Refresh refresh_;
  Counters counters_;
  DecodeThread decoder_;
};

}  // namespace receiver
