#include "receiver/intake/data_plane.h"

#include <fmt/core.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "receiver/frame/canvas.h"
#include "receiver/frame/trace_lanes.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

using sail::CloseReason;
using sail::DataError;

// Number of ports to try: a port that is free for TCP but not for UDP is skipped.
constexpr size_t kPortsTried = 16;

// More packet-based frames are in flight, because the jitter buffer holds them for a while. Their
// number is limited so that most of the memory stays available to other streams.
int frames_in_flight(const DataSession::StreamWish& wish, size_t memory_left) {
  if (wish.open.symbol_bytes == 0) return FrameAssembler::kFramesInFlight;
  int frames = sail::kMaxFramesInFlight;
  while (frames > FrameAssembler::kFramesInFlight &&
         DataSession::memory(wish, frames) > memory_left / 4) {
    --frames;
  }
  return frames;
}

constexpr int64_t kHousekeepingMs = 1000;

// Sent in plain text to peers that connect without TLS.
std::string plain_refusal() {
  const std::vector<uint8_t> message =
      sail::encode(0, sail::CloseMessage{CloseReason::kUnsupported,
                                         "senders on other machines must use TLS 1.3: update this "
                                         "sender, or unset VITRAIL_TLS=never"});
  return {message.begin(), message.end()};
}

// Converts bytes to MiB, rounded up.
size_t mebibytes(size_t bytes) {
  return (bytes + (size_t{1} << 20) - 1) >> 20;
}

}  // namespace

DataPlane::DataPlane(sail::Loop& loop, Handlers handlers, const sail::Log& log,
                     const Options& options)
    : loop_(loop),
      handlers_(std::move(handlers)),
      log_(log),
      rate_limited_log_(log),
      open_timeout_ms_(options.open_timeout_ms),
      trace_(options.trace),
      memory_(options.memory_bytes),
      snapshots_(loop, log),
      groups_(loop, handlers_.to_wall_ns, handlers_.on_group_absent),
      hold_timer_(loop, [this] { release_all_held(); }),
      housekeeping_(loop),
      decoder_(loop, options.decode_workers, options.trace,
               [this](std::unique_ptr<Frame> frame, const BlockDecoder::Counts& counts) {
                 frame_decoded(std::move(frame), counts);
               }) {
  housekeeping_.start(kHousekeepingMs, kHousekeepingMs, [this] { run_housekeeping(); });
}

DataPlane::~DataPlane() = default;

sail::Result<uint16_t> DataPlane::listen(const sail::Address& at) {
  if (listener_ && listener_->address().host == at.host) return listener_->address().port;
  if (at.port != 0) {  // the same port on all addresses would conflict
    listener_.reset();
    packets_.reset();
  }
  // Keep failed listeners until a port is found, so that the system chooses other ports.
  std::vector<std::unique_ptr<sail::TcpListener>> tried;
  for (;;) {
    auto listener = sail::TcpListener::listen(
        loop_, at,
        [this](std::unique_ptr<sail::TcpConnection> connection) {
          on_connection(std::move(connection));
        },
        [this](const sail::Error& why) { on_descriptors_exhausted(why); },
        {.tls = sail::tls_use(), .refusal = plain_refusal()});
    if (!listener) return std::move(listener.error());
    auto packets = PacketPort::bind(loop_, (*listener)->address(), log_);
    if (packets) {
      listener_ = *std::move(listener);
      packets_ = *std::move(packets);
      return listener_->address().port;
    }
    if (packets.error().code != sail::ErrorCode::kConflict || at.port != 0 ||
        tried.size() == kPortsTried) {
      return std::move(packets.error());
    }
    tried.push_back(*std::move(listener));
  }
}

void DataPlane::on_connection(std::unique_ptr<sail::TcpConnection> connection) {
  DataSession::Host& host = *this;
  sessions_.add(std::make_unique<DataSession>(loop_, std::move(connection), next_id_++, host,
                                              open_timeout_ms_));
}

