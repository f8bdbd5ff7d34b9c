#include "receiver/intake/data_grants.h"

#include <fmt/core.h>

#include <algorithm>
#include <new>
#include <utility>

namespace receiver {
namespace {

using sail::CloseReason;
using sail::DataError;

constexpr const char* kReplaced = "a newer connection took its place";

// More packet-based frames are in flight, because the jitter buffer holds them for a while. Their
// number is limited so that most of the memory stays available to other streams.
int frames_in_flight(const DataSession::StreamRequest& request, size_t memory_left) {
  if (request.open.symbol_bytes == 0) return FrameAssembler::kFramesInFlight;
  int frames = sail::kMaxFramesInFlight;
  while (frames > FrameAssembler::kFramesInFlight &&
         DataSession::memory(request, frames) > memory_left / 4) {
    --frames;
  }
  return frames;
}

// Converts bytes to MiB, rounded up.
size_t mebibytes(size_t bytes) {
  return (bytes + (size_t{1} << 20) - 1) >> 20;
}

// Returns an error if the stream is not the one that the manager knows.
std::optional<DataError> check_stream(const sail::SceneWindow& window,
                                      const sail::StreamOpen& open) {
  if (window.frame_size != open.frame_size || window.block_size != open.block_size) {
    return sail::bad_message("the frame or block size differs from the manager's");
  }
  const std::string codec = sail::codec_name(open.codec);
  if (window.codec.empty() || window.codec == codec) return std::nullopt;
  return sail::bad_message(fmt::format(
      "the stream was opened with codec {}, but its connection with {}", window.codec, codec));
}

}  // namespace

DataGrants::DataGrants(sail::Loop& loop, DataSessions& sessions, const StreamFrames& frames,
                       MemoryBudget& memory, Handlers handlers, const sail::Log& log)
    : sessions_(sessions),
      frames_(frames),
      memory_(memory),
      to_wall_ns_(handlers.to_wall_ns),
      log_(log),
      snapshots_(loop, log),
      groups_(loop, std::move(handlers.to_wall_ns), std::move(handlers.on_group_absent),
              std::move(handlers.on_group_ready)) {}

std::optional<DataError> DataGrants::grant(DataSession& session) {
  if (session.wants_stream()) return grant_stream(session);
  if (session.wants_sound()) return grant_sound(session);
  if (session.wants_snapshot()) grant_snapshot(session);
  if (session.wants_group()) grant_group(session);
  return std::nullopt;
}

// --- streams ------------------------------------------------------------------------------------

bool DataGrants::has_sender(uint32_t stream) const {
  const auto sender = senders_.find(stream);
  return sender != senders_.end() && is_open(sender->second);
}

std::optional<DataError> DataGrants::grant_stream(DataSession& session) {
  const auto& [number, open] = *session.wants_stream();
  const sail::SceneWindow* window = frames_.window(number);
  if (window == nullptr || window->secret != open.secret) return std::nullopt;
  if (auto error = check_stream(*window, open)) return error;
  const auto streaming =
      std::ranges::count_if(senders_, [&](const auto& entry) { return is_open(entry.second); });
  const auto former = senders_.find(number);
  if (former != senders_.end() && is_open(former->second)) {
    sessions_.end(former->second, CloseReason::kReplaced, kReplaced);
  } else if (streaming >= sail::kMaxStreamsPerReceiver) {
    return DataError{CloseReason::kLimit,
                     "this receiver already has the maximum number of streams"};
  }
  return accept_stream(session);
}

std::optional<DataError> DataGrants::accept_stream(DataSession& session) {
  const DataSession::StreamRequest request = *session.wants_stream();
  const int frames = frames_in_flight(request, memory_.left());
  const size_t bytes = DataSession::memory(request, frames);
  if (bytes > memory_.left()) {
    return DataError{
        CloseReason::kLimit,
        fmt::format("frames of {}×{} pixels may need {} MiB here, but only {} of {} MiB for "
                    "all streams are left (vitrail-receiver --memory)",
                    request.open.frame_size.width, request.open.frame_size.height, mebibytes(bytes),
                    memory_.left() >> 20, memory_.bytes() >> 20)};
  }
  log_.debug("stream {} is received from {}{}", request.stream, sail::address_text(session.peer()),
             request.open.symbol_bytes == 0 ? "" : ", as packets");
  try {
    session.accept(frames, memory_.take(bytes), packets_, to_wall_ns_);
  } catch (const std::bad_alloc&) {
    return DataError{CloseReason::kLimit,
                     "this node does not have enough memory for frames of this size"};
  }
  senders_[request.stream] = session.id();
  sessions_.granted(session.id());
  return std::nullopt;
}

void DataGrants::end_streams(const std::vector<uint32_t>& streams, const std::string& text) {
  for (const uint32_t stream : streams) {
    const auto sender = senders_.extract(stream);
    if (sender) sessions_.end(sender.mapped(), CloseReason::kNormal, text);
  }
}

// --- sound --------------------------------------------------------------------------------------

std::optional<DataError> DataGrants::grant_sound(DataSession& session) {
  const auto it = sounds_.find(session.wants_sound()->stream);
  if (it == sounds_.end() || it->second.secret != session.wants_sound()->secret) {
    return std::nullopt;
  }
  const auto heard = std::ranges::count_if(
      sounds_, [&](const auto& entry) { return is_open(entry.second.session); });
  if (is_open(it->second.session)) {
    sessions_.end(it->second.session, CloseReason::kReplaced, kReplaced);
  } else if (heard >= sail::kMaxSoundsPerReceiver) {
    return DataError{CloseReason::kLimit,
                     "this receiver already plays the sound of the maximum number of streams"};
  }
  session.accept_sound();
  it->second.session = session.id();
  sessions_.granted(session.id());
  return std::nullopt;
}

void DataGrants::set_sounds(const std::map<uint32_t, uint64_t>& secrets) {
  std::vector<uint64_t> over;
  std::erase_if(sounds_, [&](const auto& entry) {
    const auto it = secrets.find(entry.first);
    const bool stays = it != secrets.end() && it->second == entry.second.secret;
    if (!stays) over.push_back(entry.second.session);
    return !stays;
  });
  for (const uint64_t id : over) {
    sessions_.end(id, CloseReason::kNormal, "the sound is no longer played");
  }
  for (const auto& [stream, secret] : secrets) sounds_.try_emplace(stream, SoundStream{secret});
}

// --- snapshots and groups -----------------------------------------------------------------------

void DataGrants::grant_snapshot(DataSession& session) {
  const auto snapshot = snapshots_.find(session.wants_snapshot()->secret);
  if (snapshot) snapshots_.grant(*snapshot, session.take_connection());
}

void DataGrants::grant_group(DataSession& session) {
  const auto [stream, open] = *session.wants_group();
  if (groups_.has_member(open.secret, stream)) {
    groups_.add_member(open.secret, stream, session.take_connection());
  }
}

void DataGrants::shut_down() {
  snapshots_.shut_down();
  groups_.shut_down();
}

}  // namespace receiver
