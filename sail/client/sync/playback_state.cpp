#include "sail/client/sync/playback_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// The application reads its clock at some frame, so positions are accurate only to a frame or two.
constexpr double kToleranceS = 0.1;

bool follows(const Playback& sent, Playback playback) {
  double off_s = std::abs(position_at(sent, playback.at_ns) - playback.position_s);
  // The difference wraps around at the end of a loop.
  if (sent.loop && sent.duration_s > 0) off_s = std::min(off_s, std::abs(sent.duration_s - off_s));
  playback.position_s = sent.position_s;
  playback.at_ns = sent.at_ns;
  return off_s < kToleranceS && playback == sent;
}

}  // namespace

bool PlaybackState::set(const Playback& playback, const WallClock& clock) {
  const std::lock_guard lock(mutex_);
  playback_ = playback;
  playback_->at_ns = clock.to_steady_ns(playback_->at_ns);
  playback_->tracks = tracks_;
  return must_notify();
}

bool PlaybackState::set(FilmTracks tracks) {
  const std::lock_guard lock(mutex_);
  tracks_ = std::move(tracks);
  if (!playback_) return false;
  playback_->tracks = tracks_;
  return must_notify();
}

bool PlaybackState::must_notify() {
  if (told_ && follows(*told_, *playback_)) return false;
  return !std::exchange(due_, true);
}

std::optional<Playback> PlaybackState::take(const WallClock& clock) {
  const std::lock_guard lock(mutex_);
  due_ = false;
  if (!playback_ || (told_ && follows(*told_, *playback_))) return std::nullopt;
  told_ = playback_;
  Playback sent = *playback_;
  sent.at_ns = std::max<int64_t>(clock.to_wall_ns(sent.at_ns), 0);
  return sent;
}

double PlaybackState::speed(int64_t steady_now_ns) {
  const std::lock_guard lock(mutex_);
  if (!playback_) return 1;
  const Playback& now = *playback_;
  const bool ended =
      !now.loop && now.duration_s > 0 && position_at(now, steady_now_ns) >= now.duration_s;
  return now.paused || ended ? 0 : now.rate;
}

void PlaybackState::forget_sent() {
  const std::lock_guard lock(mutex_);
  told_.reset();
}

}  // namespace sail
