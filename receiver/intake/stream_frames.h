// The frames of the scenes' streams: decodes complete frames, holds them until they may become
// ready, hands out the frames that are due, and reports each frame's outcome to its sender. Loop
// thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "receiver/decode/carried_thumbnails.h"
#include "receiver/decode/decode_thread.h"
#include "receiver/frame/tile_layout.h"
#include "receiver/intake/data_sessions.h"
#include "receiver/intake/frame_intake.h"
#include "receiver/intake/jitter_buffer.h"
#include "receiver/intake/memory_budget.h"
#include "receiver/intake/ready_frames.h"
#include "sail/core/base/frame_trace.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/wall/display_color.h"
#include "sail/core/wire/receiver_messages.h"

namespace receiver {

class StreamFrames final : public FrameIntake::Host {
 public:
  struct Handlers {
    // A frame arrived after its sender had asked to show it: show it immediately.
    std::function<void(std::unique_ptr<Frame>)> on_due;
    // Set: no frame is decoded, and this is called for each whole one.
    std::function<void(const Frame&)> on_whole{};
    // A thumbnail of a carried stream was made.
    std::function<void(const sail::Thumbnail&)> on_thumbnail{};
    // Converts steady time to wall time.
    std::function<int64_t(int64_t steady_ns)> to_wall_ns;
  };
  struct Counters {
    uint64_t frames_shown = 0;
    uint64_t frames_dropped = 0;
    uint64_t blocks_decoded = 0;    // only for codecs that need decoding
    uint64_t blocks_concealed = 0;  // blocks among them that could not be decoded
    uint64_t decoders_lost = 0;     // processes of carried streams that ended or hung
    uint64_t frames_decoded = 0;    // only for codecs that need decoding
    int64_t decode_ns = 0;          // total time spent decoding them, of all threads together
  };

  // Frames go back to the sessions that they came from; both must outlive this. `decode_workers`:
  // threads that decode blocks, in addition to the decode threads. `trace` may be null.
  StreamFrames(sail::Loop& loop, DataSessions& sessions, MemoryTrim& trim, Handlers handlers,
               const sail::Log& log, int decode_workers, sail::FrameTrace* trace);

  // Sets the colours of the displays.
  void set_display(const codecs::DisplayColor& display) { display_ = display; }
  // Sets the tiles that show the scenes.
  void set_tiles(const std::vector<sail::TileInfo>& tiles);
  // Announces the next scene. Returns the numbers that are new, or now belong to another stream.
  std::vector<uint32_t> prepare(const sail::Scene& scene);
  // Makes this the only scene. Returns the streams that ended because it does not contain them.
  // asked_by: the stream whose sender asked for the scene: the other senders may not know the
  // scene. 0: the manager decided, and all senders know the scene.
  std::vector<uint32_t> commit(const sail::Scene& scene, uint32_t asked_by = 0);
  // The committed scene is on screen: drops frames of earlier epochs.
  void end_former_epochs();

  // Asks for thumbnails of a carried stream, in place of the former request.
  void request_thumbnails(const sail::ThumbnailRequest& request);
  // Makes the thumbnails of pictures that came too early for one and were the last. Call about once
  // a second.
  void make_owed_thumbnails();
  // Call when a manager is connected, which asks again.
  void forget_thumbnail_requests() { thumbnails_.forget_all(); }

  // Returns the stream's window in the scene announced last; null: no such stream.
  const sail::SceneWindow* window(uint32_t stream) const;
  // Returns the epoch of the stream's committed layout. Empty optional: no such stream.
  std::optional<uint64_t> epoch_of(uint32_t stream) const;
  // See ReadyFrames.
  bool is_behind(uint32_t stream) const;

  // Marks the frame as due and returns it; null if it is not here (yet).
  std::unique_ptr<Frame> take(uint32_t stream, const FrameKey& key);
  // Drops this frame and all older ones, now and when they arrive.
  void drop_frames(uint32_t stream, const FrameKey& key);
  // Drops this frame and older ones of its epoch: their layout will not be shown.
  void skip_frames(uint32_t stream, const FrameKey& key);
  void report(const EndedFrame& ended);
  void recycle(std::unique_ptr<Frame> frame);

