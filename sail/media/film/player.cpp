#include "sail/media/film/player.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "sail/core/time/clock.h"
#include "sail/media/source/film_time.h"

namespace sail {
namespace {

constexpr int64_t kFirstStandingNs = kSecondNs / 4;

// Largest gap between pictures before it counts as a jump of the film's times.
constexpr int64_t kLongestPause = kSecondNs;
// The same for live sources whose format has no jumps, such as slides from a pipe.
constexpr int64_t kLongestLivePause = 10 * kSecondNs;

}  // namespace

int64_t presentation_ns(const Timeline& timeline, int64_t due_wall_ns, int64_t interval_ns) {
  const double position_ns = timeline.position_s * kSecondNs;
  const double passed_ns = static_cast<double>(due_wall_ns - timeline.at_ns) * timeline.rate;
  const auto interval = static_cast<double>(std::max<int64_t>(interval_ns, 1));
  const double picture = std::round((position_ns + passed_ns) / interval);
  return timeline.at_ns + std::llround((picture * interval - position_ns) / timeline.rate);
}

int64_t standing_ns(const Timeline& timeline, int64_t wall_ns) {
  if (wall_ns <= timeline.at_ns) return timeline.at_ns;
  int64_t stood_ns = kFirstStandingNs;
  while (timeline.at_ns + stood_ns < wall_ns) stood_ns *= 2;
  return timeline.at_ns + stood_ns;
}

Player::Player(const PlayerOptions& options)
    : options_(options),
      film_anchor_ns_(options.start_ns),
      rate_(std::clamp(options.rate, kMinRate, kMaxRate)),
      loop_(options.loop),
      paused_(options.paused),
      length_ns_(options.film_duration_ns) {
  if (options_.start_ns > 0) seek_ns_ = options_.start_ns;
}

Player::Step Player::next(int64_t now_ns) const {
  if (seek_ns_) return {Action::kSeek, *seek_ns_};
  if (picture_) return next_with_picture(now_ns);
  if (ended_ || limit_reached()) return next_at_end(now_ns);
  return {Action::kDecode, 0};
}

Player::Step Player::next_with_picture(int64_t now_ns) const {
  if (show_at_once_) return {Action::kSubmit, 0};
  if (paused_) return {Action::kWait, kForever};
  if (unpaced()) return {Action::kSubmit, 0};
  const int64_t due = due_ns(picture_->pts_ns);
  if (now_ns < due) return {Action::kWait, due};
  const bool moves = now_ns - last_submit_ns_ < kLongestGapNs;
  return {late(now_ns) && moves && !options_.live ? Action::kDrop : Action::kSubmit, 0};
}

Player::Step Player::next_at_end(int64_t now_ns) const {
  if (!last_) return {Action::kEnd, 0};
  if (paused_) return {Action::kWait, kForever};
  const int64_t end = end_of_last_ns();
  if (now_ns < end) return {Action::kWait, end};
  if (options_.hold) return {Action::kWait, kForever};
  return {Action::kEnd, 0};
}

// When the last picture has been shown long enough.
int64_t Player::end_of_last_ns() const {
  if (still()) return options_.still_ns == 0 ? kForever : last_submit_ns_ + options_.still_ns;
  return unpaced() ? last_submit_ns_ : due_ns(last_->end_ns());
}

bool Player::at_end(int64_t now_ns) const {
  const bool over = !seek_ns_ && !picture_ && last_ && (ended_ || limit_reached());
  return options_.hold && over && !paused_ && now_ns >= end_of_last_ns();
}

void Player::decoded(int64_t pts_ns, int64_t duration_ns) {
  ++pictures_;
  jump_ns_ = 0;
  if (duration_ns <= 0) duration_ns = last_ ? last_->duration_ns : kUsualDurationNs;
  PictureTimes picture{pts_ns, duration_ns, pts_ns};
  if (length_ns_ > 0 && pts_ns >= length_ns_ && !options_.jumps) length_ns_ = picture.end_ns();
  if (options_.fps && *options_.fps > 0) {
    picture.duration_ns = std::llround(static_cast<double>(kSecondNs) / *options_.fps);
    if (!show_at_once_ && last_) picture.pts_ns = last_->end_ns();
  }
  if (!show_at_once_ && last_) {
    const int64_t gap_ns = picture.pts_ns - last_->end_ns();
    const bool ahead =
        (options_.jumps && gap_ns > kLongestPause) || (options_.live && gap_ns > kLongestLivePause);
    if (ahead || picture.pts_ns < last_->pts_ns) {
      // The film's times jump (a loop, or concatenated pieces): continue the clock from the end of
      // the previous picture.
      if (pictures_ > 1) jump_ns_ = gap_ns;
      set_clock(picture.pts_ns, due_ns(last_->end_ns()));
      seam_ns_ = last_->end_ns();
    }
  }
  picture_ = picture;
}

void Player::reached_end() {
  ended_ = true;
  const bool anything = pictures_ > 0;
  if (!loop_ || !anything || still()) return;
  seek_ns_ = 0;
  seek_is_rewind_ = true;
}

void Player::submitted(int64_t now_ns) {
  if (!picture_) return;
  if (!following_ && (show_at_once_ || (options_.live && late(now_ns)))) {
    set_clock(picture_->pts_ns, now_ns);
  }
  show_at_once_ = false;
  last_submit_ns_ = now_ns;
  last_ = picture_;
  last_is_shown_ = true;
  picture_.reset();
  ++submitted_;
}

void Player::dropped() {
  if (!picture_) return;
  last_ = picture_;
  last_is_shown_ = false;
  picture_.reset();
  ++dropped_;
}

void Player::sought(bool done) {
  const auto sought_ns = std::exchange(seek_ns_, std::nullopt);
  const bool rewind = std::exchange(seek_is_rewind_, false);
  if (!done) return;
  picture_.reset();
  ended_ = false;
  from_start_ = rewind;
  pictures_ = 0;
  if (rewind) return;
  if (following_) {
    last_.reset();
    show_at_once_ = paused_;
    return;
  }
  show_at_once_ = true;
  // The position until the first picture is shown, so that relative seeks start from here.
  if (sought_ns) film_anchor_ns_ = *sought_ns;
}

void Player::pause(int64_t now_ns) {
  following_ = false;
  if (paused_ || at_end(now_ns)) return;
  set_clock(clock_ns(now_ns), now_ns);
  paused_ = true;
}

void Player::resume(int64_t now_ns) {
  following_ = false;
  if (at_end(now_ns)) seek(0);
  if (!paused_) return;
  paused_ = false;
  set_clock(film_anchor_ns_, now_ns);
}

void Player::seek(int64_t position_ns) {
  if (length_ns_ > 0) position_ns = std::min(position_ns, length_ns_);
  seek_ns_ = std::max<int64_t>(position_ns, 0);
  seek_is_rewind_ = following_ = false;
}

void Player::follow(int64_t film_ns, int64_t steady_ns, double rate, bool paused, int64_t now_ns) {
  rate_ = std::clamp(rate, kMinRate, kMaxRate);
  paused_ = paused;
  const int64_t passed_ns = paused ? 0 : std::max<int64_t>(now_ns - steady_ns, 0);
  int64_t wanted_ns = film_ns + std::llround(static_cast<double>(passed_ns) * rate_);
  if (loop_ && options_.film_duration_ns > 0) {
    const int64_t before_ns = wanted_ns - wanted_ns % options_.film_duration_ns;
    film_ns -= before_ns;
    wanted_ns -= before_ns;
  }
  set_clock(film_ns, steady_ns);
  const bool there = !seek_ns_ && !ended_ && (paused ? shows(wanted_ns) : is_near(wanted_ns));
  if (!there) seek(wanted_ns);
  if (there) show_at_once_ = false;
  following_ = true;
}

// True if the picture at film_ns is the one submitted last.
bool Player::shows(int64_t film_ns) const {
  return last_ && last_is_shown_ && last_->pts_ns <= film_ns && film_ns < last_->end_ns();
}

bool Player::is_near(int64_t film_ns) const {
  const auto& here = picture_ ? picture_ : last_;
  return here && std::abs(film_ns - here->pts_ns) < kLongestGapNs;
}

void Player::set_rate(double rate, int64_t now_ns) {
  if (std::isnan(rate)) return;
  following_ = false;
  set_clock(clock_ns(now_ns), now_ns);
  rate_ = std::clamp(rate, kMinRate, kMaxRate);
}

void Player::set_loop(bool loop, int64_t now_ns) {
  loop_ = loop;
  if (!loop || !ended_ || seek_ns_) return;
  // After a stop at the end, start the loop now instead of catching up.
  at_end(now_ns) ? seek(0) : reached_end();
}

int64_t Player::position_ns(int64_t now_ns) const {
  if (seek_ns_ && !seek_is_rewind_) return *seek_ns_;
  if (options_.fps) return last_ ? last_->film_pts_ns : options_.start_ns;
  if (const int64_t left_ns = film_anchor_ns_ - clock_ns(now_ns); seam_ns_ && left_ns > 0) {
    return *seam_ns_ - left_ns;
  }
  int64_t position = std::max<int64_t>(clock_ns(now_ns), 0);
  if (last_ && !show_at_once_) position = std::min(position, last_->end_ns());
  return position;
}

bool Player::still() const {
  return ended_ && from_start_ && pictures_ == 1;
}

// Late by more than a picture's duration.
bool Player::late(int64_t now_ns) const {
  return now_ns > due_ns(picture_->end_ns());
}

bool Player::limit_reached() const {
  return options_.max_frames > 0 && submitted_ >= options_.max_frames;
}

int64_t FilmClock::due_ns(int64_t pts_ns) const {
  return steady_ns + std::llround(static_cast<double>(pts_ns - film_ns) / rate);
}

int64_t Player::due_ns(int64_t pts_ns) const {
  return FilmClock{film_anchor_ns_, steady_anchor_ns_, rate_}.due_ns(pts_ns);
}

std::optional<FilmClock> Player::clock() const {
  if (!moving() || options_.live || options_.fps) return std::nullopt;
  const PictureTimes& last = picture_ ? *picture_ : *last_;
  return FilmClock{.film_ns = film_anchor_ns_,
                   .steady_ns = steady_anchor_ns_,
                   .rate = rate_,
                   .last_pts_ns = last.pts_ns,
                   .last_duration_ns = last.duration_ns,
                   .submitted_ns = last_submit_ns_};
}

int64_t Player::clock_ns(int64_t now_ns) const {
  // Before the first picture the clock is not set.
  if (paused_ || show_at_once_) return film_anchor_ns_;
  return film_anchor_ns_ + std::llround(static_cast<double>(now_ns - steady_anchor_ns_) * rate_);
}

void Player::set_clock(int64_t film_ns, int64_t steady_ns) {
  film_anchor_ns_ = film_ns;
  steady_anchor_ns_ = steady_ns;
  seam_ns_.reset();
}

}  // namespace sail
