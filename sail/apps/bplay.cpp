#include "sail/apps/bplay.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "sail/apps/film_opening.h"
#include "sail/apps/playlist.h"
#include "sail/apps/server_film.h"
#include "sail/base/clock.h"
#include "sail/base/environment.h"
#include "sail/wire/url_secret.h"

namespace sail {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int kAttendEveryMs = 50;
constexpr int kAttendWhileReadingMs = 10;
constexpr int64_t kDrainTimeout = kSecondNs;
constexpr int64_t kReadingEnds = 2 * kSecondNs;
constexpr std::chrono::milliseconds kStatusEvery(250);

std::string title_of(const std::string& film) {
  if (film == "-") return "standard input";
  const std::string name = std::filesystem::path(film).filename().string();
  return name.empty() ? film : name;
}

}  // namespace

Bplay::Bplay(BplayOptions options)
    : ProgramShell("bplay", options),
      options_(std::move(options)),
      codec_(options_.codec),
      codec_given_(options_.codec_given),
      paused_(options_.paused),
      rate_(options_.rate),
      loop_(options_.loop),
      volume_(options_.volume),
      status_at_(std::chrono::steady_clock::now()) {
  if (!options_.raw) keys_.emplace();
  status_wanted_ =
      keys_ && keys_->active() && takes_control_codes() && options_.log_level != LogLevel::kError;
}

int Bplay::run() {
  const auto films = unfold_playlists(options_.films);
  if (!films) return give_up(films.error().message);
  bool anything = false;
  only_film_ = films->size() == 1;
  bool again = true;
  for (bool first = true; again && !ended_;) {
    bool any_of_this_round = false;
    for (size_t i = 0; i < films->size() && !ended_; ++i) {
      if (options_.frames > 0 && submitted_ >= options_.frames) break;
      const bool last = i + 1 == films->size() && (only_film_ || !loop_);
      any_of_this_round |= play((*films)[i], first, last);
      first = false;
    }
    anything |= any_of_this_round;
    const bool more = options_.frames == 0 || submitted_ < options_.frames;
    again =
        (loop_ || std::exchange(list_again_, false)) && !only_film_ && any_of_this_round && more;
  }
  if (!ended_) drain();
  clear_status();
  return ended_ || anything ? exit_code_ : EXIT_FAILURE;
}

bool Bplay::play(const std::string& film, bool first, bool last) {
  if (is_server_url(film)) return play_from_server(film, first, last);
  FilmDriver driver(window_, program(film, first, last));
  film_ = &driver;
  shown_at_status_ = 0;
  run_film();
  end_reading();
  film_ = nullptr;
  sound_.reset();
  if (!ended_ && driver.over() && !driver.end()) {
    const std::string& why = driver.end().error().message;
    if (driver.player() == nullptr) {
      say(LogLevel::kError, why);
    } else {
      give_up(why);  // it is the wall that takes no more
    }
  }
  if (driver.player() == nullptr) return false;
  submitted_ += driver.player()->submitted_count();
  return driver.player()->submitted_count() > 0;
}

FilmDriver::Program Bplay::program(const std::string& film, bool first, bool last) {
  const FilmWish wish{.raw = options_.raw,
                      .codec = codec_,
                      .codec_given = codec_given_,
                      .fps = options_.fps,
                      .threads = options_.threads,
                      .interrupted = {},
                      .log = &log_};
  return {.open =
              [film, wish](const std::function<bool()>& interrupted) {
                FilmWish asked = wish;
                asked.interrupted = interrupted;
                return open_film(film, asked);
              },
          .begin =
              [=, this](const SourceInfo& info) {
                log_.debug("{}: {}", film, info.description);
                open_sound(film, info.live);
                return player_options(info, first, last);
              },
          .show = [this, film](const Picture& picture) { return show(film, picture); },
          .playback =
              [this] {
                sail_playback playback{};
                playback.loop = loop_ ? 1 : 0;
                playback.has_sound = sound_ ? 1 : 0;
                playback.volume = volume_;
                return playback;
              },
          .say = [this](LogLevel level, const std::string& sentence) { say(level, sentence); }};
}

PlayerOptions Bplay::player_options(const SourceInfo& info, bool first, bool last) const {
  const bool alone = first && last;
  PlayerOptions player;
  player.fps = options_.fps;
  player.rate = rate_;
  player.paused = paused_;
  player.loop = loop_ && alone;
  player.hold = options_.hold && last && !info.live;  // a stream cannot begin again
  player.live = info.live;
  player.max_frames = options_.frames > 0 ? options_.frames - submitted_ : 0;
  player.start_ns = first ? static_cast<int64_t>(options_.start_s * kSecondNs) : 0;
  player.still_ns = alone ? 0 : static_cast<int64_t>(options_.still_s * kSecondNs);
  player.film_duration_ns = info.duration_ns;
  return player;
}