  // Sets the render time to report to senders: the slowest recent time to paint a swap.
  void set_render_ns(int64_t render_ns) { render_ns_ = render_ns; }
  // Sets the refresh of the displays, in wall time.
  void set_refresh(const sail::Refresh& refresh) { refresh_ = refresh; }
  // Frames that are held are not released any more.
  void shut_down() { hold_timer_.stop(); }

  const Counters& counters() const { return counters_; }
  // Returns the longest time that one thread has decoded since the last call.
  int64_t take_longest_decode_ns();
  // Ends the decode threads of connections that have ended. To be called regularly.
  void end_decode_threads();

  void frame_whole(std::unique_ptr<Frame> frame) override;
  void frame_incomplete(std::unique_ptr<Frame> frame) override;
  void frame_lost(const FrameSource& source, const FrameKey& key,
                  std::unique_ptr<Frame> frame) override;

 private:
  struct Stream {
    sail::SceneWindow window;
    VisibleRegion shown;
    JitterBuffer held;  // jitter buffer: frames that are here before they may be ready
    ReadyFrames frames;
    bool fault_reported = false;
  };
  // A completely received frame that waits for decoding.
  struct Undecoded {
    std::unique_ptr<Frame> frame;
    uint64_t secret = 0;  // the stream's secret: another stream may take over its number meanwhile
  };

  // A decode thread, and the frames that wait for it, in the order of their completion.
  struct DecodeLane {
    std::unique_ptr<DecodeThread> thread;
    std::deque<Undecoded> waiting;
    uint64_t secret = 0;  // secret of the stream whose frame is being decoded
    uint32_t stream = 0;  // set if the lane serves one carried stream
    std::weak_ptr<DecodedBlocks> blocks{};
    int64_t since_ns = 0;
    int64_t busy_ns = 0;  // since take_longest_decode_ns()
  };

  DecodeLane& lane_of(const Frame& frame);
  void decode_next(DecodeLane& lane);
  void make_thumbnail_if_due(const DecodeLane& lane);
  void frame_decoded(DecodeLane& lane, std::unique_ptr<Frame> frame,
                     const BlockDecoder::Counts& counts);
  void report_fault(const Frame& frame, const BlockDecoder::Counts& counts);
  // Queues a frame for presentation, or drops it if its stream has ended or it is too old.
  void queue(std::unique_ptr<Frame> frame, uint64_t secret);
  void make_ready(Stream& stream, std::unique_ptr<Frame> frame);
  void note(sail::TraceStage stage, const Frame& frame, int64_t begin_ns, int64_t end_ns);
  // Makes frames ready whose time has come, and all frames up to `key`.
  void release_held(Stream& stream, int64_t now_ns, const FrameKey& key = {});
  void release_all_held();
  void drop_all(Stream& stream);
  void drop(std::vector<DroppedFrame>& dropped);

  DataSessions& sessions_;
  MemoryTrim& trim_;
  Handlers handlers_;
  const sail::Log& log_;
  sail::FrameTrace* const trace_;
  codecs::DisplayColor display_;
  std::vector<sail::TileView> tiles_;
  std::map<uint32_t, Stream> streams_;  // streams of the shown and the announced scene
  sail::FineTimer hold_timer_;          // fires when the next held frame of any stream is due
  std::vector<DroppedFrame> dropped_;   // kept for its capacity
  int64_t render_ns_ = 0;
  sail::Refresh refresh_;
  Counters counters_;
  sail::Loop& loop_;
  const int decode_workers_;
  CarriedThumbnails thumbnails_;  // before the lanes, whose threads use it
  // One for each connection of a carried stream, by session, so that no stream waits for the
  // decoder of another; 0: for all other streams, whose blocks use all cores. Every receiver of a
  // stream decodes all useful frames in order. If receivers skipped frames independently, they
  // would rarely have the same frame, and the swap barrier would wait in vain. The frames in flight
  // bound the queues, so a slow decoder slows the sender, which then drops frames before encoding
  // them.
  std::map<uint64_t, DecodeLane> lanes_;
};

}  // namespace receiver