void DataPlane::on_descriptors_exhausted(const sail::Error& why) {
  rate_limited_log_.warning("descriptors", "", sail::steady_now_ns(), "{}", why.message);
  sessions_.make_room();
}

// --- scenes -------------------------------------------------------------------------------------

void DataPlane::set_tiles(const std::vector<sail::TileInfo>& tiles) {
  tiles_.clear();
  for (const sail::TileInfo& tile : tiles) {
    tiles_.push_back({tile.wall_rect, upright_size(tile)});
  }
  for (auto& [number, stream] : streams_) stream.shown.forget();
}

void DataPlane::prepare(const sail::Scene& scene) {
  for (const sail::SceneWindow& window : scene.windows) {
    Stream& stream = streams_[window.window];
    // Another secret: the number now belongs to a stream of another manager.
    if (stream.window.secret != window.secret) {
      end_stream(stream, "the stream has ended");
      stream = {};
    }
    stream.window = window;
    stream.shown.prepare(window);
  }
  try_all_waiting();
}

void DataPlane::commit(const sail::Scene& scene) {
  std::vector<uint32_t> named;
  for (const sail::SceneWindow& window : scene.windows) {
    named.push_back(window.window);
    const auto it = streams_.find(window.window);
    if (it == streams_.end()) continue;
    it->second.shown.commit(window);
    it->second.frames.begin_epoch(window.epoch, dropped_);
    drop(dropped_);
  }
  std::sort(named.begin(), named.end());
  std::map<uint32_t, Stream> over;
  for (auto it = streams_.begin(); it != streams_.end();) {
    const auto stream = it++;
    if (std::binary_search(named.begin(), named.end(), stream->first)) continue;
    over.insert(streams_.extract(stream));
  }
  for (auto& [number, stream] : over) end_stream(stream, "the window is closed");
}

void DataPlane::end_former_epochs() {
  for (auto& [number, stream] : streams_) {
    stream.frames.end_former_epoch(dropped_);
    drop(dropped_);
    while (auto frame = stream.held.take_before(stream.frames.epoch())) {
      make_ready(stream, std::move(frame));
    }
  }
}

void DataPlane::end_stream(Stream& stream, const std::string& text) {
  while (auto frame = stream.held.take(JitterBuffer::kNever)) {
    dropped_.push_back({std::move(frame), sail::DropCause::kHidden});
  }
  stream.frames.drop_all(dropped_);
  drop(dropped_);
  if (stream.session != 0) end_session(stream.session, CloseReason::kNormal, text);
}

// --- frames -------------------------------------------------------------------------------------

std::optional<uint64_t> DataPlane::epoch_of(uint32_t stream) const {
  const auto it = streams_.find(stream);
  if (it == streams_.end()) return std::nullopt;
  return it->second.frames.epoch();
}

std::unique_ptr<Frame> DataPlane::take(uint32_t number, const FrameKey& key) {
  const auto it = streams_.find(number);
  if (it == streams_.end()) return nullptr;
  release_held(it->second, 0, key);
  std::unique_ptr<Frame> due = it->second.frames.show(key, dropped_);
  drop(dropped_);
  return due;
}

void DataPlane::drop_frames(uint32_t number, const FrameKey& key) {
  const auto it = streams_.find(number);
  if (it == streams_.end()) return;
  release_held(it->second, 0, key);
  it->second.frames.drop(key, dropped_);
  drop(dropped_);
}

void DataPlane::leave_out_frames(uint32_t number, const FrameKey& key) {
  const auto it = streams_.find(number);
  if (it == streams_.end()) return;
  it->second.frames.leave_out(key, dropped_);
  drop(dropped_);
}

void DataPlane::note(sail::TraceStage stage, const Frame& frame, int64_t begin_ns, int64_t end_ns) {
  if (trace_ == nullptr) return;
  trace_->add({.stage = stage,
               .lane = kLoopLane,
               .stream = frame.stream(),
               .frame = frame.key().number,
               .begin_ns = begin_ns,
               .end_ns = end_ns});
}

