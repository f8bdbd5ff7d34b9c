// A stream as the application sees it: accepts frames, encodes them and answers queries. The
// StreamSender handles encoded frames on the loop thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "codecs/base/image.h"
#include "sail/client/encode/carried_units.h"
#include "sail/client/encode/encoded_frame.h"
#include "sail/client/encode/frame_encoder.h"
#include "sail/client/encode/submit_meter.h"
#include "sail/client/encode/thumbnail_maker.h"
#include "sail/client/sender/submit_queue.h"
#include "sail/client/sound/sound_sender.h"
#include "sail/client/sync/frame_ledger.h"
#include "sail/client/sync/playback_state.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/worker_pool.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wall/block_grid.h"
#include "sail/core/wall/transport.h"
#include "sail/core/wire/content.h"
#include "sail/core/wire/group.h"
#include "sail/core/wire/stats.h"

namespace sail {

class ClientSession;
class StreamSender;

class ClientStream;

struct StreamSpec {
  std::string title;
  Size frame_size;
  CodecSpec codec;
  std::optional<Rect> place{};  // initial position on the wall
  bool wait_when_full = false;
  bool encoded = false;  // frames arrive encoded, through submit(EncodedBlocks)
  Size block_size = kDefaultBlockSize;
  int max_reduction = codecs::kMaxReduction;  // maximum number of halvings
  double fps = 0;                             // nominal; 0: unknown
  ClientStream* replaces = nullptr;           // the stream whose window it takes over
  std::optional<Transport> transport{};       // empty: the wall's default
  int delay_ms = -1;                          // delay of frames; 0: none, -1: chosen from the links
  int mtu = 0;                                // bytes; 0: the manager's value
  bool takes_input = false;
  std::string codec_reason{};          // for people: why this codec was chosen
  std::optional<Content> content{};    // what the window shows
  bool apart = false;                  // its tiles need not be synchronised
  std::string group{};                 // empty: not in a group
  std::optional<Timeline> timeline{};  // used if it is the group's first member
  std::optional<JoinParts> part{};     // set if it submits one rank's part of each frame

  // Returns true if parts of different ranks are matched by frame number.
  bool numbered() const { return part && group.empty(); }
};

class ClientStream {
 public:
  // session, loop, workers, clock and log must outlive this object.
  ClientStream(ClientSession& session, StreamSpec spec, Loop& loop, WorkerPool& workers,
               const WallClock& clock, const Log& log);
  ClientStream(const ClientStream&) = delete;
  ClientStream& operator=(const ClientStream&) = delete;

  ClientSession& session() const { return session_; }
  const StreamSpec& spec() const { return spec_; }
  // Grid of unreduced frames.
  const BlockGrid& grid() const { return grid_; }
  SubmitQueue& submit_queue() { return submit_queue_; }
  const SubmitQueue& submit_queue() const { return submit_queue_; }

  // The numbers that the manager assigned to the stream and its window. They change with each
  // reconnection. Callable from any thread.
  uint32_t number() const { return number_.load(std::memory_order_relaxed); }
  uint32_t window_number() const { return window_number_.load(std::memory_order_relaxed); }
  void set_numbers(uint32_t number, uint32_t window_number) {
    number_.store(number, std::memory_order_relaxed);
    window_number_.store(window_number, std::memory_order_relaxed);
  }

  // Whether the application wants an event for each frame. Callable from any thread.
  bool frames_watched() const { return frames_watched_.load(std::memory_order_relaxed); }
  void watch_frames() { frames_watched_.store(true, std::memory_order_relaxed); }
  // Whether the application wants link statistics once a second. Callable from any thread.
  bool links_watched() const { return links_watched_.load(std::memory_order_relaxed); }
  void watch_links() { links_watched_.store(true, std::memory_order_relaxed); }

  // Playback state set by the application. Callable from any thread.
  PlaybackState& playback() { return playback_; }

