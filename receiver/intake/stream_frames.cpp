#include "receiver/intake/stream_frames.h"

#include <algorithm>
#include <utility>

#include "receiver/frame/canvas.h"
#include "receiver/frame/frame.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

// Sessions have numbers from 1 on.
constexpr uint64_t kSharedLane = 0;

}  // namespace

StreamFrames::StreamFrames(sail::Loop& loop, DataSessions& sessions, MemoryTrim& trim,
                           Handlers handlers, const sail::Log& log, int decode_workers,
                           sail::FrameTrace* trace)
    : sessions_(sessions),
      trim_(trim),
      handlers_(std::move(handlers)),
      log_(log),
      trace_(trace),
      hold_timer_(loop, [this] { release_all_held(); }),
      loop_(loop),
      decode_workers_(decode_workers) {}

// --- scenes -------------------------------------------------------------------------------------

void StreamFrames::set_tiles(const std::vector<sail::TileInfo>& tiles) {
  tiles_.clear();
  for (const sail::TileInfo& tile : tiles) {
    tiles_.push_back({tile.wall_rect, upright_size(tile)});
  }
  for (auto& [number, stream] : streams_) stream.shown.forget();
}

std::vector<uint32_t> StreamFrames::prepare(const sail::Scene& scene) {
  std::vector<uint32_t> over;
  for (const sail::SceneWindow& window : scene.windows) {
    Stream& stream = streams_[window.window];
    // Another secret: the number now belongs to a stream of another manager.
    if (stream.window.secret != window.secret) {
      drop_all(stream);
      stream = {};
      thumbnails_.forget(window.window);
      over.push_back(window.window);
    }
    stream.window = window;
    stream.shown.prepare(window);
  }
  return over;
}

std::vector<uint32_t> StreamFrames::commit(const sail::Scene& scene, uint32_t asked_by) {
  std::vector<uint32_t> named;
  for (const sail::SceneWindow& window : scene.windows) {
    named.push_back(window.window);
    const auto it = streams_.find(window.window);
    if (it == streams_.end()) continue;
    it->second.shown.commit(window);
    const bool known = asked_by == 0 || asked_by == window.window;
    it->second.frames.begin_epoch(window.epoch, known, dropped_);
    drop(dropped_);
  }
  std::sort(named.begin(), named.end());
  std::vector<uint32_t> over;
  for (auto it = streams_.begin(); it != streams_.end();) {
    const auto stream = it++;
    if (std::binary_search(named.begin(), named.end(), stream->first)) continue;
    auto ended = streams_.extract(stream);
    thumbnails_.forget(ended.key());
    drop_all(ended.mapped());
    over.push_back(ended.key());
  }
  return over;
}

void StreamFrames::end_former_epochs() {
  for (auto& [number, stream] : streams_) {
    if (stream.frames.is_behind()) continue;
    stream.frames.end_former_epoch(dropped_);
    drop(dropped_);
    while (auto frame = stream.held.take_before(stream.frames.epoch())) {
      make_ready(stream, std::move(frame));
    }
  }
}

void StreamFrames::drop_all(Stream& stream) {
  while (auto frame = stream.held.take(JitterBuffer::kNever)) {
    dropped_.push_back({std::move(frame), sail::DropCause::kHidden});
  }
  stream.frames.drop_all(dropped_);
  drop(dropped_);
}

const sail::SceneWindow* StreamFrames::window(uint32_t stream) const {
  const auto it = streams_.find(stream);
  return it == streams_.end() ? nullptr : &it->second.window;
}

// --- frames -------------------------------------------------------------------------------------

std::optional<uint64_t> StreamFrames::epoch_of(uint32_t stream) const {
  const auto it = streams_.find(stream);
  if (it == streams_.end()) return std::nullopt;
  return it->second.frames.epoch();
}

