#include "sail/apps/server/rtsp/rtp_sender.h"

#include <algorithm>
#include <chrono>

#include "sail/apps/server/rtsp/rtcp.h"
#include "sail/core/base/secret.h"
#include "sail/core/time/clock.h"

namespace server {
namespace {

constexpr int64_t kReportEveryNs = 5 * sail::kSecondNs;
// Packets are sent this long before they are due, so that a player that probes a film before
// playback need not wait.
constexpr int64_t kLeadNs = sail::kSecondNs;
// A large UDP burst may be lost as a whole. So only this much of the lead is sent at once; the rest
// is gained by sending kHurry times as fast.
constexpr int64_t kAtOnceNs = kLeadNs / 2;
constexpr int64_t kHurry = 4;
constexpr int64_t kLateNs =
    sail::kSecondNs / 2;  // when later than that, shift the schedule instead of catching up
constexpr size_t kMaxUnsent = 512 << 10;
constexpr int64_t kCheckAgainMs = 10;
// UDP bytes per turn of the loop; fits into any socket buffer.
constexpr size_t kTurnBytes = 64 << 10;

// Sizes of a read, and limits of the read-ahead.
constexpr size_t kFirstBytes = 64 << 10;
constexpr size_t kChunkBytes = 512 << 10;
constexpr int64_t kChunkNs = 2 * sail::kSecondNs;
constexpr size_t kAheadBytes = 512 << 10;
constexpr int64_t kAheadNs = 3 * sail::kSecondNs;

constexpr int kPortTries = 16;

int64_t unix_now_ns() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

size_t packet_bytes(const std::vector<uint8_t>& bytes, size_t at) {
  return size_t{bytes[at + 2]} << 8 | bytes[at + 3];
}

template <typename Chunk>
void read_chunk(sail::RtpFilm& film, size_t max_bytes, Chunk& chunk) {
  size_t bytes = 0;
  while (bytes < max_bytes && (bytes == 0 || film.ready())) {
    auto burst = film.next();
    if (!burst) {
      chunk.at_end = true;
      return;
    }
    bytes += burst->bytes.size();
    chunk.bursts.push_back(std::move(*burst));
    if (chunk.bursts.back().send_ns - chunk.bursts.front().send_ns > kChunkNs) return;
  }
}

}  // namespace

sail::Result<RtpPorts> RtpPorts::open(sail::Loop& loop, const std::string& host,
                                      std::pair<uint16_t, uint16_t> ports) {
  uint16_t local = 0;
  for (int attempt = 0; attempt < kPortTries; ++attempt) {
    auto rtp = sail::UdpSocket::connect(loop, {host, ports.first}, local);
    if (!rtp) {
      local = 0;
      continue;
    }
    const uint16_t got = (*rtp)->address().port;
    if (got % 2 != 0) {
      local = static_cast<uint16_t>(got + 1);
      continue;
    }
    local = 0;
    auto rtcp =
        sail::UdpSocket::connect(loop, {host, ports.second}, static_cast<uint16_t>(got + 1));
    if (rtcp) return RtpPorts{std::move(*rtp), std::move(*rtcp)};
  }
  return sail::fail(sail::ErrorCode::kIo, "no pair of adjacent UDP ports is free");
}

RtpSender::RtpSender(sail::Loop& loop, sail::TcpConnection& connection,
                     std::shared_ptr<SharedRtpFilm> film, std::function<void()> on_alive)
    : loop_(loop),
      connection_(connection),
      film_(std::move(film)),
      on_alive_(std::move(on_alive)),
      name_(sail::random_word()),
      routes_(film_->film->tracks()),
      counts_(film_->film->tracks()),
      timer_(loop) {
  // Start low, so that sequence numbers wrap late.
  constexpr uint64_t kMostFirst = 0x0fff;
  for (Counts& counts : counts_) {
    counts.next_sequence = static_cast<uint16_t>(sail::random_secret() & kMostFirst);
  }
}

RtpSender::~RtpSender() {
  if (playing_) report(true);
  film_->unwanted = true;
  // Destroy the film on a worker thread, where waiting for its reads is allowed.
  sail::in_background(loop_, [film = std::move(film_)]() mutable { film.reset(); }, {});
}

void RtpSender::set_route(size_t track, RtpRoute route) {
  const bool first = !goes_by_ports();
  routes_[track] = std::move(route);
  // A player sends RTCP for all its tracks; one socket is enough to detect liveness.
  if (routes_[track]->ports && first) routes_[track]->ports->rtcp->start_reading(*this);
}

bool RtpSender::goes_by_ports() const {
  return std::ranges::any_of(routes_,
                             [](const auto& route) { return route && route->ports.has_value(); });
}

size_t RtpSender::routes() const {
  return static_cast<size_t>(
      std::ranges::count_if(routes_, [](const auto& route) { return route.has_value(); }));
}

// --- playing ---------------------------------------------------------------------------------

void RtpSender::play(const RtspRange& range, Started started) {
  to_ns_ = range.to_ns;
  if (range.from_ns || !begun_) {
    begin_at(range.from_ns.value_or(0), std::move(started));
    return;
  }
  go_on(queue_.empty() ? anchor_film_ns_ : queue_.front().burst.send_ns, true, started);
}

void RtpSender::begin_at(int64_t film_ns, Started started) {
  pause();
  queue_.clear();
  queued_bytes_ = 0;
  read_all_ = false;
  begun_ = false;
  struct Outcome {
    sail::Result<int64_t> start = 0;
    Chunk chunk;
  };
  auto outcome = std::make_shared<Outcome>();
  std::vector<std::optional<uint16_t>> first(routes_.size());
  for (size_t i = 0; i < first.size(); ++i) {
    if (routes_[i]) first[i] = counts_[i].next_sequence;
  }
  fetch_ = sail::in_background(
      loop_,
      [film = film_, film_ns, first, outcome]() mutable {
        {
          const std::lock_guard lock(film->reading);
          outcome->start = film->film->seek(film_ns, first);
          if (outcome->start) read_chunk(*film->film, kFirstBytes, outcome->chunk);
        }
        film.reset();
      },
      [this, outcome, started = std::move(started)] {
        fetch_.reset();
        if (!outcome->start) {
          started(outcome->start);
          return;
        }
        take(std::move(outcome->chunk));
        begun_ = true;
        const int64_t first_ns = queue_.empty() ? *outcome->start : queue_.front().burst.send_ns;
        shown_later_ns_ = *outcome->start - first_ns;
        go_on(*outcome->start, false, started);
      });
}

void RtpSender::go_on(int64_t film_ns, bool resumed, const Started& started) {
  playing_ = true;
  const int64_t now = sail::steady_now_ns();
  // After a pause the player already has the lead.
  anchor_steady_ns_ = resumed ? now + kLeadNs : now;
  gains_lead_ = !resumed && goes_by_ports();
  anchor_film_ns_ = queue_.empty() ? film_ns : queue_.front().burst.send_ns;
  reported_ns_ = now - kReportEveryNs;
  timer_.start(0, 0, [this] { send_what_is_due(); });
  started(film_ns);
}

void RtpSender::pause() {
  playing_ = false;
  timer_.stop();
}

void RtpSender::take(Chunk chunk) {
  read_all_ = chunk.at_end;
  for (sail::RtpBurst& burst : chunk.bursts) {
    if (to_ns_ && burst.send_ns >= *to_ns_) {
      read_all_ = true;
      return;
    }
    queued_bytes_ += burst.bytes.size();
    queue_.push_back({std::move(burst)});
  }
}

// Returns false while the storage is slow: waiting here on a timer keeps the shared worker threads
// free.
bool RtpSender::read_ahead() {
  const bool enough =
      queued_bytes_ > kAheadBytes ||
      (!queue_.empty() && queue_.back().burst.send_ns - queue_.front().burst.send_ns > kAheadNs);
  if (fetch_ || read_all_ || enough) return true;
  {
    const std::unique_lock lock(film_->reading, std::try_to_lock);
    if (!lock || !film_->film->ready()) return false;
  }
  auto chunk = std::make_shared<Chunk>();
  fetch_ = sail::in_background(
      loop_,
      [film = film_, chunk]() mutable {
        {
          const std::lock_guard lock(film->reading);
          read_chunk(*film->film, kChunkBytes, *chunk);
        }
        film.reset();
      },
      [this, chunk] {
        fetch_.reset();
        take(std::move(*chunk));
        if (playing_) send_what_is_due();
      });
  return true;
}

// --- sending ---------------------------------------------------------------------------------

void RtpSender::send_what_is_due() {
  const int64_t now = sail::steady_now_ns();
  if (now - reported_ns_ >= kReportEveryNs) report(false);
  turn_bytes_ = 0;
  std::optional<int64_t> wait;
  while (!queue_.empty() && !(wait = wait_ms(now))) {
    if (!send(queue_.front())) {
      wait = 1;
      break;
    }
    queue_.pop_front();
  }
  if (queue_.empty() && read_all_) {
    // Over UDP a busy player may read the BYE before packets that are still queued.
    if (goes_by_ports()) {
      timer_.start(kLeadNs / sail::kMillisecondNs, 0, [this] { come_to_the_end(); });
    } else {
      come_to_the_end();
    }
    return;
  }
  if (!read_ahead()) wait = std::min(wait.value_or(kCheckAgainMs), kCheckAgainMs);
  if (wait) timer_.start(*wait, 0, [this] { send_what_is_due(); });
}

std::optional<int64_t> RtpSender::wait_ms(int64_t now_ns) {
  if (connection_.unsent_bytes() > kMaxUnsent) return kCheckAgainMs;
  if (turn_bytes_ >= kTurnBytes) return 1;
  const int64_t film_ns = queue_.front().burst.send_ns - anchor_film_ns_;
  int64_t after_ns = film_ns - kLeadNs;
  if (gains_lead_) after_ns = std::max(after_ns, (film_ns - kAtOnceNs) / kHurry);
  const int64_t early_ns = anchor_steady_ns_ + after_ns - now_ns;
  if (early_ns <= 0) {
    anchor_steady_ns_ += std::max<int64_t>(-early_ns - kLeadNs - kLateNs, 0);
    return std::nullopt;
  }
  constexpr int64_t kMostMs = 1000;  // so that reports are sent in time
  return std::min((early_ns + sail::kMillisecondNs - 1) / sail::kMillisecondNs, kMostMs);
}

bool RtpSender::send(Queued& queued) {
  const auto& route = routes_[queued.burst.track];
  if (!route) {  // unreachable: the film returns only packets of tracks with a route
    queued_bytes_ -= queued.burst.bytes.size();
    return true;
  }
  if (route->ports) return send_by_ports(queued, *route);
  send_by_connection(queued, *route);
  return true;
}

void RtpSender::send_by_connection(Queued& queued, const RtpRoute& route) {
  auto bytes = std::make_shared<std::vector<uint8_t>>(std::move(queued.burst.bytes));
  Counts& counts = counts_[queued.burst.track];
  for (size_t at = 0; at < bytes->size();) {
    (*bytes)[at + 1] = static_cast<uint8_t>(route.channels.first);
    const size_t packet = packet_bytes(*bytes, at);
    counts.octets += static_cast<uint32_t>(packet - sail::kRtpHeaderBytes);
    at += sail::kRtpFrameBytes + packet;
  }
  counts.packets += queued.burst.packets;
  counts.next_sequence = static_cast<uint16_t>(counts.next_sequence + queued.burst.packets);
  queued_bytes_ -= bytes->size();
  const std::span<const uint8_t> part(*bytes);
  connection_.write({&part, 1}, [bytes](bool) {});
}

bool RtpSender::send_by_ports(Queued& queued, const RtpRoute& route) {
  const std::vector<uint8_t>& bytes = queued.burst.bytes;
  parts_.clear();
  datagrams_.clear();
  for (size_t at = queued.sent_bytes; at < bytes.size() && turn_bytes_ < kTurnBytes;) {
    const size_t packet = packet_bytes(bytes, at);
    parts_.push_back(std::span(bytes).subspan(at + sail::kRtpFrameBytes, packet));
    turn_bytes_ += packet;
    at += sail::kRtpFrameBytes + packet;
  }
  for (const auto& part : parts_) datagrams_.push_back({{&part, 1}, part.size()});
  const size_t taken = route.ports->rtp->send(datagrams_);
  Counts& counts = counts_[queued.burst.track];
  for (size_t i = 0; i < taken; ++i) {
    counts.octets += static_cast<uint32_t>(parts_[i].size() - sail::kRtpHeaderBytes);
    queued.sent_bytes += sail::kRtpFrameBytes + parts_[i].size();
  }
  counts.packets += static_cast<uint32_t>(taken);
  counts.next_sequence = static_cast<uint16_t>(counts.next_sequence + taken);
  if (queued.sent_bytes < bytes.size()) return false;
  queued_bytes_ -= bytes.size();
  return true;
}

void RtpSender::send_rtcp(const RtpRoute& route, const std::vector<uint8_t>& bytes) {
  const std::span<const uint8_t> part(bytes);
  if (route.ports) {
    const sail::OutgoingDatagram datagram{{&part, 1}, bytes.size()};
    route.ports->rtcp->send({&datagram, 1});
    return;
  }
  std::vector<uint8_t> framed{'$', static_cast<uint8_t>(route.channels.second),
                              static_cast<uint8_t>(bytes.size() >> 8),
                              static_cast<uint8_t>(bytes.size())};
  framed.insert(framed.end(), bytes.begin(), bytes.end());
  connection_.write_copy(framed);
}

void RtpSender::report(bool last) {
  const int64_t now = sail::steady_now_ns();
  reported_ns_ = now;
  const int64_t film_ns = anchor_film_ns_ + shown_later_ns_ + now - anchor_steady_ns_;
  for (size_t track = 0; track < routes_.size(); ++track) {
    if (!routes_[track]) continue;
    const SenderReport report{.ssrc = film().ssrc(track),
                              .unix_ns = unix_now_ns(),
                              .rtp_time = film().rtp_time(track, film_ns),
                              .packets = counts_[track].packets,
                              .octets = counts_[track].octets};
    send_rtcp(*routes_[track], last ? write_goodbye(report, name_) : write_report(report, name_));
  }
}

void RtpSender::come_to_the_end() {
  report(true);
  pause();
  begun_ = false;
}

}  // namespace server
