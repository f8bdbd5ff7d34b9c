#include "sail/apps/bplay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "sail/apps/film_content.h"
#include "sail/apps/film_opening.h"
#include "sail/apps/playlist.h"
#include "sail/apps/server_film.h"
#include "sail/base/clock.h"
#include "sail/base/environment.h"
#include "sail/wire/url_secret.h"

namespace sail {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSoon = 100 * kMillisecond;  // a next picture that makes a refresh needless
constexpr int kAttendEveryMs = 50;
constexpr int64_t kDrainTimeout = kSecondNs;
constexpr std::chrono::milliseconds kStatusEvery(250);

std::string title_of(const std::string& film) {
  if (film == "-") return "standard input";
  const std::string name = std::filesystem::path(film).filename().string();
  return name.empty() ? film : name;
}

}  // namespace

Bplay::Bplay(BplayOptions options)
    : options_(std::move(options)),
      log_("bplay", options_.log_level),
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
  if (!films) {
    say(LogLevel::kError, films.error().message);
    return EXIT_FAILURE;
  }
  bool anything = false;
  only_film_ = films->size() == 1;
  bool again = true;
  for (bool first = true; again && !done();) {
    bool any_of_this_round = false;
    for (size_t i = 0; i < films->size() && !done(); ++i) {
      if (options_.frames > 0 && submitted_ >= options_.frames) break;
      const bool last = i + 1 == films->size() && (only_film_ || !loop_);
      any_of_this_round |= play((*films)[i], first, last) == Ending::kPlayed;
      first = false;
    }
    anything |= any_of_this_round;
    const bool more = options_.frames == 0 || submitted_ < options_.frames;
    again =
        (loop_ || std::exchange(list_again_, false)) && !only_film_ && any_of_this_round && more;
  }
  if (!done()) drain();
  clear_status();
  return closed_ || (anything && !fatal_) ? EXIT_SUCCESS : EXIT_FAILURE;
}

Bplay::Ending Bplay::play(const std::string& film, bool first, bool last) {
  if (is_server_url(film)) return play_from_server(film, first, last);
  auto source = open_source(film);
  attend(0);
  if (closed_) return Ending::kSkipped;
  if (!source) {
    say(LogLevel::kError, source.error().message);
    return Ending::kSkipped;
  }
  if (!session_ && !connect()) {
    fatal_ = true;
    return Ending::kFatal;
  }
  const SourceInfo& info = (*source)->info();
  log_.debug("{}: {}", film, info.description);
  window_->set_title(options_.title.empty() ? title_of(without_passwords(film)) : options_.title);
  window_->set_content(replayable(options_.films), loop_);
  Player player(player_options(info, first, last));
  player_ = &player;
  duration_ns_ = info.duration_ns;
  live_ = info.live;
  shown_at_status_ = 0;
  open_sound(film);
  const bool going = run_player(player, **source);
  player_ = nullptr;
  sound_.reset();
  submitted_ += player.submitted_count();
  if (!going) {
    fatal_ = true;
    return Ending::kFatal;
  }
  return player.submitted_count() > 0 ? Ending::kPlayed : Ending::kSkipped;
}

Result<std::unique_ptr<Source>> Bplay::open_source(const std::string& film) {
  return open_film(film, {.raw = options_.raw,
                          .codec = codec_,
                          .codec_given = codec_given_,
                          .fps = options_.fps,
                          .threads = options_.threads,
                          .interrupted =
                              [this] {
                                attend(0);
                                return closed_;
                              },
                          .log = &log_});
}

