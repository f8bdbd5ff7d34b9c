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

// Sizes of a read, and limits of the read-ahead.
constexpr size_t kFirstBytes = 64 << 10;
constexpr size_t kChunkBytes = 512 << 10;
constexpr int64_t kChunkNs = 2 * sail::kSecondNs;
constexpr size_t kAheadBytes = 512 << 10;
constexpr int64_t kAheadNs = 3 * sail::kSecondNs;

int64_t unix_now_ns() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
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

RtpSender::RtpSender(sail::Loop& loop, sail::TcpConnection& connection,
                     std::shared_ptr<SharedRtpFilm> film, std::function<void()> on_alive)
    : loop_(loop),
      connection_(connection),
      film_(std::move(film)),
      name_(sail::random_word()),
      routes_(connection, film_->film->tracks(), std::move(on_alive)),
      timer_(loop) {}

RtpSender::~RtpSender() {
  if (playing_) report(true);
  film_->unwanted = true;
  // Destroy the film on a worker thread, where waiting for its reads is allowed.
  sail::in_background(loop_, [film = std::move(film_)]() mutable { film.reset(); }, {});
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
  std::vector<std::optional<uint16_t>> first(film().tracks());
  for (size_t i = 0; i < first.size(); ++i) {
    if (routes_.has(i)) first[i] = routes_.counts(i).next_sequence;
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
  gains_lead_ = !resumed && routes_.use_ports();
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
  routes_.begin_turn();
  std::optional<int64_t> wait;
  while (!queue_.empty() && !(wait = wait_ms(now))) {
    const size_t bytes = queue_.front().burst.bytes.size();
    if (!routes_.send(queue_.front())) {
      wait = 1;
      break;
    }
    queued_bytes_ -= bytes;
    queue_.pop_front();
  }
  if (queue_.empty() && read_all_) {
    // Over UDP a busy player may read the BYE before packets that are still queued.
    if (routes_.use_ports()) {
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
  if (!routes_.may_send()) return 1;
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

void RtpSender::report(bool last) {
  const int64_t now = sail::steady_now_ns();
  reported_ns_ = now;
  const int64_t film_ns = anchor_film_ns_ + shown_later_ns_ + now - anchor_steady_ns_;
  for (size_t track = 0; track < film().tracks(); ++track) {
    if (!routes_.has(track)) continue;
    const SenderReport report{.ssrc = film().ssrc(track),
                              .unix_ns = unix_now_ns(),
                              .rtp_time = film().rtp_time(track, film_ns),
                              .packets = routes_.counts(track).packets,
                              .octets = routes_.counts(track).octets};
    routes_.send_rtcp(track, last ? write_goodbye(report, name_) : write_report(report, name_));
  }
}

void RtpSender::come_to_the_end() {
  report(true);
  pause();
  begun_ = false;
}

}  // namespace server
