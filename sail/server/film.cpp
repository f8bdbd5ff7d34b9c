#include "sail/server/film.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sail/base/clock.h"
#include "sail/wire/codec_name.h"

namespace server {
namespace {

using sail::ErrorCode;
using sail::Player;

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSoon = 100 * kMillisecond;  // a next picture that makes a refresh needless
constexpr double kLongestTime = 1e8;           // seconds
constexpr double kMaxFps = 1000;               // that libsail takes

sail::PlayerOptions player_options(const PlayRequest& request, const sail::SourceInfo& info) {
  sail::PlayerOptions options;
  options.fps = request.fps;
  options.rate = request.rate;
  options.paused = request.paused;
  options.loop = request.loop;
  options.hold = request.hold;
  options.start_ns = static_cast<int64_t>(request.start_s * sail::kSecondNs);
  options.film_duration_ns = info.duration_ns;
  return options;
}

double frames_a_second(int64_t duration_ns) {
  if (duration_ns <= 0) return 0;
  return std::min(static_cast<double>(sail::kSecondNs) / static_cast<double>(duration_ns), kMaxFps);
}

std::string window_title(const PlayRequest& request) {
  if (!request.window_title.empty()) return request.window_title;
  return std::filesystem::path(request.title).filename().string();
}

}  // namespace

Film::Film(sail::Loop& loop, uint32_t number, PlayRequest request, FilmReader::Open open,
           WallLink& wall, const sail::Log& log, Handlers handlers)
    : number_(number),
      request_(std::move(request)),
      wall_(wall),
      log_(log),
      handlers_(std::move(handlers)),
      loop_(request_.loop),
      timer_(loop),
      reader_(loop, std::move(open),
              [this](FilmReader::Answer answer) { on_answer(std::move(answer)); }) {}

FilmState Film::state() const {
  if (finishing_) return FilmState::kEnding;
  if (!player_ || window_ != Window::kOpen) return FilmState::kOpening;
  return player_->paused() ? FilmState::kPaused : FilmState::kPlaying;
}

// --- what the reader and the wall answer ---------------------------------------------------------

void Film::on_answer(FilmReader::Answer answer) {
  std::visit([this](auto&& one) { on(std::forward<decltype(one)>(one)); }, std::move(answer));
}

void Film::on(FilmReader::Opened opened) {
  if (finishing_) return;
  if (!opened.info) {
    finish(FilmEnd::kFailed, opened.info.error());
    return;
  }
  duration_ns_ = opened.info->duration_ns;
  log_.debug("film {}: {}", number_, opened.info->description);
  player_.emplace(player_options(request_, *opened.info));
  ask_for_pictures();
  step();
}

void Film::on(FilmReader::Read read) {
  --asked_;
  if (!read.picture && !finishing_)
    log_.warning("film {}: {}", number_, read.picture.error().message);
  std::optional<sail::Picture> picture;
  if (read.picture) picture = std::move(*read.picture);
  if (finishing_) {
    if (picture) spend(std::move(*picture));
    return;
  }
  end_read_ = !picture;
  ready_.push_back(std::move(picture));
  step();
}

void Film::on(FilmReader::Sought sought) {
  if (finishing_) return;
  const int64_t asked_ns = *std::exchange(seeking_ns_, std::nullopt);
  if (sought.done) forget_pictures();
  // What it was to seek may have changed meanwhile: then it is asked again.
  const Player::Step wanted = player_->next(sail::steady_now_ns());
  if (wanted == Player::Step{Player::Action::kSeek, asked_ns}) {
    player_->sought(sought.done);
    if (sought.done && in_hand_) spend(*std::exchange(in_hand_, std::nullopt));
  }
  ask_for_pictures();
  step();
}

void Film::on(const FilmReader::Complaint& complaint) {
  log_.warning("film {}: {}", number_, complaint.text);
}

void Film::on(FilmReader::Ended) {
  reader_ended_ = true;
  release_if_done();
}

void Film::on_stream(sail::Result<sail_stream*> opened) {
  if (!opened) {
    window_ = Window::kNone;
    finish(FilmEnd::kFailed, opened.error());
    release_if_done();
    return;
  }
  stream_ = *opened;
  window_ = Window::kOpen;
  if (finishing_) {
    release_if_done();
    return;
  }
  step();  // the first picture is on its way when people hear of the window
  if (!finishing_) handlers_.on_opened();
}

// --- playing -------------------------------------------------------------------------------------

void Film::step() {
  timer_.stop();
  while (!finishing_ && !seeking_ns_) {
    const Player::Step step = player_->next(sail::steady_now_ns());
    switch (step.action) {
      case Player::Action::kDecode:
        if (!take_picture()) return;
        break;
      case Player::Action::kSubmit:
        if (!submit_picture()) return;
        break;
      case Player::Action::kDrop:
        spend(*std::exchange(in_hand_, std::nullopt));
        player_->dropped();
        sail_skip(stream_, 1);
        ask_for_pictures();
        break;
      case Player::Action::kWait:
        if (step.at_ns == Player::kForever) tell_playback();  // it may have come to its end
        wait_until(step.at_ns);
        return;
      case Player::Action::kSeek:
        seek_source(step.at_ns);
        return;
      case Player::Action::kEnd:
        finish(FilmEnd::kEnded);
        return;
    }
  }
}

// False: the reader has none yet.
bool Film::take_picture() {
  if (ready_.empty()) return false;
  std::optional<sail::Picture> picture = std::move(ready_.front());
  ready_.pop_front();
  if (!picture) {
    player_->reached_end();
    return true;
  }
  player_->decoded(picture->pts_ns, picture->duration_ns);
  in_hand_ = std::move(picture);
  return true;
}

// False: there is no window for it yet.
bool Film::submit_picture() {
  if (window_ == Window::kNone) open_window(*in_hand_);
  if (window_ != Window::kOpen) return false;
  if (!same_window(*in_hand_)) {
    finish(FilmEnd::kFailed,
           {ErrorCode::kUnavailable,
            request_.title + ": its pictures change their size or codec on the way; `vitrail "
                             "convert` makes it playable"});
    return false;
  }
  if (submit(*in_hand_) < 0) {
    finish(FilmEnd::kFailed, {ErrorCode::kBadData,
                              request_.title + ": a picture's blocks are not those of its size"});
    return false;
  }
  if (shown_) spend(std::move(*shown_));
  shown_ = std::exchange(in_hand_, std::nullopt);
  refresh_due_ = false;
  player_->submitted(sail::steady_now_ns());
  tell_playback();
  ask_for_pictures();
  return true;
}

sail_status Film::submit(const sail::Picture& picture) {
  const sail::CompressedPicture& blocks = *picture.compressed;
  const sail_encoded_frame frame{blocks.bytes.data(),
                                 blocks.bytes.size(),
                                 blocks.lengths.data(),
                                 blocks.lengths.size(),
                                 static_cast<sail_color_matrix>(blocks.color.matrix),
                                 static_cast<sail_color_range>(blocks.color.range)};
  return sail_submit_encoded(stream_, &frame, nullptr);
}

void Film::wait_until(int64_t steady_ns) {
  const int64_t left_ns = steady_ns - sail::steady_now_ns();
  if (refresh_due_ && left_ns > kSoon && shown_) {
    refresh_due_ = false;
    submit(*shown_);
  }
  if (steady_ns == Player::kForever) return;
  const int64_t left_ms = std::max<int64_t>(0, (left_ns + kMillisecond - 1) / kMillisecond);
  timer_.start(left_ms, 0, [this] { step(); });
}

// What is ready stays until the reader has sought: it may fail to, and then the film goes on.
void Film::seek_source(int64_t position_ns) {
  seeking_ns_ = position_ns;
  reader_.seek(position_ns);
}

void Film::forget_pictures() {
  for (auto& picture : ready_) {
    if (picture) spend(std::move(*picture));
  }
  ready_.clear();
  end_read_ = false;
}

void Film::ask_for_pictures() {
  while (!end_read_ && !seeking_ns_ && asked_ + ready_.size() < kAhead) {
    sail::Picture spent;
    if (!spent_.empty()) {
      spent = std::move(spent_.back());
      spent_.pop_back();
    }
    ++asked_;
    reader_.read(std::move(spent));
  }
}

void Film::spend(sail::Picture picture) {
  spent_.push_back(std::move(picture));
}

// --- the window ----------------------------------------------------------------------------------

void Film::open_window(const sail::Picture& picture) {
  if (!picture.compressed) {
    finish(FilmEnd::kFailed,
           {ErrorCode::kUnavailable, request_.title +
                                         ": it would have to be decoded, which this server does "
                                         "not do; `vitrail convert` makes it playable"});
    return;
  }
  shape_ = {.title = window_title(request_),
            .url = request_.url,
            .loop = request_.loop,
            .codec = sail::codec_name(picture.compressed->codec),
            .frame_size = picture.size,
            .display_size = picture.display_size,
            .block_size = picture.compressed->block_size,
            .max_reduction = picture.compressed->max_reduction,
            .fps = request_.fps.value_or(frames_a_second(picture.duration_ns)),
            .place = request_.place,
            .transport = request_.transport};
  window_ = Window::kOpening;
  wall_.open(shape_, [this](sail::Result<sail_stream*> opened) { on_stream(std::move(opened)); });
}

bool Film::same_window(const sail::Picture& picture) const {
  return picture.compressed && picture.size == shape_.frame_size &&
         picture.compressed->block_size == shape_.block_size &&
         sail::codec_name(picture.compressed->codec) == shape_.codec;
}

void Film::finish(FilmEnd why, const sail::Error& error) {
  if (std::exchange(finishing_, true)) return;
  timer_.stop();
  reader_.stop();
  handlers_.on_finished(why, error);
  release_if_done();
}

// Closes what is open; says so once nothing is.
void Film::release_if_done() {
  if (!finishing_) return;
  if (window_ == Window::kOpen) {
    window_ = Window::kClosing;
    wall_.close(std::exchange(stream_, nullptr), [this] {
      window_ = Window::kClosed;
      release_if_done();
    });
  }
  const bool window_gone = window_ == Window::kNone || window_ == Window::kClosed;
  if (window_gone && reader_ended_) handlers_.on_gone();
}

// --- what people want ----------------------------------------------------------------------------

bool Film::pause() {
  if (finishing_ || !player_) return false;
  player_->pause(sail::steady_now_ns());
  step();
  tell_playback();
  return true;
}

bool Film::resume() {
  if (finishing_ || !player_) return false;
  player_->resume(sail::steady_now_ns());
  step();
  tell_playback();
  return true;
}

bool Film::seek(double seconds) {
  if (finishing_ || !player_) return false;
  player_->seek(static_cast<int64_t>(std::clamp(seconds, 0.0, kLongestTime) * sail::kSecondNs));
  step();
  tell_playback();
  return true;
}

bool Film::set_rate(double rate) {
  if (finishing_ || !player_) return false;
  player_->set_rate(rate, sail::steady_now_ns());
  step();
  tell_playback();
  return true;
}

bool Film::set_loop(bool loop) {
  if (finishing_ || !player_) return false;
  loop_ = loop;
  player_->set_loop(loop);
  step();
  tell_playback();
  return true;
}

void Film::tell_playback() {
  if (stream_ == nullptr) return;
  sail_playback playback{};
  playback.position_s =
      static_cast<double>(player_->position_ns(sail::steady_now_ns())) / sail::kSecondNs;
  playback.duration_s = static_cast<double>(duration_ns_) / sail::kSecondNs;
  playback.rate = player_->rate();
  const bool at_end = player_->at_end(sail::steady_now_ns());
  playback.paused = at_end ? SAIL_AT_END : player_->paused() ? 1 : 0;
  playback.loop = loop_ ? 1 : 0;
  sail_set_playback(stream_, &playback);
}

void Film::obey(const sail_event& event) {
  switch (event.type) {
    case SAIL_EVENT_CLOSE:
      finish(FilmEnd::kClosed);
      break;
    case SAIL_EVENT_PAUSE:
      pause();
      break;
    case SAIL_EVENT_RESUME:
      resume();
      break;
    case SAIL_EVENT_SEEK:
      seek(event.value);
      break;
    case SAIL_EVENT_RATE:
      set_rate(event.value);
      break;
    case SAIL_EVENT_LOOP:
      set_loop(event.value != 0);
      break;
    case SAIL_EVENT_REFRESH:
      refresh_due_ = true;
      if (player_ && !finishing_) step();
      break;
    case SAIL_EVENT_CODEC:
      log_.info("film {}: stays {}, as it is stored", number_, shape_.codec);
      break;
    case SAIL_EVENT_INPUT:
    case SAIL_EVENT_VOLUME:
    case SAIL_EVENT_PAGE:
    case SAIL_EVENT_RESIZE:
    case SAIL_EVENT_FRAME:
    case SAIL_EVENT_LINK:
    case SAIL_EVENT_DISCONNECTED:
    case SAIL_EVENT_CONNECTED:
      break;
  }
}

// --- figures -------------------------------------------------------------------------------------

void Film::measure(int64_t now_ns) {
  if (stream_ == nullptr) return;
  sail_stream_stats stats{};
  sail_stream_get_stats(stream_, &stats);
  const double seconds = static_cast<double>(now_ns - measured_ns_) / sail::kSecondNs;
  if (measured_ns_ > 0 && seconds > 0) {
    fps_shown_ = static_cast<double>(stats.frames_shown - measured_.frames_shown) / seconds;
    mbit_per_s_ = static_cast<double>(stats.bytes_sent - measured_.bytes_sent) * 8 / 1e6 / seconds;
  }
  measured_ns_ = now_ns;
  measured_ = stats;
}

Film::Figures Film::figures() const {
  Figures figures{.window = 0,
                  .size = shape_.frame_size,
                  .codec = shape_.codec,
                  .duration_ns = duration_ns_,
                  .rate = request_.rate,
                  .fps_shown = fps_shown_,
                  .mbit_per_s = mbit_per_s_};
  if (player_) {
    figures.position_ns = player_->position_ns(sail::steady_now_ns());
    figures.rate = player_->rate();
    figures.frames_dropped = player_->dropped_count();
  }
  if (stream_ != nullptr) {
    sail_stream_stats stats{};
    sail_stream_get_stats(stream_, &stats);
    figures.window = sail_stream_id(stream_);
    figures.frames_sent = stats.frames_sent;
    figures.frames_shown = stats.frames_shown;
    figures.frames_dropped += stats.frames_dropped;
  }
  return figures;
}

}  // namespace server
