#include "receiver/recorder/film_thread.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "receiver/recorder/destination.h"
#include "receiver/recorder/film_writer.h"
#include "sail/core/base/environment.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

constexpr int64_t kMostAtATime = kFilmSoundRate / 10;

int64_t ns_of(int64_t samples) {
  return samples / kFilmSoundRate * sail::kSecondNs +
         samples % kFilmSoundRate * sail::kSecondNs / kFilmSoundRate;
}

}  // namespace

// A frame shows the pictures that were presented since the previous frame, on average half a frame
// late. The sound is delayed by the same time.
FilmSound::FilmSound(SoundFeed& feed, double fps, int64_t begins_ns)
    : feed_(feed), begins_ns_(begins_ns - std::llround(1e9 / fps / 2)) {}

std::span<const float> FilmSound::read_before(int64_t sample) {
  const int64_t count = std::clamp<int64_t>(sample - next_sample_, 0, kMostAtATime);
  samples_.resize(static_cast<size_t>(count) * kFilmSoundChannels);
  if (samples_.empty()) return {};
  const int64_t heard_ns = begins_ns_ + ns_of(next_sample_);
  // The film is written with a delay, so sound that has arrived by now is in time.
  feed_.read(samples_, heard_ns, heard_ns);
  next_sample_ += count;
  return samples_;
}

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFirstPause(500);
constexpr std::chrono::milliseconds kLongestPause(15'000);
// Network timeouts: for each write, and in total when the recording ends.
constexpr int64_t kNetworkTimeoutNs = 10'000'000'000;
constexpr int64_t kEndTimeoutNs = 2'000'000'000;
constexpr std::chrono::seconds kReportEvery(10);

}  // namespace

std::string figures_text(const LiveFigures& figures) {
  const int again = std::max(figures.connections - 1, 0);
  return fmt::format("{} pictures sent, {} dropped, {} reconnect{}", figures.sent, figures.dropped,
                     again, again == 1 ? "" : "s");
}

FilmThread::FilmThread(FilmOptions options, SoundFeed& sound, const sail::Log& log)
    : options_(std::move(options)), sound_feed_(sound), log_(log), pause_(kFirstPause) {
  options_.interrupted = [this] {
    return options_.live &&
           sail::steady_now_ns() > std::min(wait_timeout_ns_.load(), end_timeout_ns_.load());
  };
}

FilmThread::~FilmThread() {
  if (!thread_.joinable()) return;
  end_timeout_ns_ = 0;
  full_.push(nullptr);
  thread_.join();
}

sail::Result<void> FilmThread::begin(sail::Size size) {
  size_ = size;
  const LiveDestination* live = live_destination(options_.to);
  options_.sound = sound_feed_.promised() || (live != nullptr && live->needs_sound);
  if (!options_.live) {
    auto opened = FilmWriter::open(options_, size_);
    if (!opened) return opened.error();
    film_ = *std::move(opened);
  }
  const size_t bytes = static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 4;
  for (size_t i = 0; i < kPlaces; ++i) {
    auto place = std::make_unique<Place>();
    place->pixels.resize(bytes);
    free_.push(std::move(place));
  }
  thread_ = std::thread([this] {
    sail::name_this_thread("film");
    run();
  });
  return {};
}

bool FilmThread::add_same(int64_t index) {
  end_index_ = index + 1;
  auto place = free_.pop();
  if (!place) return false;
  (*place)->index = index;
  (*place)->same = true;
  full_.push(*std::move(place));
  return true;
}

sail::Result<void> FilmThread::end() {
  if (!thread_.joinable()) return result_;
  end_timeout_ns_ = sail::steady_now_ns() + kEndTimeoutNs;
  full_.push(nullptr);
  thread_.join();
  return result_;
}

// --- the film's thread ---------------------------------------------------------------------------