bool StreamFrames::is_behind(uint32_t stream) const {
  const auto it = streams_.find(stream);
  return it != streams_.end() && it->second.frames.is_behind();
}

std::unique_ptr<Frame> StreamFrames::take(uint32_t number, const FrameKey& key) {
  const auto it = streams_.find(number);
  if (it == streams_.end()) return nullptr;
  release_held(it->second, 0, key);
  std::unique_ptr<Frame> due = it->second.frames.show(key, dropped_);
  drop(dropped_);
  return due;
}

void StreamFrames::drop_frames(uint32_t number, const FrameKey& key) {
  const auto it = streams_.find(number);
  if (it == streams_.end()) return;
  release_held(it->second, 0, key);
  it->second.frames.drop(key, dropped_);
  drop(dropped_);
}

void StreamFrames::skip_frames(uint32_t number, const FrameKey& key) {
  const auto it = streams_.find(number);
  if (it == streams_.end()) return;
  it->second.frames.skip(key, dropped_);
  drop(dropped_);
}

void StreamFrames::note(sail::TraceStage stage, const Frame& frame, int64_t begin_ns,
                        int64_t end_ns) {
  if (trace_ == nullptr) return;
  trace_->add({.stage = stage,
               .lane = kLoopLane,
               .stream = frame.stream(),
               .frame = frame.key().number,
               .begin_ns = begin_ns,
               .end_ns = end_ns});
}

void StreamFrames::frame_whole(std::unique_ptr<Frame> frame) {
  note(sail::TraceStage::kPackets, *frame, frame->begun_ns(), frame->assembled_ns());
  const uint64_t secret = streams_.at(frame->stream()).window.secret;
  if (handlers_.on_whole) handlers_.on_whole(*frame);
  if (handlers_.on_whole || !needs_decoding(frame->codec())) return queue(std::move(frame), secret);
  DecodeLane& lane = lane_of(*frame);
  lane.waiting.push_back({std::move(frame), secret});
  decode_next(lane);
}

StreamFrames::DecodeLane& StreamFrames::lane_of(const Frame& frame) {
  const bool carried = codecs::is_carried(frame.codec().id);
  const uint64_t session = carried ? frame.session() : kSharedLane;
  if (const auto known = lanes_.find(session); known != lanes_.end()) return known->second;
  end_decode_threads();
  DecodeLane& lane = lanes_[session];
  lane.thread = std::make_unique<DecodeThread>(
      loop_, carried ? 0 : decode_workers_, trace_,
      [this, &lane](std::unique_ptr<Frame> done, const BlockDecoder::Counts& counts) {
        frame_decoded(lane, std::move(done), counts);
      },
      DecodeThread::Thumbnails{thumbnails_, handlers_.on_thumbnail});
  if (!carried) return lane;
  lane.stream = frame.stream();
  lane.blocks = frame.shared_blocks();
  return lane;
}

void StreamFrames::request_thumbnails(const sail::ThumbnailRequest& request) {
  if (!streams_.contains(request.stream)) return;
  thumbnails_.request(request);
  for (const auto& [session, lane] : lanes_) {
    if (lane.stream == request.stream) make_thumbnail_if_due(lane);
  }
}

void StreamFrames::make_owed_thumbnails() {
  for (const auto& [session, lane] : lanes_) {
    if (thumbnails_.owes(lane.stream)) make_thumbnail_if_due(lane);
  }
}

// For a stream without new frames, while nothing is decoded.
void StreamFrames::make_thumbnail_if_due(const DecodeLane& lane) {
  const auto blocks = lane.blocks.lock();
  if (!blocks || lane.thread->busy()) return;
  if (!thumbnails_.take_due(lane.stream, sail::steady_now_ns())) return;
  if (const auto made = thumbnails_.make(lane.stream, *blocks)) handlers_.on_thumbnail(*made);
}

