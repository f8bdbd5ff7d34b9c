// A stream as the application sees it: takes frames, encodes them, answers questions. What happens
// to a frame afterwards is the StreamSender's, on the loop thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "codecs/image.h"
#include "sail/base/geometry.h"
#include "sail/base/wall_clock.h"
#include "sail/base/worker_pool.h"
#include "sail/client/encoded_frame.h"
#include "sail/client/frame_encoder.h"
#include "sail/client/frame_ledger.h"
#include "sail/client/playback_state.h"
#include "sail/client/sound_sender.h"
#include "sail/client/stream_gate.h"
#include "sail/client/submit_meter.h"
#include "sail/client/thumbnail_maker.h"
#include "sail/wall/block_grid.h"
#include "sail/wire/content.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/transport.h"

namespace sail {

class ClientSession;
class StreamSender;

class ClientStream;

struct StreamSpec {
  std::string title;
  Size frame_size;
  CodecSpec codec;
  std::optional<Rect> place{};  // wall_rect
  bool wait_when_full = false;
  bool encoded = false;  // its frames come encoded, by submit_encoded()
  Size block_size = kDefaultBlockSize;
  int max_reduction = codecs::kMaxReduction;  // how often its pictures can be halved
  double fps = 0;                             // nominal; 0: unknown
  ClientStream* replaces = nullptr;           // whose place it takes
  std::optional<Transport> transport{};       // nothing: the wall's
  int delay_ms = -1;                          // of its frames; 0: none, -1: by the link
  int mtu = 0;                                // bytes; 0: the manager's
  bool takes_input = false;
  std::optional<Content> content{};    // what its window shows
  bool apart = false;                  // its tiles need not keep step
  std::string group{};                 // empty: none
  std::optional<Timeline> timeline{};  // of the group, should it be the first in it
  std::optional<JoinParts> part{};     // its frames are such

  // It is its frames' numbers by which those of other ranks are known that belong to them.
  bool numbered() const { return part && group.empty(); }
};

class ClientStream {
 public:
  // session, loop, workers, clock and log outlive this.
  ClientStream(ClientSession& session, StreamSpec spec, Loop& loop, WorkerPool& workers,
               const WallClock& clock, const Log& log);
  ClientStream(const ClientStream&) = delete;
  ClientStream& operator=(const ClientStream&) = delete;

  // That it belongs to.
  ClientSession& session() const { return session_; }
  const StreamSpec& spec() const { return spec_; }
  // The grid of frames that are not reduced.
  const BlockGrid& grid() const { return grid_; }
  StreamGate& gate() { return gate_; }
  const StreamGate& gate() const { return gate_; }

  // Any thread. The numbers that the manager gave it and its window, others after each
  // reconnection.
  uint32_t number() const { return number_.load(std::memory_order_relaxed); }
  uint32_t window_number() const { return window_number_.load(std::memory_order_relaxed); }
  void set_numbers(uint32_t number, uint32_t window_number) {
    number_.store(number, std::memory_order_relaxed);
    window_number_.store(window_number, std::memory_order_relaxed);
  }

  // Any thread. Whether the application asked to hear of each frame.
  bool frames_watched() const { return frames_watched_.load(std::memory_order_relaxed); }
  void watch_frames() { frames_watched_.store(true, std::memory_order_relaxed); }
  // Any thread. And of each link, once a second.
  bool links_watched() const { return links_watched_.load(std::memory_order_relaxed); }
  void watch_links() { links_watched_.store(true, std::memory_order_relaxed); }

  // Any thread. What the application told of what it plays.
  PlaybackState& playback() { return playback_; }

  // Any thread. Frames that the application did not even hand over, since they were late.
  void skip(uint64_t frames) {
    meter_.skipped(frames);
    handed_over_.fetch_add(frames, std::memory_order_relaxed);
  }
  // The loop thread, once a second: what was wanted, and what became of it before it was sent.
  void add_figures(StreamStats& stats, int64_t now_ns);

  // Any thread. Small pictures of it, as far as somebody wants them.
  ThumbnailMaker& thumbnails() { return thumbnails_; }

  // Stamps of its frames; their stream is 0.
  FrameTrace& trace() { return trace_; }

  // Any thread, as far as it says.
  SoundSender& sound() { return sound_; }
  const SoundSender& sound() const { return sound_; }

  // Before the first submit(): where encoded frames go, and who hears of frames turned away here
  // and of thumbnails, on the application's thread.
  void connect(StreamSender& sender, std::function<void(const FrameFate&)> on_turned_away,
               std::function<void(Thumbnail)> on_thumbnail);

  struct When {
    int64_t present_ns = 0;  // wall time at which it is to be seen; 0: soonest
    bool again = false;      // it is the frame before, for the other ranks
  };
  struct Submitted {
    uint64_t number = 0;  // 0: it cannot be shown then
    bool sent = false;    // false: dropped
  };
  // One application thread at a time. Encodes here, with the workers' help, while the loop thread
  // sends what is done; the pixels are not read after the return. The image has the stream's size.
  //
  // Blocks that no tile shows are left out while frames follow one another; a frame that comes
  // after a pause may stay, and is encoded whole, so that a changed layout can be shown at once
  // from it. A frame that is dropped is not encoded.
  Submitted submit(const codecs::ImageView& image, const When& when);
  // The same for a stream of encoded frames, whose blocks fit().
  Submitted submit(const EncodedBlocks& blocks, const When& when);
  bool fits(const EncodedBlocks& blocks) const { return encoder_.fits(blocks, grid_); }

 private:
  // fill(frame, on_row) puts the rows into the frame.
  template <class Fill>
  Submitted submit_with(codecs::PictureColor color, const When& when, const Fill& fill);
  // Whether a frame may be asked to be seen then.
  bool takes_time(int64_t present_ns);
  // The name of a numbered part; 0: it is none.
  int64_t part_name(bool again);

  ClientSession& session_;
  const StreamSpec spec_;
  const BlockGrid grid_;
  const WallClock& clock_;
  StreamGate gate_;
  PlaybackState playback_;
  SubmitMeter meter_;
  FramePool frames_;
  FrameTrace trace_;
  FrameEncoder encoder_;  // refers to frames of the pool
  ThumbnailMaker thumbnails_;
  SoundSender sound_;
  int64_t last_submitted_ns_ = 0;
  int64_t last_present_ns_ = INT64_MIN / 2;  // steady; before all times until there is one
  std::atomic<uint64_t> handed_over_ = 0;    // frames, skipped ones too
  int64_t last_part_ = 0;                    // the name of the last one
  StreamSender* sender_ = nullptr;
  std::function<void(const FrameFate&)> on_turned_away_;
  std::function<void(Thumbnail)> on_thumbnail_;
  std::atomic<uint32_t> number_{0};
  std::atomic<uint32_t> window_number_{0};
  std::atomic<bool> frames_watched_{false};
  std::atomic<bool> links_watched_{false};
};

}  // namespace sail