void FilmThread::run() {
  constexpr std::chrono::seconds kLongWait(1);
  if (options_.live) try_to_open();
  drop_waiting();
  for (;;) {
    auto place = full_.pop(kLongWait);
    if (!place) continue;
    if (*place == nullptr) break;
    if (!failed()) write(**place);
    free_.push(*std::move(place));
  }
  if (next_index_ < end_index_) write({.pixels = {}, .index = end_index_ - 1, .same = true});
  receive_sound_before(next_index_);
  if (options_.live && figures_.sent == 0 && result_) {
    result_ =
        sail::fail(sail::ErrorCode::kUnavailable,
                   fmt::format("{}: nothing was sent", sail::without_stream_keys(options_.to)));
  }
  if (film_ == nullptr) return;
  wait_timeout_ns_ = sail::steady_now_ns() + kEndTimeoutNs;
  // Viewers of a live stream may have disconnected before.
  const auto finished = film_->finish();
  if (!finished && result_ && !options_.live) result_ = finished.error();
}

void FilmThread::write(const Place& place) {
  const bool sent = put(place);
  if (figures_.sent > 0) figures_.dropped += place.index - next_index_ + (sent ? 0 : 1);
  if (sent) ++figures_.sent;
  next_index_ = place.index + 1;
  if (options_.live) report();
}

bool FilmThread::put(const Place& place) {
  if (film_ == nullptr && !ending() && steady_clock::now() >= retry_at_) {
    try_to_open();
    drop_waiting();
    return false;
  }
  wait_timeout_ns_ = sail::steady_now_ns() + kNetworkTimeoutNs;
  receive_sound_before(place.index);
  if (film_ == nullptr || (place.same && wants_picture())) return false;
  const auto written =
      place.same ? film_->repeat(place.index) : film_->write(place.pixels.data(), place.index);
  if (!written) {
    give_up(written.error());
    return false;
  }
  wants_picture_.store(false, std::memory_order_release);
  pause_ = kFirstPause;
  return true;
}

// Drops the pictures that waited for a connection: players would stay late by their age.
void FilmThread::drop_waiting() {
  if (!options_.live) return;
  while (auto place = full_.pop()) {
    if (*place == nullptr) {  // the end, behind which nothing comes
      full_.push(nullptr);
      return;
    }
    free_.push(*std::move(place));
  }
}

void FilmThread::report() {
  if (figures_.sent == 0 || steady_clock::now() < report_at_) return;
  report_at_ = steady_clock::now() + kReportEvery;
  const bool worse = figures_.dropped > reported_dropped_;
  log_.write(worse ? sail::LogLevel::kWarning : sail::LogLevel::kInfo,
             fmt::format("{}: {}", sail::without_stream_keys(options_.to), figures_text(figures_)));
  reported_dropped_ = figures_.dropped;
}

void FilmThread::receive_sound_before(int64_t index) {
  if (!options_.sound || index == 0) return;
  if (!sound_) sound_.emplace(sound_feed_, options_.fps, begins_ns_);
  const int64_t end = std::llround(static_cast<double>(index) * kFilmSoundRate / options_.fps);
  for (;;) {
    const int64_t first = sound_->next_sample();
    const auto samples = sound_->read_before(end);
    if (samples.empty()) return;
    // The destination is not open, or waits for its first picture.
    if (film_ == nullptr || (options_.live && wants_picture())) continue;
    if (auto written = film_->write_sound(samples, first); !written) give_up(written.error());
  }
}

void FilmThread::try_to_open() {
  wait_timeout_ns_ = sail::steady_now_ns() + kNetworkTimeoutNs;
  auto opened = FilmWriter::open(options_, size_);
  if (!opened) return give_up(opened.error());
  film_ = *std::move(opened);
  wants_picture_.store(true, std::memory_order_release);
  if (figures_.connections++ == 0) report_at_ = steady_clock::now() + kReportEvery;
  log_.info("streaming the wall to {}", sail::without_stream_keys(options_.to));
}

void FilmThread::give_up(const sail::Error& why) {
  if (film_ != nullptr) {
    wait_timeout_ns_ = sail::steady_now_ns() + kEndTimeoutNs;
    (void)film_->finish();  // writes the buffered data
    film_.reset();
  }
  const bool may_come = why.code == sail::ErrorCode::kIo || figures_.connections > 0;
  if (!options_.live || !may_come) {
    result_ = why;
    failed_.store(true, std::memory_order_release);
    return;
  }
  if (!ending()) {
    log_.warning("{}; trying again in {:.1f} s", why.message,
                 static_cast<double>(pause_.count()) / 1000);
  }
  retry_at_ = steady_clock::now() + pause_;
  pause_ = std::min(pause_ * 2, kLongestPause);
}

}  // namespace receiver
