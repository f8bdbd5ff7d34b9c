#include "sail/apps/program/film_driver.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sail/core/time/clock.h"
#include "sail/core/wire/playback.h"
#include "sail/media/film/player.h"
#include "sail/media/source/picture_encoder.h"

namespace sail {
namespace {

constexpr int64_t kSoon = kSecondNs / 10;  // a picture due this soon makes a refresh unnecessary
constexpr double kLongestTime = 1e8;       // seconds
// This lead covers encoding and transport. It is shorter than the time for which receivers hold
// frames.
constexpr int64_t kLeastAheadNs = kSecondNs / 40;
constexpr int64_t kMostAheadNs = kSecondNs / 10;
// If a timeline has been paused for this long, its picture is shown at once.
constexpr int64_t kLongAgoNs = kSecondNs / 2;
constexpr int64_t kSilentAfterNs = kSilentAfterMs * kMillisecondNs;
// The longest step of time stamps from one picture to the next. A longer step, forwards or
// backwards, is a jump, except where a film has a pause, and in a live source that sent nothing for
// as long.
constexpr int64_t kLongestStepNs = kSecondNs;
constexpr int64_t kJumpsToldEveryS = 10;

}  // namespace

FilmDriver::FilmDriver(WallWindow& window, Program program, Begin begin)
    : window_(window),
      program_(std::move(program)),
      begun_(begin == Begin::kAtOnce),
      reader_(program_.open, program_.on_answer) {
  static_assert(kMostAhead + 1 <= FilmReader::kMaxRequests, "and a seek");
}

void FilmDriver::begin() {
  if (!std::exchange(begun_, true) && opened_) start_player();
}

// --- answers of the reader -----------------------------------------------------------------------

bool FilmDriver::take_answer(std::chrono::nanoseconds wait) {
  auto answer = reader_.take(wait);
  if (!answer) return false;
  std::visit([this](auto&& one) { on(std::forward<decltype(one)>(one)); }, std::move(*answer));
  return true;
}

void FilmDriver::on(FilmReader::Opened opened) {
  if (!opened.info) {
    end_ = opened.info.error();
    return;
  }
  info_ = *std::move(opened.info);
  opened_ = true;
  if (begun_) start_player();
  ask_for_pictures();
}

void FilmDriver::start_player() {
  player_.emplace(program_.begin(info_));
  came_ns_ = steady_now_ns();
}

void FilmDriver::on(FilmReader::Read read) {
  --asked_;
  std::optional<Picture> picture;
  if (read.picture) picture = std::move(*read.picture);
  if (end_read_) {  // requested before the end was known
    if (picture) spend(std::move(*picture));
    return;
  }
  std::optional<Error> error;
  if (!read.picture && program_.error_ends) error = std::move(read.picture.error());
  if (!read.picture && !error) program_.say(LogLevel::kError, read.picture.error().message);
  end_read_ = !picture && !read.again;
  const int64_t now_ns = steady_now_ns();
  if (picture) {
    came_ns_ = now_ns;
    silent_since_s_ = 0;
    const size_t most = picture->compressed ? kCompressedAheadBytes : kDecodedAheadBytes;
    most_ahead_ = std::clamp(most / std::max<size_t>(picture_bytes(*picture), 1), kLeastAhead,
                             info_.live ? kLiveAhead : kMostAhead);
  }
  ready_.push_back({std::move(picture), read.again, read.left_out, now_ns, std::move(error)});
  ask_for_pictures();  // more pictures may fit into memory than assumed
}

// Pictures that are ready are kept until the seek has succeeded. If it fails, playback continues.
void FilmDriver::on(FilmReader::Sought sought) {
  const int64_t asked_ns = *std::exchange(seeking_ns_, std::nullopt);
  if (sought.done) {
    for (Ready& ready : ready_) {
      if (ready.picture) spend(*std::move(ready.picture));
    }
    ready_.clear();
    end_read_ = false;
  }
  // The wanted position may have changed in the meantime: then seek again.
  const Player::Step wanted = player_->next(steady_now_ns());
  if (wanted == Player::Step{Player::Action::kSeek, asked_ns}) {
    player_->sought(sought.done);
    if (sought.done && in_hand_) spend(*std::exchange(in_hand_, std::nullopt));
  }
  ask_for_pictures();
}

void FilmDriver::on(const FilmReader::Complaint& complaint) {
  program_.say(LogLevel::kWarning, complaint.text);
}

void FilmDriver::on(const FilmReader::Ended& ended) {
  read_figures_ = ended.figures;
  released_ = true;
}

// --- playing -------------------------------------------------------------------------------------

int64_t FilmDriver::step() {
  const int64_t next_ns = advance();
  reader_.set_clock(clock());
  return next_ns;
}

std::optional<FilmClock> FilmDriver::clock() const {
  std::optional<FilmClock> clock = player_ ? player_->clock() : std::nullopt;
  if (clock) clock->ahead_ns = ahead_ns();
  return clock;
}

int64_t FilmDriver::advance() {
  take_timeline();
  for (bool shown = false; player_ && !seeking_ns_ && !over();) {
    const Player::Step step = player_->next(player_now_ns());
    switch (step.action) {
      case Player::Action::kDecode:
        if (!take_picture()) {
          show_again(kForever);
          return check_signal();
        }
        break;
      case Player::Action::kSubmit:
        if (std::exchange(shown, true)) return 0;
        if (!show_picture()) return kForever;
        break;
      case Player::Action::kDrop:
        drop_picture();
        break;
      case Player::Action::kWait:
        if (step.at_ns == kForever) tell();  // the end may have been reached
        show_again(step.at_ns - steady_now_ns());
        return std::min(wake_ns(step.at_ns), stand_again());
      case Player::Action::kSeek:
        seeking_ns_ = step.at_ns;
        reader_.seek(step.at_ns);
        break;
      case Player::Action::kEnd:
        end_.emplace();
        break;
    }
  }
  if (!over()) show_again(kForever);
  return kForever;
}

bool FilmDriver::awaits_reader() const {
  if (!player_ || seeking_ns_) return !over();
  return !over() && ready_.empty() && !in_hand_ &&
         player_->next(steady_now_ns()).action == Player::Action::kDecode;
}

int64_t FilmDriver::check_signal() {
  if (!info_.reconnects || silent_since_s_ != 0) return kForever;
  const int64_t passed_ns = steady_now_ns() - came_ns_;
  if (passed_ns < kSilentAfterNs) return came_ns_ + kSilentAfterNs;
  silent_since_s_ = (calendar_now_ns() - passed_ns) / kSecondNs;
  tell();
  return kForever;
}

int64_t FilmDriver::jump_of_live(const Picture& picture, int64_t came_ns) {
  const auto before = std::exchange(stamp_, Stamp{picture.pts_ns, came_ns});
  if (!before || came_ns - before->came_ns >= kLongestStepNs) return 0;
  return picture.pts_ns - before->pts_ns;
}

void FilmDriver::note_jump(int64_t step_ns) {
  if (step_ns <= kLongestStepNs && step_ns >= -kLongestStepNs) return;
  const int64_t now_s = calendar_now_ns() / kSecondNs;
  if (now_s - std::exchange(jumped_s_, now_s) < kJumpsToldEveryS) return;
  program_.say(LogLevel::kWarning, fmt::format("the time stamps of the {} jumped by {:+.1f} s",
                                               info_.live ? "source" : "film",
                                               static_cast<double>(step_ns) / kSecondNs));
}

// Returns false if the reader has delivered no picture yet.
bool FilmDriver::take_picture() {
  if (ready_.empty()) return false;
  Ready ready = std::move(ready_.front());
  ready_.pop_front();
  left_out_ += ready.left_out;
  if (ready.left_out > 0) window_.skip(ready.left_out);
  if (ready.error) {
    end_ = *std::move(ready.error);
    return true;
  }
  if (!ready.picture) {
    player_->reached_end();
    const bool begins_again = player_->next(steady_now_ns()).action == Player::Action::kSeek;
    if (begins_again && ready.again) player_->sought(true);
    return true;
  }
  player_->decoded(ready.picture->pts_ns, ready.picture->duration_ns);
  info_.duration_ns = std::max(info_.duration_ns, player_->length_ns());
  note_jump(info_.live ? jump_of_live(*ready.picture, ready.came_ns) : player_->jump_ns());
  if (ready.picture->duration_ns > 0) interval_ns_ = ready.picture->duration_ns;
  in_hand_ = std::move(ready.picture);
  return true;
}

// Later pictures of a carried stream depend on one that is not shown: the first one of a stream
// that is not open yet opens the stream.
void FilmDriver::drop_picture() {
  if (in_hand_->compressed && codecs::is_carried(in_hand_->compressed->codec.id)) {
    if (!window_.pass_on(*in_hand_)) {
      if (const auto shown = program_.show(*in_hand_); !shown) end_ = shown.error();
    }
  } else {
    window_.skip(1);
  }
  spend(*std::exchange(in_hand_, std::nullopt));
  player_->dropped();
  ask_for_pictures();
}

// Returns false if there is no window yet, or on error.
bool FilmDriver::show_picture() {
  const int64_t present_ns = present_hand_ns();
  if (present_ns != 0 && present_ns < last_present_ns_) {
    drop_picture();  // the timeline was received too late for this picture
    return true;
  }
  window_.present_at(present_ns);
  const auto shown = program_.show(*in_hand_);
  if (!shown) end_ = shown.error();
  if (!shown || !*shown) return false;
  if (shown_) spend(std::move(*shown_));
  shown_ = std::exchange(in_hand_, std::nullopt);
  refresh_due_ = false;
  last_present_ns_ = std::max(last_present_ns_, present_ns);
  player_->submitted(player_now_ns());
  tell();
  ask_for_pictures();
  return true;
}

void FilmDriver::show_again(int64_t left_ns) {
  if (refresh_due_ && left_ns > kSoon && shown_) hand_over_again(0);
}

void FilmDriver::hand_over_again(int64_t present_ns) {
  window_.present_at(present_ns);
  const auto shown = program_.show(*shown_);
  refresh_due_ = shown && !*shown;
  if (!shown) program_.say(LogLevel::kWarning, shown.error().message);
}

// --- a timeline ----------------------------------------------------------------------------------

void FilmDriver::follow(const Timeline& timeline) {
  next_timeline_ = timeline;
}

int64_t FilmDriver::ahead_ns() const {
  if (!timeline_) return 0;
  return std::clamp(2 * interval_ns_, kLeastAheadNs, kMostAheadNs);
}

int64_t FilmDriver::player_now_ns() const {
  return steady_now_ns() + ahead_ns();
}

int64_t FilmDriver::wake_ns(int64_t due_ns) const {
  const int64_t next_ns =
      next_timeline_ ? steady_now_ns() + next_timeline_->at_ns - window_.wall_now_ns() : kForever;
  const int64_t first_ns = std::min(due_ns, next_ns);
  return first_ns == kForever ? kForever : first_ns - ahead_ns();
}

// The first timeline is adopted at once, even if it starts later.
void FilmDriver::take_timeline() {
  if (!next_timeline_ || !player_ || seeking_ns_) return;
  const int64_t wall_ns = window_.wall_now_ns();
  if (timeline_ && wall_ns + ahead_ns() < next_timeline_->at_ns) return;
  if (timeline_ == next_timeline_) return next_timeline_.reset();
  timeline_ = *std::exchange(next_timeline_, std::nullopt);
  stood_ns_ = timeline_->at_ns;
  player_->follow(std::llround(timeline_->position_s * kSecondNs),
                  steady_now_ns() + timeline_->at_ns - wall_ns, timeline_->rate, timeline_->paused,
                  player_now_ns());
  tell();
}

int64_t FilmDriver::present_hand_ns() {
  if (!timeline_) return 0;
  const int64_t wall_ns = window_.wall_now_ns();
  if (timeline_->paused) {
    if (wall_ns - timeline_->at_ns > kLongAgoNs) return 0;
    return standing_ns(*timeline_, last_present_ns_);
  }
  const int64_t due_ns = wall_ns + player_->due_ns() - steady_now_ns();
  const int64_t present_ns = presentation_ns(*timeline_, due_ns, interval_ns_);
  player_->nudge(present_ns - due_ns);
  return present_ns;
}

// Returns when to call this again.
int64_t FilmDriver::stand_again() {
  if (!timeline_ || !timeline_->paused || !shown_) return kForever;
  const int64_t wall_ns = window_.wall_now_ns();
  const int64_t stood_ns = stood_ns_;
  int64_t next_ns = standing_ns(*timeline_, stood_ns_ + 1);
  while (next_ns <= wall_ns + ahead_ns()) {
    stood_ns_ = std::exchange(next_ns, standing_ns(*timeline_, next_ns + 1));
  }
  const bool due = stood_ns_ > stood_ns && wall_ns - stood_ns_ <= kLongAgoNs;
  if (due && stood_ns_ >= last_present_ns_) hand_over_again(last_present_ns_ = stood_ns_);
  return steady_now_ns() + next_ns - wall_ns - ahead_ns();
}

void FilmDriver::ask_for_pictures() {
  const bool again = player_ && player_->loops() && !info_.live;
  while (!end_read_ && !seeking_ns_ && asked_ + ready_.size() < most_ahead_) {
    Picture spent;
    if (!spent_.empty()) {
      spent = std::move(spent_.back());
      spent_.pop_back();
    }
    ++asked_;
    reader_.read(std::move(spent), again);
  }
}

// --- commands and reports ------------------------------------------------------------------------

void FilmDriver::obey(const sail_event& event) {
  if (event.type == SAIL_EVENT_REFRESH) refresh();
  if (event.type == SAIL_EVENT_TIMELINE && event.value != 0) {
    const sail_timeline& told = event.timeline;
    follow({.position_s = told.position_s,
            .at_ns = told.at_ns,
            .rate = told.rate,
            .paused = told.paused != 0});
  }
  const bool of_its_own = event.type == SAIL_EVENT_PAUSE || event.type == SAIL_EVENT_RESUME ||
                          event.type == SAIL_EVENT_SEEK || event.type == SAIL_EVENT_RATE;
  if (of_its_own || (event.type == SAIL_EVENT_TIMELINE && event.value == 0)) {
    timeline_.reset();
    next_timeline_.reset();
  }
  if (!player_) return;
  const int64_t now_ns = steady_now_ns();
  if (event.type == SAIL_EVENT_PAUSE) player_->pause(now_ns);
  if (event.type == SAIL_EVENT_RESUME) player_->resume(now_ns);
  if (event.type == SAIL_EVENT_SEEK) seek(event.value);
  if (event.type == SAIL_EVENT_RATE) player_->set_rate(event.value, now_ns);
}

void FilmDriver::seek(double seconds) {
  player_->seek(static_cast<int64_t>(std::clamp(seconds, 0.0, kLongestTime) * kSecondNs));
}

void FilmDriver::choose_subtitles(const SubtitleChoice& choice) {
  reader_.choose_subtitles(choice);
  if (player_ && !info_.live && !follows()) player_->seek(player_->position_ns(steady_now_ns()));
}

void FilmDriver::tell() {
  if (!player_ || !program_.playback) return;
  const int64_t now_ns = steady_now_ns();
  sail_playback playback = program_.playback();
  playback.position_s = static_cast<double>(player_->position_ns(now_ns)) / kSecondNs;
  playback.duration_s = static_cast<double>(info_.duration_ns) / kSecondNs;
  playback.rate = player_->rate();
  playback.paused = player_->at_end(player_now_ns()) ? SAIL_AT_END : player_->paused() ? 1 : 0;
  playback.live = info_.live ? 1 : 0;
  playback.silent_since_s = silent_since_s_;
  playback.jumped_s = jumped_s_;
  if (program_.tracks) window_.tell(program_.tracks());
  window_.tell(playback);
}

}  // namespace sail
