#include "receiver/intake/data_plane.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/time/clock.h"

namespace receiver {
namespace {

using sail::CloseReason;
using sail::DataError;

// Number of ports to try: a port that is free for TCP but not for UDP is skipped.
constexpr size_t kPortsTried = 16;

constexpr int64_t kHousekeepingMs = 1000;

// Sent in plain text to peers that connect without TLS.
std::string plain_refusal() {
  const std::vector<uint8_t> message =
      sail::encode(0, sail::CloseMessage{CloseReason::kUnsupported,
                                         "senders on other machines must use TLS 1.3: update this "
                                         "sender, or unset VITRAIL_TLS=never"});
  return {message.begin(), message.end()};
}

}  // namespace

DataPlane::DataPlane(sail::Loop& loop, Handlers handlers, const sail::Log& log,
                     const Options& options)
    : loop_(loop),
      handlers_(std::move(handlers)),
      log_(log),
      rate_limited_log_(log),
      open_timeout_ms_(options.open_timeout_ms),
      memory_(options.memory_bytes),
      sessions_(trim_),
      frames_(loop, sessions_, trim_,
              {.on_due = handlers_.on_due,
               .on_whole = options.on_whole,
               .on_thumbnail = handlers_.on_thumbnail,
               .to_wall_ns = handlers_.to_wall_ns},
              log, options.decode_workers, options.trace),
      grants_(loop, sessions_, frames_, memory_,
              {.to_wall_ns = handlers_.to_wall_ns,
               .on_group_absent = handlers_.on_group_absent,
               .on_group_ready = handlers_.on_group_ready},
              log),
      housekeeping_(loop) {
  housekeeping_.start(kHousekeepingMs, kHousekeepingMs, [this] { run_housekeeping(); });
}

sail::Result<uint16_t> DataPlane::listen(const sail::Address& at) {
  if (listener_ && listener_->address().host == at.host) return listener_->address().port;
  if (at.port != 0) {  // the same port on all addresses would conflict
    listener_.reset();
    grants_.set_packets(nullptr);
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
      grants_.set_packets(*std::move(packets));
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

// --- what the manager announces -----------------------------------------------------------------

void DataPlane::prepare(const sail::Scene& scene) {
  grants_.end_streams(frames_.prepare(scene), "the stream has ended");
  grant_waiting();
}

void DataPlane::commit(const sail::Scene& scene, uint32_t asked_by) {
  grants_.end_streams(frames_.commit(scene, asked_by), "the window is closed");
}

bool DataPlane::reserve_fade(size_t bytes) {
  if (fade_memory_.bytes() == bytes) return true;
  fade_memory_ = {};
  if (memory_.left() < bytes) {
    log_.warning(
        "the next layout is shown without a fade, which needs {} MiB of memory: {} MiB are "
        "left (--memory)",
        bytes >> 20, memory_.left() >> 20);
    return false;
  }
  fade_memory_ = memory_.take(bytes);
  return true;
}

void DataPlane::set_sounds(const std::map<uint32_t, uint64_t>& secrets) {
  grants_.set_sounds(secrets);
  grant_waiting();
}

void DataPlane::set_groups(const sail::CoordinatedGroups& groups) {
  grants_.set_groups(groups);
  grant_waiting();
}

void DataPlane::permit_snapshot(uint64_t secret, int64_t at_ns) {
  const auto snapshot = grants_.permit_snapshot(secret);
  if (!snapshot) return;
  handlers_.on_snapshot(*snapshot, at_ns);
  grant_waiting();
}

// --- sessions -----------------------------------------------------------------------------------

// Tries again to grant sessions that waited for what the manager has just announced.
void DataPlane::grant_waiting() {
  std::vector<uint64_t> waiting;
  for (const auto& [id, session] : sessions_.unproven()) {
    if (!session->wants_nothing()) waiting.push_back(id);
  }
  for (const uint64_t id : waiting) {
    DataSession* session = sessions_.find(id);
    if (session == nullptr) continue;
    const auto error = grants_.grant(*session);
    if (error || session->over()) session_over(id, error);
  }
}

void DataPlane::session_over(uint64_t id, const std::optional<DataError>& error) {
  if (!error) {
    sessions_.remove(id);
    return;
  }
  if (const DataSession* session = sessions_.find(id)) {
    ++counters_.sessions_refused;
    if (error->reason == CloseReason::kBadVersion) ++counters_.other_versions;
    const char* reason = sail::close_reason_name(error->reason);
    rate_limited_log_.warning(fmt::format("data connections refused: {}", reason),
                              session->peer().host, sail::steady_now_ns(),
                              "data connection from {} refused: {}: {}",
                              sail::address_text(session->peer()), reason, error->text);
    sessions_.end(id, error->reason, error->text);
  }
}

void DataPlane::run_housekeeping() {
  const int64_t now_ns = sail::steady_now_ns();
  rate_limited_log_.flush(now_ns);
  trim_.on_second(now_ns);
  frames_.end_decode_threads();
}

void DataPlane::shut_down() {
  listener_.reset();
  frames_.shut_down();
  housekeeping_.stop();
  while (const DataSession* session = sessions_.any()) {
    sessions_.end(session->id(), CloseReason::kShutdown, "the receiver is shutting down");
  }
  grants_.shut_down();
}

}  // namespace receiver