void DataPlane::frame_whole(std::unique_ptr<Frame> frame) {
  note(sail::TraceStage::kPackets, *frame, frame->begun_ns(), frame->assembled_ns());
  const uint64_t secret = streams_.at(frame->stream()).window.secret;
  if (!needs_decoding(frame->codec())) return queue(std::move(frame), secret);
  undecoded_.push_back({std::move(frame), secret});
  decode_next();
}

void DataPlane::decode_next() {
  while (!decoder_.busy() && !undecoded_.empty()) {
    auto [frame, secret] = std::move(undecoded_.front());
    undecoded_.pop_front();
    const auto it = streams_.find(frame->stream());
    if (it != streams_.end() && it->second.frames.of_use(frame->key())) {
      decoding_secret_ = secret;
      decoding_since_ns_ = sail::steady_now_ns();
      frame->set_wanted(it->second.shown.of(*frame, tiles_));
      decoder_.decode(std::move(frame));
    } else {
      queue(std::move(frame), secret);
    }
  }
}

void DataPlane::frame_decoded(std::unique_ptr<Frame> frame, const BlockDecoder::Counts& counts) {
  ++counters_.frames_decoded;
  counters_.decode_ns += sail::steady_now_ns() - decoding_since_ns_;
  counters_.blocks_decoded += counts.decoded;
  if (counts.concealed > 0) report_fault(*frame, counts);
  counters_.blocks_concealed += counts.concealed;
  queue(std::move(frame), decoding_secret_);
  decode_next();
}

// Logs only the first fault of a stream; others would repeat it.
void DataPlane::report_fault(const Frame& frame, const BlockDecoder::Counts& counts) {
  const auto it = streams_.find(frame.stream());
  if (it == streams_.end() || std::exchange(it->second.fault_reported, true)) return;
  log_.warning(
      "stream {}: {} blocks of frame {} cannot be shown: one {}; further faults are only counted",
      frame.stream(), counts.concealed, frame.key().number, counts.why);
}

void DataPlane::queue(std::unique_ptr<Frame> frame, uint64_t secret) {
  const auto it = streams_.find(frame->stream());
  if (it == streams_.end() || it->second.window.secret != secret) {
    dropped_.push_back({std::move(frame), sail::DropCause::kHidden});
    return drop(dropped_);
  }
  Stream& stream = it->second;
  const int64_t now_ns = sail::steady_now_ns();
  // Even if the clocks disagree, a frame is not held longer than its full delay.
  const int64_t early_ns =
      std::min(frame->ready_at_ns() - handlers_.to_wall_ns(now_ns), frame->delay_ns());
  if (early_ns <= 0 && stream.held.next_ns() == JitterBuffer::kNever) {
    return make_ready(stream, std::move(frame));
  }
  stream.held.add(std::move(frame), now_ns + early_ns);
  release_all_held();
}