  // Counts late frames that the application did not submit. Callable from any thread.
  void skip(uint64_t frames) {
    meter_.skipped(frames);
    handed_over_.fetch_add(frames, std::memory_order_relaxed);
  }
  // Adds the rates before sending to the statistics. Called on the loop thread once a second.
  void add_figures(StreamStats& stats, int64_t now_ns);

  // Thumbnails of the stream, made on request. Callable from any thread.
  ThumbnailMaker& thumbnails() { return thumbnails_; }

  // Trace of the stream's frames; its entries have stream number 0.
  FrameTrace& trace() { return trace_; }

  // See SoundSender for the threads.
  SoundSender& sound() { return sound_; }
  const SoundSender& sound() const { return sound_; }

  // Sets the receiver of encoded frames and the callbacks for dropped frames and for thumbnails.
  // The callbacks run on the application's thread. Call before the first submit().
  void connect(StreamSender& sender, std::function<void(const FrameFate&)> on_rejected,
               std::function<void(Thumbnail)> on_thumbnail);

  struct When {
    int64_t present_ns = 0;  // presentation time (wall clock); 0: as soon as possible
    bool again = false;      // repeats the previous frame for the other ranks
  };
  struct Submitted {
    uint64_t number = 0;  // 0: invalid presentation time
    bool sent = false;    // false: dropped
  };
  // Encodes the frame on the calling thread with help of the workers, while the loop thread already
  // sends the finished rows. The pixels are not read after the return. The image has the stream's
  // size. Called by one application thread at a time.
  //
  // Blocks that no tile shows are skipped while frames follow one another. A frame after a pause
  // may stay for a long time; it is encoded completely, so that a changed layout can show it at
  // once. Dropped frames are not encoded.
  Submitted submit(const codecs::ImageView& image, const When& when);
  // Submits encoded blocks for a stream of encoded frames. The blocks must fit: see fits().
  Submitted submit(const EncodedBlocks& blocks, const When& when);
  bool fits(const EncodedBlocks& blocks) const {
    return carried() ? blocks.lengths.size() == 1 && blocks.lengths[0] == blocks.bytes.size()
                     : encoder_.fits(blocks, grid_);
  }

 private:
  bool carried() const { return codecs::is_carried(spec_.codec.codec.id); }
  // The only block is that of access_units.h. Units that came before are passed over.
  Submitted submit_units(const EncodedBlocks& block, const When& when);
  // color_of(reduction): meaning of the blocks' components. fill(frame, on_row) writes the rows of
  // the frame.
  template <class ColorOf, class Fill>
  Submitted submit_with(const ColorOf& color_of, const When& when, const Fill& fill);
  // Checks a presentation time and records it. Returns false if it is invalid.
  bool takes_time(int64_t present_ns);
  // Returns the name of a numbered part; 0 if the stream has no numbered parts.
  int64_t part_name(bool again);

  ClientSession& session_;
  const StreamSpec spec_;
  const BlockGrid grid_;
  const WallClock& clock_;
  SubmitQueue submit_queue_;
  PlaybackState playback_;
  SubmitMeter meter_;
  CarriedUnits units_;  // only for carried streams; frames refer to them
  FramePool frames_;
  FrameTrace trace_;
  FrameEncoder encoder_;  // refers to frames of the pool
  ThumbnailMaker thumbnails_;
  SoundSender sound_;
  int64_t last_submitted_ns_ = 0;
  // Steady time of the latest presentation; initially before all times.
  int64_t last_present_ns_ = INT64_MIN / 2;
  std::atomic<uint64_t> handed_over_ = 0;  // frames, including skipped ones
  int64_t last_part_ = 0;                  // name of the last part
  StreamSender* sender_ = nullptr;
  std::function<void(const FrameFate&)> on_rejected_;
  std::function<void(Thumbnail)> on_thumbnail_;
  std::atomic<uint32_t> number_{0};
  std::atomic<uint32_t> window_number_{0};
  std::atomic<bool> frames_watched_{false};
  std::atomic<bool> links_watched_{false};
};

}  // namespace sail