Result<bool> Bplay::show(const std::string& film, const Picture& picture) {
  if (!window_.fits(picture, codec_)) {
    Opening opening = opening_for(picture, codec_);
    fill_in(opening, options_, title_of(without_passwords(film)));
    opening.fps = options_.fps.value_or(opening.fps);
    opening.wait_when_full = options_.fps && *options_.fps == 0;
    opening.takes_input = true;
    opening.content = {replayable(options_.films), "bplay", loop_};
    if (auto opened = window_.open(opening); !opened) return opened.error();
  }
  if (window_.submit(picture) < 0) {
    return fail(ErrorCode::kInternal, "libsail does not take the picture");
  }
  return true;
}

void Bplay::run_film() {
  while (!ended_ && !list_again_ && !film_->over()) {
    attend(0);
    while (film_->take_answer()) continue;
    wait_until(film_->step());
    draw_status();
  }
}

void Bplay::wait_until(int64_t steady_ns) {
  if (ended_ || film_->over()) return;
  if (film_->awaits_reader()) {
    film_->take_answer(std::chrono::milliseconds(kAttendWhileReadingMs));
    return;
  }
  const int64_t left_ns = steady_ns - steady_now_ns();
  if (left_ns >= kMillisecond) {
    attend(static_cast<int>(std::min<int64_t>(left_ns / kMillisecond, kAttendEveryMs)));
  } else if (left_ns > 0) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(left_ns));
  }
}

void Bplay::end_reading() {
  film_->stop();
  for (int64_t give_up = 0; !film_->released();) {
    film_->take_answer(std::chrono::milliseconds(kAttendWhileReadingMs));
    attend(0);
    if (!ended_) continue;
    if (give_up == 0) give_up = steady_now_ns() + kReadingEnds;
    if (steady_now_ns() > give_up) break;
  }
  if (film_->released()) return;
  clear_status();
  window_.leave();
  keys_.reset();
  std::_Exit(EXIT_SUCCESS);
}

// The sound of local files, at their own pace: another connection to a far one may not be welcome.
void Bplay::open_sound(const std::string& film, bool live) {
  std::error_code error;
  if (options_.no_sound || options_.fps || live || !std::filesystem::is_regular_file(film, error)) {
    return;
  }
  auto sound = MediaSound::open(film);
  if (!sound) {
    log_.debug("{}", sound.error().message);
    return;
  }
  if (!std::exchange(loudspeakers_tried_, true)) {
    auto opened = SoundDevice::open();
    if (!opened) log_.debug("{}", opened.error().message);
    if (opened) loudspeakers_ = std::move(*opened);
  }
  if (loudspeakers_) sound_ = std::make_unique<FilmSound>(std::move(*sound), *loudspeakers_);
}

void Bplay::follow_sound() {
  const Player* playing = player();
  if (!sound_ || playing == nullptr) return;
  if (playing->moving() && playing->rate() == 1) {
    sound_->follow(playing->position_ns(steady_now_ns()), volume_);
  } else {
    sound_->stop();
  }
}

void Bplay::drain() {
  const int64_t give_up = steady_now_ns() + kDrainTimeout;
  while (!ended_ && window_.stats().frames_in_flight > 0 && steady_now_ns() < give_up) {
    attend(1);
  }
}

void Bplay::attend(int timeout_ms) {
  follow_sound();
  if (keys_) {
    for (const Key key : keys_->poll()) {
      obey(key);
      timeout_ms = 0;
    }
  }
  hear(timeout_ms);
}

void Bplay::say(LogLevel level, const std::string& sentence) {
  clear_status();
  log_.write(level, without_passwords(sentence));
}

bool Bplay::status_due() const {
  return status_wanted_ && std::chrono::steady_clock::now() - status_at_ >= kStatusEvery;
}

void Bplay::draw_status() {
  const Player* playing = player();
  if (!status_due() || playing == nullptr) return;
  const auto since = std::chrono::steady_clock::now() - status_at_;
  const sail_stream_stats stats = window_.stats();
  const double seconds = std::chrono::duration<double>(since).count();
  const uint64_t shown = stats.frames_shown;
  fps_shown_ =
      shown >= shown_at_status_ ? static_cast<double>(shown - shown_at_status_) / seconds : 0;
  shown_at_status_ = shown;
  PlayStatus status;
  status.position_ns = playing->position_ns(steady_now_ns());
  status.duration_ns = film_->info().duration_ns;
  status.paused = playing->paused();
  status.rate = playing->rate();
  status.fps_shown = fps_shown_;
  status.dropped = playing->dropped_count() + stats.frames_dropped;
  draw_status(status);
}

void Bplay::draw_status(const PlayStatus& status) {
  status_at_ = std::chrono::steady_clock::now();
  std::fprintf(stderr, "\r%s\x1B[K", format_status(status).c_str());
  status_drawn_ = true;
}

void Bplay::clear_status() {
  if (!std::exchange(status_drawn_, false)) return;
  std::fputs("\r\x1B[K", stderr);
}

}  // namespace sail
