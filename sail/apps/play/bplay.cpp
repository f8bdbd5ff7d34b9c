#include "sail/apps/play/bplay.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <thread>
#include <utility>

#include "sail/apps/play/film_opening.h"
#include "sail/apps/play/playlist.h"
#include "sail/core/base/environment.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/film/film_files.h"
#include "sail/media/film/picture_band.h"
#include "sail/media/source/source_color.h"
#include "sail/media/vmov/vmov_reader.h"

namespace sail {
namespace {

constexpr int kAttendEveryMs = 50;
constexpr int kAttendWhileReadingMs = 10;
constexpr int64_t kDrainTimeout = kSecondNs;
constexpr int64_t kStartsInNs = kSecondNs;  // delay before a new group's video starts
constexpr std::chrono::milliseconds kStatusEvery(250);

// For pictures that are decoded here.
std::string pixel_codec(const BplayOptions& options) {
  return options.codec == kCarriedIfPossible ? ShellOptions().codec : options.codec;
}

// The bands of a video are cut out of decoded pictures.
bool chooses_codec(const BplayOptions& options) {
  return options.codec == kCarriedIfPossible && !options.part;
}

// The players of a video's bands form one group under one name.
std::string group_of(const BplayOptions& options) {
  if (!options.part || !options.group.empty()) return options.group;
  return make_plain_text(film_title(options.films.front()), kMaxNameLength);
}

}  // namespace

Bplay::Bplay(BplayOptions options)
    : ProgramShell("bplay", options),
      options_(std::move(options)),
      group_(group_of(options_)),
      codec_(pixel_codec(options_)),
      codec_given_(options_.codec_given && options_.codec != kCarriedIfPossible),
      chooses_codec_(chooses_codec(options_)),
      subtitles_(options_.subtitles.value_or(kForcedSubtitles)),
      paused_(options_.paused),
      rate_(options_.rate),
      loop_(options_.loop),
      volume_(options_.volume),
      status_at_(std::chrono::steady_clock::now()) {
  if (std::ranges::find(options_.films, kStandardInput) == options_.films.end()) keys_.emplace();
  status_wanted_ =
      keys_ && keys_->active() && takes_control_codes() && options_.log_level != LogLevel::kError;
}

Result<bool> Bplay::show(const std::string& film, const Picture& whole) {
  if (!options_.part) return show(film, whole, std::nullopt);
  const Rect band = band_of(whole, options_.part->rank, options_.part->ranks);
  if (band.empty()) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("{} has too few rows for {} bands", film, options_.part->ranks));
  }
  return show(film, band_view(whole, band),
              JoinParts{.name = group_,
                        .rank = options_.part->rank,
                        .ranks = options_.part->ranks,
                        .region = band,
                        .frame_size = whole.size,
                        .absent = options_.absent});
}

Result<bool> Bplay::show(const std::string& film, const Picture& picture,
                         const std::optional<JoinParts>& part) {
  const std::string& codec = codec_for(picture);
  if (!window_.fits(picture, codec)) {
    Opening opening = opening_for(picture, codec);
    fill_in(opening, options_, film_title(film));
    opening.codec_reason = reason_for(picture);
    opening.fps = options_.fps.value_or(opening.fps);
    opening.wait_when_full = options_.fps && *options_.fps == 0;
    opening.takes_input = true;
    opening.group = group_;
    opening.part = part;
    if (!group_.empty() || options_.start_at_ns) opening.timeline = first_timeline();
    // Other ranks may join later: playback starts when all have joined.
    if (part && !options_.start_at_ns) opening.timeline.reset();
    if (!part) opening.content = {replayable(options_.films), "bplay", loop_};
    if (auto opened = window_.open(opening); !opened) {
      const bool carried = picture.compressed && codecs::is_carried(picture.compressed->codec.id);
      if (carried && may_carry()) decode_here(opened.error().message);
      return opened.error();
    }
    carried_watch_.restart();
    if (chooses_codec_) window_.watch_links();
    if (const auto notice = unconverted_notice(picture, session_.display()); !notice.empty()) {
      say(LogLevel::kWarning, film + " " + notice);
    }
    if (group_.empty() && options_.start_at_ns && keeps_time_ && film_ && !film_->shown()) {
      film_->follow(first_timeline());
    }
  }
  // The group decides when pictures are shown, including the first one.
  if (!group_.empty() && film_ && !film_->follows()) return false;
  if (window_.submit(picture) < 0) {
    return fail(ErrorCode::kInternal, "libsail rejected the frame");
  }
  return true;
}