bool Bplay::connect() {
  sail_session_options session{};
  session.name = "bplay";
  session.manager = options_.manager.empty() ? nullptr : options_.manager.c_str();
  session.encode_threads = options_.threads;
  session.quiet = 1;  // what matters comes as events, and is said here
  std::string error;
  session_.emplace(session, &error);
  if (!*session_) {
    session_.reset();
    say(LogLevel::kError, error);
    return false;
  }
  window_.emplace(*session_, options_);
  window_->set_codec(codec_);
  return true;
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

bool Bplay::run_player(Player& player, Source& source) {
  Picture picture;
  while (!closed_ && !list_again_) {
    attend(0);
    const Player::Step step = player.next(steady_now_ns());
    switch (step.action) {
      case Player::Action::kDecode:
        if (auto decoded = decode(player, source)) picture = std::move(*decoded);
        break;
      case Player::Action::kSubmit:
        if (!submit(player, std::exchange(picture, Picture()))) return false;
        break;
      case Player::Action::kDrop:
        picture = Picture();
        player.dropped();
        window_->skip();
        break;
      case Player::Action::kWait:
        if (step.at_ns == Player::kForever) tell_playback();  // it may have come to its end
        wait_until(player, step.at_ns);
        break;
      case Player::Action::kSeek:
        picture = Picture();
        seek(player, source, step.at_ns);
        break;
      case Player::Action::kEnd:
        return true;
    }
  }
  return true;
}

std::optional<Picture> Bplay::decode(Player& player, Source& source) {
  auto picture = source.next();
  if (const auto complaint = source.take_complaint()) say(LogLevel::kWarning, *complaint);
  if (!picture) {
    say(LogLevel::kError, picture.error().message);
    player.reached_end();
    return std::nullopt;
  }
  if (!*picture) {
    player.reached_end();
    return std::nullopt;
  }
  player.decoded((*picture)->pts_ns, (*picture)->duration_ns);
  return std::move(*picture);
}

bool Bplay::submit(Player& player, Picture picture) {
  const auto status = window_->show(picture);
  if (!status) {
    say(LogLevel::kError, status.error().message);
    return false;
  }
  shown_ = std::move(picture);
  refresh_due_ = false;
  player.submitted(steady_now_ns());
  tell_playback();
  draw_status();
  return true;
}

void Bplay::refresh() {
  refresh_due_ = false;
  const auto status = window_->show(shown_);
  if (!status) say(LogLevel::kWarning, status.error().message);
}

void Bplay::seek(Player& player, Source& source, int64_t position_ns) {
  const auto done = source.seek(position_ns);
  if (!done) say(LogLevel::kWarning, done.error().message);
  // Somebody may have wished for another place while it sought this one: then it seeks again.
  if (player.next(steady_now_ns()) != Player::Step{Player::Action::kSeek, position_ns}) return;
  player.sought(done.has_value());
}

// The sound of local files, at their own pace: another connection to a far one may not be welcome.
void Bplay::open_sound(const std::string& film) {
  std::error_code error;
  if (options_.no_sound || options_.fps || live_ ||
      !std::filesystem::is_regular_file(film, error)) {
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
  if (!sound_ || !player_) return;
  if (player_->moving() && player_->rate() == 1) {
    sound_->follow(player_->position_ns(steady_now_ns()), volume_);
  } else {
    sound_->stop();
  }
}

void Bplay::tell_playback() {
  if (!player_ || !window_) return;
  sail_playback playback{};
  playback.position_s = static_cast<double>(player_->position_ns(steady_now_ns())) / kSecondNs;
  playback.duration_s = static_cast<double>(duration_ns_) / kSecondNs;
  playback.rate = player_->rate();
  playback.paused = player_->at_end(steady_now_ns()) ? SAIL_AT_END : player_->paused() ? 1 : 0;
  playback.loop = loop_ ? 1 : 0;
  playback.live = live_ ? 1 : 0;
  playback.has_sound = sound_ ? 1 : 0;
  playback.volume = volume_;
  window_->tell(playback);
}

void Bplay::wait_until(Player& player, int64_t steady_ns) {
  for (;;) {
    const int64_t left = steady_ns - steady_now_ns();
    if (left <= 0) return;
    if (refresh_due_ && left > kSoon) refresh();
    if (left < kMillisecond) {
      attend(0);
      std::this_thread::sleep_for(std::chrono::nanoseconds(left));
      return;
    }
    const int64_t left_ms = left / kMillisecond;
    if (attend(static_cast<int>(std::min<int64_t>(left_ms, kAttendEveryMs)))) return;
    if (player.next(steady_now_ns()).action != Player::Action::kWait) return;
    draw_status();
  }
}

void Bplay::drain() {
  if (!window_) return;
  const int64_t give_up = steady_now_ns() + kDrainTimeout;
  while (!closed_ && window_->stats().frames_in_flight > 0 && steady_now_ns() < give_up) {
    attend(1);
  }
}

bool Bplay::attend(int timeout_ms) {
  bool anything = false;
  follow_sound();
  if (signals_.came()) {
    closed_ = true;
    return true;
  }
  if (keys_) {
    for (const Key key : keys_->poll()) {
      obey(key);
      anything = true;
    }
  }
  if (!session_) return anything;
  while (const auto event = session_->poll(anything ? 0 : timeout_ms)) {
    obey(*event);
    anything = true;
  }
  return anything;
}

void Bplay::say(LogLevel level, const std::string& sentence) {
  clear_status();
  const std::string shown = without_passwords(sentence);
  if (level == LogLevel::kError) log_.error("{}", shown);
  if (level == LogLevel::kWarning) log_.warning("{}", shown);
  if (level == LogLevel::kInfo) log_.info("{}", shown);
}

bool Bplay::status_due() const {
  return status_wanted_ && std::chrono::steady_clock::now() - status_at_ >= kStatusEvery;
}

void Bplay::draw_status() {
  if (!status_due() || !player_) return;
  const auto since = std::chrono::steady_clock::now() - status_at_;
  const sail_stream_stats stats = window_->stats();
  const double seconds = std::chrono::duration<double>(since).count();
  const uint64_t shown = stats.frames_shown;
  fps_shown_ =
      shown >= shown_at_status_ ? static_cast<double>(shown - shown_at_status_) / seconds : 0;
  shown_at_status_ = shown;
  PlayStatus status;
  status.position_ns = player_->position_ns(steady_now_ns());
  status.duration_ns = duration_ns_;
  status.paused = player_->paused();
  status.rate = player_->rate();
  status.fps_shown = fps_shown_;
  status.dropped = player_->dropped_count() + stats.frames_dropped;
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
