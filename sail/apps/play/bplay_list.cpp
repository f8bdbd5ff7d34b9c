// bplay's playlist: which video is played, and which is opened ahead of time.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "sail/apps/play/bplay.h"
#include "sail/apps/play/film_opening.h"
#include "sail/apps/play/playlist.h"
#include "sail/apps/play/server_film.h"
#include "sail/core/base/mailbox.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/source/file_sequence.h"
#include "sail/media/storage/reading/read_speed.h"

namespace sail {
namespace {

constexpr int kAttendMs = 10;
constexpr int64_t kReadingEnds = 2 * kSecondNs;
// Time to open a large file and decode its first pictures.
constexpr int64_t kOpenAheadNs = 2 * kSecondNs;
// Maximum number of finished videos whose files are still closing.
constexpr size_t kMostLeaving = 1;

// Live sources would only accumulate delay, and some sources can be read only once.
bool may_be_opened_ahead(const std::string& film) {
  return film != kStandardInput && film.find("://") == std::string::npos &&
         !is_capture_device(film) && !film.starts_with("/dev/");
}

}  // namespace

int Bplay::run() {
  auto films = unfold_playlists(options_.films);
  if (!films) return give_up(films.error().message);
  films_ = std::move(*films);
  only_film_ = films_.size() == 1;
  if (!only_film_ && !options_.sound_from.empty())
    return give_up("--sound-from allows one film only");
  if (auto track = check_sound_track(); !track) return give_up(track.error().message);
  if (const auto advice = mount_advice(films_.front())) say(LogLevel::kWarning, *advice);
  bool anything = false;
  bool again = true;
  for (bool first = true; again && !ended_;) {
    bool any_of_this_round = false;
    for (size_t i = 0; i < films_.size() && !ended_; ++i) {
      if (options_.frames > 0 && submitted_ >= options_.frames) break;
      any_of_this_round |= play(i, first);
      first = false;
    }
    anything |= any_of_this_round;
    const bool more = options_.frames == 0 || submitted_ < options_.frames;
    again =
        (loop_ || std::exchange(list_again_, false)) && !only_film_ && any_of_this_round && more;
  }
  if (!ended_) drain();
  if (next_) let_go(*std::exchange(next_, std::nullopt));
  end_reading(0);
  clear_status();
  return ended_ || anything ? exit_code_ : failure_;
}

bool Bplay::play(size_t place, bool first) {
  bool shown = play_once(place, first);
  while (again_at_ns_ && !ended_) shown |= play_once(place, first);
  return shown;
}

bool Bplay::play_once(size_t place, bool first) {
  const std::string& film = films_[place];
  if (is_server_url(film)) return play_from_server(film, first, is_last(place));
  // The film is converted for the wall's displays.
  if (auto connected = session_.open(); !connected) {
    give_up(connected.error().message);
    return false;
  }
  auto ahead = std::exchange(next_, std::nullopt);
  if (ahead && ahead->place != place) let_go(*std::exchange(ahead, std::nullopt));
  now_ = ahead ? std::move(*ahead) : open(place);
  film_ = now_->driver.get();
  const double start_s = first ? options_.start_s : 0;
  start_ns_ =
      std::exchange(again_at_ns_, std::nullopt).value_or(static_cast<int64_t>(start_s * kSecondNs));
  if (may_carry()) codec_reason_.clear();
  film_->begin();
  shown_at_status_ = 0;
  run_film();
  if (!ended_ && !again_at_ns_ && film_->over() && !film_->end()) {
    const std::string& why = film_->end().error().message;
    if (player() == nullptr) {
      say(LogLevel::kError, why);
    } else {
      give_up(why);  // the wall does not accept pictures any more
    }
  }
  const uint64_t shown = player() == nullptr ? 0 : player()->submitted_count();
  submitted_ += shown;
  film_ = nullptr;
  end_silence();
  const bool live = now_->driver->info().live;
  let_go(*std::exchange(now_, std::nullopt));
  if (live && again_at_ns_) end_reading(0);  // a port or a device has one reader
  return shown > 0;
}

bool Bplay::is_last(size_t place) const {
  return place + 1 == films_.size() && (only_film_ || !loop_);
}

Bplay::Film Bplay::open(size_t place) {
  Film film;
  film.place = place;
  film.name = films_[place];
  opened_ns_ = steady_now_ns();
  if (carried_tries_.due(opened_ns_)) carried_tries_.begin(opened_ns_);
  film.driver = std::make_unique<FilmDriver>(window_, program(place), FilmDriver::Begin::kWhenTold);
  start_sound(film);
  return film;
}

void Bplay::open_next_when_due() {
  const Player* playing = player();
  if (next_ || playing == nullptr || is_last(now_->place)) return;
  const size_t place = (now_->place + 1) % films_.size();
  if (!may_be_opened_ahead(films_[place])) return;
  const int64_t left_ns = film_->info().duration_ns - playing->position_ns(steady_now_ns());
  const bool ends_soon =
      film_->info().duration_ns > 0 &&
      static_cast<double>(left_ns) < static_cast<double>(kOpenAheadNs) * playing->rate();
  if (ends_soon || film_->read_to_end()) next_ = open(place);
}

FilmDriver::Program Bplay::program(size_t place) {
  const std::string& film = films_[place];
  FilmDriver::Program program = reading(film);
  program.begin = [=, this](const SourceInfo& info) {
    log_.debug("{}: {}", without_passwords(film), info.description);
    return player_options(film, info, is_last(place));
  };
  program.playback = [this] {
    sail_playback playback{};
    playback.loop = loop_ ? 1 : 0;
    playback.has_sound = now_ && now_->reported_audible ? 1 : 0;
    playback.volume = volume_;
    playback.fallback = fallback_shown_ ? 1 : 0;
    return playback;
  };
  program.tracks = [this] { return film_tracks(); };
  return program;
}

FilmDriver::Program Bplay::reading(const std::string& film) {
  // Filled by the thread that opens the film.
  const auto reasons = std::make_shared<Mailbox<std::string>>(1);
  const FilmWish wish{.raw = options_.raw,
                      .codec = codec_,
                      .may_carry = may_carry(),
                      .explain =
                          [this, reasons](const std::string& reason) {
                            log_.info("{}", reason);
                            reasons->push(reason);
                          },
                      .codec_given = codec_given_,
                      .fps = options_.fps,
                      .deinterlacing = options_.deinterlacing,
                      .missing = options_.missing,
                      .threads = options_.threads,
                      .interrupted = {},
                      .log = &log_,
                      .subtitles = subtitles_,
                      .display = session_.display(),
                      .patient = !options_.fallback.empty()};
  return {.open =
              [film, wish](const std::function<bool()>& interrupted) {
                FilmWish asked = wish;
                asked.interrupted = interrupted;
                return open_film(film, asked);
              },
          .begin = {},
          .show =
              [this, film, reasons](const Picture& picture) {
                if (auto reason = reasons->pop()) codec_reason_ = *std::move(reason);
                return show(film, picture);
              },
          .playback = {},
          .say = [this](LogLevel level, const std::string& sentence) { say(level, sentence); },
          .error_ends = options_.missing == MissingAction::kStop};
}

PlayerOptions Bplay::player_options(const std::string& film, const SourceInfo& info,
                                    bool last) const {
  PlayerOptions player;
  // The times of numbered pictures have this rate already, and gaps where pictures are missing.
  const bool has_rate = options_.fps && *options_.fps > 0 && names_sequence(film);
  if (!has_rate) player.fps = options_.fps;
  player.rate = rate_;
  player.paused = paused_;
  player.loop = loop_ && only_film_;
  player.hold = options_.hold && last && !info.live;  // a live stream cannot restart
  player.live = info.live;
  player.jumps = info.jumps;
  player.max_frames = options_.frames > 0 ? options_.frames - submitted_ : 0;
  player.start_ns = info.live ? 0 : start_ns_;
  player.still_ns = only_film_ ? 0 : static_cast<int64_t>(options_.still_s * kSecondNs);
  player.film_duration_ns = info.duration_ns;
  return player;
}

void Bplay::run_film() {
  while (!ended_ && !list_again_ && !again_at_ns_ && !film_->over()) {
    attend(0);
    watch_codec();
    while (film_->take_answer()) continue;
    attend_silence();
    open_next_when_due();
    take_other_answers();
    wait_until(film_->step());
    draw_status();
  }
}

// --- finished videos -----------------------------------------------------------------------------

// The next video does not wait until this one's file is closed.
void Bplay::let_go(Film film) {
  film.driver->stop();
  if (film.sound) film.sound->stop();
  leaving_.push_back(std::move(film));
  end_reading(kMostLeaving);
}

void Bplay::take_other_answers() {
  while (next_ && next_->driver->take_answer()) continue;
  for (const Film& film : leaving_) {
    while (film.driver->take_answer()) continue;
  }
  std::erase_if(leaving_, [this](const Film& film) {
    if (!film.finished()) return false;
    const ReadFigures& read = film.driver->read_figures();
    log_.debug("{}: {} bytes were read ahead, {} stalls; {} requests were retried",
               without_passwords(film.name), read.bytes, read.waits, read.retries);
    return true;
  });
}

void Bplay::end_reading(size_t most) {
  for (int64_t give_up = 0; leaving_.size() > most;) {
    leaving_.front().driver->take_answer(std::chrono::milliseconds(kAttendMs));
    take_other_answers();
    attend(0);
    if (!ended_) continue;
    if (give_up == 0) give_up = steady_now_ns() + kReadingEnds;
    if (steady_now_ns() > give_up) break;
  }
  if (leaving_.size() <= most) return;
  clear_status();
  window_.leave();
  keys_.reset();
  std::_Exit(exit_code_);
}

}  // namespace sail
