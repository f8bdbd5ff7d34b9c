// The receiver's data port: its connections and packets, the streams of the scenes and their
// frames, and the snapshots asked for. Loop thread.
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

#include "receiver/data_session.h"
#include "receiver/data_sessions.h"
#include "receiver/decode_thread.h"
#include "receiver/frame_hold.h"
#include "receiver/frame_queue.h"
#include "receiver/groups.h"
#include "receiver/memory_budget.h"
#include "receiver/memory_trim.h"
#include "receiver/packet_port.h"
#include "receiver/shown_part.h"
#include "receiver/snapshots.h"
#include "receiver/tile_copy.h"
#include "sail/base/frame_trace.h"
#include "sail/base/log.h"
#include "sail/base/rare_log.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/wire/control_messages.h"

namespace receiver {

// What became of a frame, for SAIL. Stamps in steady time.
struct EndedFrame {
  uint32_t stream = 0;
  uint64_t session = 0;
  FrameKey key;
  int64_t assembled_ns = 0;
  int64_t swapped_ns = 0;  // 0: dropped
  sail::DropCause cause{};
};

class DataPlane final : private DataSession::Host {
 public:
  struct Handlers {
    // Its sender says when a frame is to be shown, see show().
    std::function<void(uint32_t stream, const sail::FrameShow&)> on_show;
    // It was to be shown before it came: at once.
    std::function<void(std::unique_ptr<Frame>)> on_due;
    // The tiles are to be copied at that wall time, see send_pictures().
    std::function<void(uint64_t snapshot, int64_t at_ns)> on_snapshot;
    // Of a stream whose sound is played here; copied, if anything.
    std::function<void(uint32_t stream, const sail::Sound&)> on_sound;
    // The manager should hear that.
    std::function<void(const sail::GroupAbsent&)> on_group_absent{};
    // Turns our steady time into wall time.
    std::function<int64_t(int64_t steady_ns)> to_wall_ns;
  };
  struct Counters {
    uint64_t frames_shown = 0;
    uint64_t frames_dropped = 0;
    uint64_t bytes_received = 0;
    uint64_t sessions_refused = 0;
    uint64_t blocks_decoded = 0;    // of codecs that need it
    uint64_t blocks_concealed = 0;  // unreadable ones of them
    uint64_t frames_decoded = 0;    // of codecs that need it
    int64_t decode_ns = 0;          // that they took
  };

  struct Options {
    int decode_workers = 0;  // that decode blocks besides the thread that does
    size_t memory_bytes = MemoryBudget::usual_bytes();  // for all streams
    int64_t open_timeout_ms = sail::kDataOpenTimeoutMs;
    sail::FrameTrace* trace = nullptr;  // of all frames; outlives this
  };
  DataPlane(sail::Loop& loop, Handlers handlers, const sail::Log& log, const Options& options);
  ~DataPlane() override;

  // Listens on this address (numeric; port 0: the system chooses), for connections and, on the port
  // of the same number, for packets; keeps the port when it did so on this host before. The port.
  sail::Result<uint16_t> listen(const sail::Address& at);
  // The fingerprint of the certificate that is shown there.
  const std::string& certificate() const { return sail::TcpListener::fingerprint(loop_); }

  // What this node shows the scenes on.
  void set_tiles(const std::vector<sail::TileInfo>& tiles);
  // The scene to come: its streams may connect.
  void prepare(const sail::Scene& scene);
  // It is the only one now: streams that are not in it end.
  void commit(const sail::Scene& scene);
  // It is shown: nothing is to be seen before it any more.
  void end_former_epochs();
  // The epoch of the layout that is shown of a stream; nothing: there is no such stream.
  std::optional<uint64_t> epoch_of(uint32_t stream) const;
  // The frame, which is to be shown, or null when it is not here (yet).
  std::unique_ptr<Frame> take(uint32_t stream, const FrameKey& key);
  // Neither that one nor those before it are to be shown.
  void drop_frames(uint32_t stream, const FrameKey& key);
  // Nor those of its epoch, whose layout is not to be.
  void leave_out_frames(uint32_t stream, const FrameKey& key);
  // What senders are told with each frame that is ready: how long the slowest lately took to be
  // painted.
  void set_render_ns(int64_t render_ns) { render_ns_ = render_ns; }
  // Of the displays, in wall time.
  void set_refresh(const sail::Refresh& refresh) { refresh_ = refresh; }