void StreamFrames::end_decode_threads() {
  std::erase_if(lanes_, [this](const auto& entry) {
    const auto& [session, lane] = entry;
    return session != kSharedLane && sessions_.find(session) == nullptr && !lane.thread->busy();
  });
}

int64_t StreamFrames::take_longest_decode_ns() {
  int64_t longest_ns = 0;
  for (auto& [session, lane] : lanes_) {
    longest_ns = std::max(longest_ns, std::exchange(lane.busy_ns, 0));
  }
  return longest_ns;
}

void StreamFrames::decode_next(DecodeLane& lane) {
  while (!lane.thread->busy() && !lane.waiting.empty()) {
    auto [frame, secret] = std::move(lane.waiting.front());
    lane.waiting.pop_front();
    const auto it = streams_.find(frame->stream());
    // Later frames of a carried stream depend on this one.
    const bool needed = codecs::is_carried(frame->codec().id);
    if (it != streams_.end() && (needed || it->second.frames.is_current(frame->key()))) {
      lane.secret = secret;
      lane.since_ns = sail::steady_now_ns();
      frame->set_wanted(it->second.shown.of(*frame, tiles_));
      frame->set_display(display_);
      lane.thread->decode(std::move(frame));
    } else {
      queue(std::move(frame), secret);
    }
  }
}

void StreamFrames::frame_decoded(DecodeLane& lane, std::unique_ptr<Frame> frame,
                                 const BlockDecoder::Counts& counts) {
  const int64_t took_ns = sail::steady_now_ns() - lane.since_ns;
  ++counters_.frames_decoded;
  counters_.decode_ns += took_ns;
  lane.busy_ns += took_ns;
  counters_.blocks_decoded += counts.decoded;
  if (counts.concealed > 0) report_fault(*frame, counts);
  counters_.blocks_concealed += counts.concealed;
  if (counts.lost_its_decoder) ++counters_.decoders_lost;
  if (counts.undecoded) {
    dropped_.push_back({std::move(frame), counts.needs_key ? sail::DropCause::kIncomplete
                                                           : sail::DropCause::kUndecoded});
    drop(dropped_);
  } else {
    queue(std::move(frame), lane.secret);
  }
  decode_next(lane);
}

// Logs only the first fault of a stream; others would repeat it. A lost decoder is no such fault:
// it is started again, with growing pauses.
void StreamFrames::report_fault(const Frame& frame, const BlockDecoder::Counts& counts) {
  if (counts.lost_its_decoder) {
    return log_.warning(
        "stream {}: frame {} {}; it keeps its picture until decoding begins again at a key picture",
        frame.stream(), frame.key().number, counts.why);
  }
  const auto it = streams_.find(frame.stream());
  if (it == streams_.end() || std::exchange(it->second.fault_reported, true)) return;
  log_.warning(
      "stream {}: {} blocks of frame {} cannot be shown: one {}; further faults are only counted",
      frame.stream(), counts.concealed, frame.key().number, counts.why);
}

void StreamFrames::queue(std::unique_ptr<Frame> frame, uint64_t secret) {
  const auto it = streams_.find(frame->stream());
  if (it == streams_.end() || it->second.window.secret != secret) {
    dropped_.push_back({std::move(frame), sail::DropCause::kHidden});
    return drop(dropped_);
  }
  Stream& stream = it->second;
  const int64_t now_ns = sail::steady_now_ns();
  // Even if the clocks disagree, a frame is not held longer than its full delay. A bridge, which
  // shows nothing, reports frames at once, so that fewer are in flight on a long way.
  const int64_t early_ns =
      handlers_.on_whole
          ? 0
          : std::min(frame->ready_at_ns() - handlers_.to_wall_ns(now_ns), frame->delay_ns());
  if (early_ns <= 0 && stream.held.next_ns() == JitterBuffer::kNever) {
    return make_ready(stream, std::move(frame));
  }
  stream.held.add(std::move(frame), now_ns + early_ns);
  release_all_held();
}