Timeline Bplay::first_timeline() {
  const int64_t wall_ns = window_.wall_now_ns();
  const int64_t in_ns =
      options_.start_at_ns ? *options_.start_at_ns - calendar_now_ns() : kStartsInNs;
  return {.position_s = options_.start_s,
          .at_ns = std::max<int64_t>(wall_ns + in_ns, 0),
          .rate = options_.rate,
          .paused = options_.paused};
}

void Bplay::wait_until(int64_t steady_ns) {
  if (ended_ || film_->over()) return;
  if (film_->awaits_reader()) {
    film_->take_answer(std::chrono::milliseconds(kAttendWhileReadingMs));
    return;
  }
  const int64_t left_ns = steady_ns - steady_now_ns();
  if (left_ns >= kMillisecondNs) {
    attend(static_cast<int>(std::min<int64_t>(left_ns / kMillisecondNs, kAttendEveryMs)));
  } else if (left_ns > 0) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(left_ns));
  }
}

Result<void> Bplay::check_sound_track() const {
  if (!options_.sound_track || options_.sound == SoundWish::kOff) return {};
  if (options_.fps) {
    log_.warning("--sound-track has no effect: films play without sound with --fps");
    return {};
  }
  if (!only_film_) return {};
  auto sound = open_film_sound(films_.front(), *options_.sound_track);
  if (!sound && sound.error().code == ErrorCode::kInvalidParams) return std::move(sound.error());
  return {};
}

void Bplay::start_sound(Film& film) {
  if (film.sound || window_.number() == 0) return;
  if (options_.sound == SoundWish::kOff || options_.fps) return;
  if (options_.part && options_.part->rank != 0) return;  // one rank plays the sound
  if (!loudspeakers_) {
    const bool there = window_.wall_has_audio();
    wall_sounds_ =
        options_.sound == SoundWish::kWall || (options_.sound == SoundWish::kAsCanBe && there);
    if (wall_sounds_ && !there) say(LogLevel::kWarning, "this wall has no loudspeakers");
    const auto open = [this]() -> Result<std::unique_ptr<SoundDevice>> {
      if (!wall_sounds_) return SoundDevice::open();
      return std::unique_ptr<SoundDevice>(std::make_unique<WallSound>(wall_sound_));
    };
    loudspeakers_.emplace(open, log_);
  }
  // Only local files have sound: opening a second connection to a remote source may not be welcome.
  const std::string& from = options_.sound_from;
  const auto open_sound = [name = from.empty() ? films_[film.place] : from](int track) {
    return open_film_sound(name, track);
  };
  const int track = options_.sound_track.value_or(kUsualSoundTrack);
  film.sound = std::make_unique<SoundThread>(open_sound, track, *loudspeakers_, log_);
}

void Bplay::follow_sound() {
  if (now_) start_sound(*now_);
  submit_sound();
  const Player* playing = player();
  if (!now_ || !now_->sound || playing == nullptr) return;
  const bool heard =
      options_.sound_from.empty() ? playing->moving() && playing->rate() == 1 : !playing->paused();
  if (heard && !film_->yet_to_begin()) {
    now_->sound->follow(playing->position_ns(steady_now_ns()), wall_sounds_ ? 1 : volume_);
  } else {
    now_->sound->be_silent();
  }
  const bool audible = now_->sound->audible();
  const int track = now_->sound->track();
  const bool changed = audible != now_->reported_audible || track != now_->reported_track;
  now_->reported_audible = audible;
  now_->reported_track = track;
  if (changed) film_->tell();
}

// The wall applies the volume.
void Bplay::submit_sound() {
  while (const auto samples = wall_sound_.pop()) {
    sail_audio audio{};
    audio.format = SAIL_FLOAT;
    audio.samples = samples->values.data();
    audio.count = samples->values.size() / kSoundChannels;
    audio.rate = kSoundRate;
    audio.channels = kSoundChannels;
    audio.at_ns = samples->at_ns;
    // With a timeline the presentation time is known; otherwise it is relative to the submission.
    audio.with_picture = film_ && film_->follows() ? 0 : 1;
    audio.restart = samples->restart ? 1 : 0;
    window_.submit(audio);
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
    for (const PlayKey key : keys_->poll()) {
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
  status.dropped = playing->dropped_count() + film_->left_out() + stats.frames_dropped;
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

int bplay_main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_bplay_options(argc, argv),
                          [](auto options) { return sail::Bplay(std::move(options)).run(); });
}