  void report(const EndedFrame& ended);
  void give_back(std::unique_ptr<Frame> frame);

  // Only the sound of these streams may come: of each its secret.
  void set_sounds(const std::map<uint32_t, uint64_t>& secrets);

  // From the manager.
  void set_groups(const sail::GroupTables& told);

  // From the manager: who brings this secret, now or a little later, gets the pictures of that wall
  // time, once.
  void permit_snapshot(uint64_t secret, int64_t at_ns);
  void send_pictures(uint64_t snapshot, std::vector<TileCopy> pictures) {
    snapshots_.send(snapshot, std::move(pictures));
  }

  // Tells all peers.
  void shut_down();

  const Counters& counters() const { return counters_; }
  // Datagrams, since it listens.
  uint64_t packets_refused() const { return packets_ ? packets_->dropped().all() : 0; }
  PacketPort::Senders refused_senders() const {
    return packets_ ? packets_->senders() : PacketPort::Senders();
  }

 private:
  struct Stream {
    sail::SceneWindow window;
    ShownPart shown;
    FrameHold held;  // until they are to be ready
    FrameQueue frames;
    uint64_t session = 0;  // 0: none
    bool told_fault = false;
  };
  struct SoundStream {
    uint64_t secret = 0;
    uint64_t session = 0;  // 0: none
  };
  // A whole frame that waits to be decoded.
  struct Undecoded {
    std::unique_ptr<Frame> frame;
    uint64_t secret = 0;  // of its stream, whose number another may take meanwhile
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
  void tell_fault(const Frame& frame, const BlockDecoder::Counts& counts);
  // It may be shown when its time has come, unless its stream is over or it is too old.
  void queue(std::unique_ptr<Frame> frame, uint64_t secret);
  void make_ready(Stream& stream, std::unique_ptr<Frame> frame);
  void note(sail::TraceStage stage, const Frame& frame, int64_t begin_ns, int64_t end_ns);
  // Those whose time has come, or that are not newer than the key.
  void release_held(Stream& stream, int64_t now_ns, const FrameKey& key = {});
  void release_all_held();
  void on_starved(const sail::Error& why);
  void on_connection(std::unique_ptr<sail::TcpConnection> connection);
  // Grants what a session wants as soon as that is known here. An error when it never will be.
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
  void keep_house();

  sail::Loop& loop_;
  Handlers handlers_;
  const sail::Log& log_;
  sail::RareLog rare_log_;
  const int64_t open_timeout_ms_;
  sail::FrameTrace* const trace_;
  std::unique_ptr<sail::TcpListener> listener_;
  std::shared_ptr<PacketPort> packets_;  // sessions of an earlier address keep theirs
  MemoryBudget memory_;
  MemoryTrim trim_;
  DataSessions sessions_;
  Snapshots snapshots_;
  Groups groups_;
  uint64_t next_id_ = 1;  // of sessions
  std::vector<sail::TileView> tiles_;
  std::map<uint32_t, Stream> streams_;      // of the scene shown and the one to come
  std::map<uint32_t, SoundStream> sounds_;  // by stream
  sail::FineTimer hold_timer_;              // for the next one of all streams
  sail::Timer house_keeping_;
  std::vector<DroppedFrame> dropped_;  // reused
  // Frames to be decoded, in the order in which they became whole. Every receiver of a stream
  // decodes all of its frames that are still of use, in order: one that passed some over would
  // hardly ever have the same as the others, and the barrier would wait in vain. Their number is
  // bounded by the frames in flight, so a slow decoder slows SAIL down, which drops frames before
  // they are encoded.
  std::deque<Undecoded> undecoded_;
  uint64_t decoding_secret_ = 0;  // of the frame that is being decoded
  int64_t decoding_since_ns_ = 0;
  int64_t render_ns_ = 0;
  sail::Refresh refresh_;
  Counters counters_;
  DecodeThread decoder_;
};

}  // namespace receiver