void StreamFrames::make_ready(Stream& stream, std::unique_ptr<Frame> frame) {
  const FrameKey key = frame->key();
  if (trace_ != nullptr && trace_->on()) {
    note(sail::TraceStage::kAssemble, *frame, frame->assembled_ns(), sail::steady_now_ns());
  }
  DataSession* session = sessions_.find(frame->session());
  ReadyFrames::Added added = stream.frames.add(std::move(frame));
  if (added.ready && session != nullptr) {
    session->report_ready(
        {.frame = key.number, .epoch = key.epoch, .render_ns = render_ns_, .refresh = refresh_});
  }
  if (added.due) handlers_.on_due(std::move(added.due));
  if (added.dropped.frame) {
    dropped_.push_back(std::move(added.dropped));
    drop(dropped_);
  }
}

void StreamFrames::release_held(Stream& stream, int64_t now_ns, const FrameKey& key) {
  while (auto frame = stream.held.take(now_ns, key)) make_ready(stream, std::move(frame));
}

void StreamFrames::release_all_held() {
  const int64_t now_ns = sail::steady_now_ns();
  int64_t next_ns = JitterBuffer::kNever;
  for (auto& [number, stream] : streams_) {
    release_held(stream, now_ns);
    next_ns = std::min(next_ns, stream.held.next_ns());
  }
  if (next_ns != JitterBuffer::kNever) hold_timer_.start_at(next_ns);
}

void StreamFrames::frame_incomplete(std::unique_ptr<Frame> frame) {
  dropped_.push_back({std::move(frame), sail::DropCause::kIncomplete});
  drop(dropped_);
}

void StreamFrames::frame_lost(const FrameSource& source, const FrameKey& key,
                              std::unique_ptr<Frame> frame) {
  if (frame) {
    dropped_.push_back({std::move(frame), sail::DropCause::kLost});
    return drop(dropped_);
  }
  report({.stream = source.stream,
          .session = source.session,
          .key = key,
          .assembled_ns = 0,
          .swapped_ns = 0,
          .cause = sail::DropCause::kLost});
}

// Reports the dropped frames to their senders and empties the list.
void StreamFrames::drop(std::vector<DroppedFrame>& dropped) {
  for (auto& [frame, cause] : dropped) {
    report({.stream = frame->stream(),
            .session = frame->session(),
            .key = frame->key(),
            .assembled_ns = frame->assembled_ns(),
            .swapped_ns = 0,
            .cause = cause});
    recycle(std::move(frame));
  }
  dropped.clear();
}

// A shown frame of a former layout tells a sender that has rolled the layout back that the layout
// was decided.
void StreamFrames::report(const EndedFrame& ended) {
  const bool shown = ended.swapped_ns != 0;
  ++(shown ? counters_.frames_shown : counters_.frames_dropped);
  DataSession* session = sessions_.find(ended.session);
  if (session == nullptr) return;
  sail::FrameReport report{
      .frame = ended.key.number,
      .epoch = ended.key.epoch,
      .outcome = shown ? sail::FrameOutcome::kShown : sail::FrameOutcome::kDropped,
      .cause = ended.cause};
  if (ended.assembled_ns != 0) report.assembled_ns = handlers_.to_wall_ns(ended.assembled_ns);
  if (shown) {
    report.swapped_ns = handlers_.to_wall_ns(ended.swapped_ns);
    if (ended.key.epoch < epoch_of(ended.stream).value_or(0)) {
      report.cause = sail::DropCause::kOldEpoch;
    }
  }
  session->report(report);
}

void StreamFrames::recycle(std::unique_ptr<Frame> frame) {
  if (DataSession* session = sessions_.find(frame->session())) {
    session->recycle(std::move(frame));
    return;
  }
  // The connection is closed; its last frame frees the memory of all its frames.
  trim_.freed(Frame::memory(frame->full_grid(), frame->codec().id));
}

}  // namespace receiver