void DataPlane::make_ready(Stream& stream, std::unique_ptr<Frame> frame) {
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

void DataPlane::release_held(Stream& stream, int64_t now_ns, const FrameKey& key) {
  while (auto frame = stream.held.take(now_ns, key)) make_ready(stream, std::move(frame));
}

void DataPlane::release_all_held() {
  const int64_t now_ns = sail::steady_now_ns();
  int64_t next_ns = JitterBuffer::kNever;
  for (auto& [number, stream] : streams_) {
    release_held(stream, now_ns);
    next_ns = std::min(next_ns, stream.held.next_ns());
  }
  if (next_ns != JitterBuffer::kNever) hold_timer_.start_at(next_ns);
}

void DataPlane::frame_incomplete(std::unique_ptr<Frame> frame) {
  dropped_.push_back({std::move(frame), sail::DropCause::kIncomplete});
  drop(dropped_);
}

void DataPlane::frame_lost(const FrameSource& source, const FrameKey& key,
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
void DataPlane::drop(std::vector<DroppedFrame>& dropped) {
  for (auto& [frame, cause] : dropped) {
    report({.stream = frame->stream(),
            .session = frame->session(),
            .key = frame->key(),
            .assembled_ns = frame->assembled_ns(),
            .swapped_ns = 0,
            .cause = cause});
    give_back(std::move(frame));
  }
  dropped.clear();
}

void DataPlane::report(const EndedFrame& ended) {
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
  if (shown) report.swapped_ns = handlers_.to_wall_ns(ended.swapped_ns);
  session->report(report);
}

void DataPlane::give_back(std::unique_ptr<Frame> frame) {
  if (DataSession* session = sessions_.find(frame->session())) {
    session->give_back(std::move(frame));
    return;
  }
  // The connection is gone; its last frame frees the memory of all of them.
  trim_.freed(Frame::memory(frame->full_grid(), frame->codec().id));
}

// --- sessions -----------------------------------------------------------------------------------

std::optional<DataError> DataPlane::first_message(DataSession& session) {
  return try_grant(session);
}

std::optional<DataError> DataPlane::try_grant(DataSession& session) {
  if (session.wants_stream()) return try_stream(session);
  if (session.wants_sound()) return try_sound(session);
  if (session.wants_snapshot()) try_snapshot(session);
  if (session.wants_group()) try_group(session);
  return std::nullopt;
}

std::optional<DataError> DataPlane::try_stream(DataSession& session) {
  const auto& [number, open] = *session.wants_stream();
  const auto it = streams_.find(number);
  if (it == streams_.end() || it->second.window.secret != open.secret) return std::nullopt;
  Stream& stream = it->second;
  if (stream.window.frame_size != open.frame_size || stream.window.block_size != open.block_size) {
    return sail::bad_message("the frame or block size differs from the manager's");
  }
  const std::string codec = sail::codec_name(open.codec);
  if (!stream.window.codec.empty() && stream.window.codec != codec) {
    return sail::bad_message(
        fmt::format("the stream was opened with codec {}, but its connection with {}",
                    stream.window.codec, codec));
  }
  const auto streaming = std::count_if(streams_.begin(), streams_.end(),
                                       [](const auto& entry) { return entry.second.session != 0; });
  if (stream.session != 0) {
    end_session(stream.session, CloseReason::kReplaced, "a newer connection took its place");
  } else if (streaming >= sail::kMaxStreamsPerReceiver) {
    return DataError{CloseReason::kLimit, "too many streams"};
  }
  const int frames = frames_in_flight(*session.wants_stream(), memory_.left());
  const size_t bytes = DataSession::memory(*session.wants_stream(), frames);
  if (bytes > memory_.left()) {
    return DataError{CloseReason::kLimit,
                     fmt::format("frames of {}×{} pixels may need {} MiB here, but only {} of {} "
                                 "MiB for all streams are left (vitrail-receiver --memory)",
                                 open.frame_size.width, open.frame_size.height, mebibytes(bytes),
                                 memory_.left() >> 20, memory_.bytes() >> 20)};
  }
  log_.debug("stream {} is received from {}{}", number, sail::address_text(session.peer()),
             open.symbol_bytes == 0 ? "" : ", as packets");
  try {
    session.accept(frames, memory_.take(bytes), packets_, handlers_.to_wall_ns);
  } catch (const std::bad_alloc&) {
    return DataError{CloseReason::kLimit,
                     "this node does not have enough memory for frames of this size"};
  }
  stream.session = session.id();
  sessions_.granted(session.id());
  return std::nullopt;
}

std::optional<DataError> DataPlane::try_sound(DataSession& session) {
  const auto it = sounds_.find(session.wants_sound()->stream);
  if (it == sounds_.end() || it->second.secret != session.wants_sound()->secret) {
    return std::nullopt;
  }
  const auto heard =
      std::ranges::count_if(sounds_, [](const auto& entry) { return entry.second.session != 0; });
  if (it->second.session != 0) {
    end_session(it->second.session, CloseReason::kReplaced, "a newer connection took its place");
  } else if (heard >= sail::kMaxSoundsPerReceiver) {
    return DataError{CloseReason::kLimit, "too many streams with sound"};
  }
  session.accept_sound();
  it->second.session = session.id();
  sessions_.granted(session.id());
  return std::nullopt;
}

void DataPlane::set_sounds(const std::map<uint32_t, uint64_t>& secrets) {
  std::vector<uint64_t> over;
  std::erase_if(sounds_, [&](const auto& entry) {
    const auto it = secrets.find(entry.first);
    const bool stays = it != secrets.end() && it->second == entry.second.secret;
    if (!stays && entry.second.session != 0) over.push_back(entry.second.session);
    return !stays;
  });
  for (const uint64_t id : over)
    end_session(id, CloseReason::kNormal, "the sound is no longer played");
  for (const auto& [stream, secret] : secrets) sounds_.try_emplace(stream, SoundStream{secret});
  try_all_waiting();
}

void DataPlane::try_snapshot(DataSession& session) {
  const auto snapshot = snapshots_.find(session.wants_snapshot()->secret);
  if (snapshot) snapshots_.grant(*snapshot, session.take_connection());
}

void DataPlane::try_group(DataSession& session) {
  const auto [stream, open] = *session.wants_group();
  if (groups_.knows(open.secret, stream)) {
    groups_.seat(open.secret, stream, session.take_connection());
  }
}

void DataPlane::set_groups(const sail::GroupTables& told) {
  groups_.set_tables(told);
  try_all_waiting();
}

// Tries again to grant sessions that waited for what the manager has just announced.
void DataPlane::try_all_waiting() {
  std::vector<uint64_t> waiting;
  for (const auto& [id, session] : sessions_.unproven()) {
    if (!session->wants_nothing()) waiting.push_back(id);
  }
  for (const uint64_t id : waiting) {
    DataSession* session = sessions_.find(id);
    if (session == nullptr) continue;
    const auto error = try_grant(*session);
    if (error || session->over()) session_over(id, error);
  }
}

void DataPlane::session_over(uint64_t id, const std::optional<DataError>& error) {
  if (!error) {
    forget_session(id);
    return;
  }
  if (const DataSession* session = sessions_.find(id)) {
    ++counters_.sessions_refused;
    const char* reason = sail::close_reason_name(error->reason);
    rate_limited_log_.warning(fmt::format("data connections refused: {}", reason),
                              session->peer().host, sail::steady_now_ns(),
                              "data connection from {} refused: {}: {}",
                              sail::address_text(session->peer()), reason, error->text);
    end_session(id, error->reason, error->text);
  }
}

void DataPlane::end_session(uint64_t id, CloseReason reason, const std::string& text) {
  if (DataSession* session = sessions_.find(id)) session->close(reason, text);
  forget_session(id);
}

void DataPlane::forget_session(uint64_t id) {
  for (auto& [number, stream] : streams_) {
    if (stream.session == id) stream.session = 0;
  }
  for (auto& [number, sound] : sounds_) {
    if (sound.session == id) sound.session = 0;
  }
  if (const DataSession* session = sessions_.find(id)) trim_.freed(session->memory_bytes());
  sessions_.forget(id);
}

void DataPlane::run_housekeeping() {
  const int64_t now_ns = sail::steady_now_ns();
  rate_limited_log_.settle(now_ns);
  trim_.on_second(now_ns);
}

// --- snapshots ----------------------------------------------------------------------------------

void DataPlane::permit_snapshot(uint64_t secret, int64_t at_ns) {
  const auto snapshot = snapshots_.permit(secret);
  if (!snapshot) return;
  handlers_.on_snapshot(*snapshot, at_ns);
  try_all_waiting();
}

void DataPlane::shut_down() {
  listener_.reset();
  hold_timer_.stop();
  housekeeping_.stop();
  while (const DataSession* session = sessions_.any()) {
    end_session(session->id(), CloseReason::kShutdown, "the receiver is shutting down");
  }
  snapshots_.shut_down();
  groups_.shut_down();
}

}  // namespace receiver
