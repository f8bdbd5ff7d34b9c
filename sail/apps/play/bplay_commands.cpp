// Handles the requests of users and of the manager during playback: events, pointer and keys.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sail/apps/play/bplay.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr double kLongestFilmS = 1e8;

}  // namespace

void Bplay::obey(const sail_event& event) {
  switch (event.type) {
    case SAIL_EVENT_PAUSE:
    case SAIL_EVENT_RESUME:
      set_paused(event.type == SAIL_EVENT_PAUSE);
      break;
    case SAIL_EVENT_RATE:
      rate_ = event.value;
      break;
    case SAIL_EVENT_SEEK:
      seek_before_player(event.value);
      break;
    case SAIL_EVENT_CODEC:
      change_codec(event.codec);
      break;
    case SAIL_EVENT_SUBTITLES:
      change_subtitles(subtitle_choice(static_cast<int>(event.value)));
      break;
    case SAIL_EVENT_SOUND_TRACK:
      if (now_ && now_->sound) now_->sound->choose(static_cast<int>(event.value));
      break;
    case SAIL_EVENT_INPUT:
      obey(event.input);
      break;
    case SAIL_EVENT_LOOP:
      set_loop(event.value != 0);
      break;
    case SAIL_EVENT_VOLUME:
      volume_ = std::clamp(event.value, 0.0, 1.0);
      break;
    case SAIL_EVENT_LINK:
      carried_watch_.take(event.link, steady_now_ns());
      memory_watch_.take(event.link, steady_now_ns());
      carried_tries_.take(event.link.receiver, steady_now_ns());
      break;
    default:
      break;
  }
  if (!film_) return;
  if (event.type == SAIL_EVENT_REFRESH && fallback_shown_) return fallback_->driver->refresh();
  film_->obey(event);
  film_->tell();
}

void Bplay::obey(PlayKey key) {
  if (key == PlayKey::kQuit) ended_ = true;
  if (server_film_) pass_on(key);
  Player* film = player();
  if (film == nullptr || refuse_in_group()) return;
  const int64_t now = steady_now_ns();
  switch (key) {
    case PlayKey::kSpace:
      toggle_paused();
      break;
    case PlayKey::kLeft:
      film->seek(film->position_ns(now) - kKeySeekNs);
      break;
    case PlayKey::kRight:
      film->seek(film->position_ns(now) + kKeySeekNs);
      break;
    case PlayKey::kPlus:
    case PlayKey::kMinus:
      film->set_rate(key == PlayKey::kPlus ? rate_ * kKeyRate : rate_ / kKeyRate, now);
      rate_ = film->rate();
      break;
    case PlayKey::kQuit:
      break;
  }
  film_->tell();
}

void Bplay::obey(const sail_input& input) {
  Player* film = player();
  if (film == nullptr || film_->info().live) return;
  const auto wish = controls_.read(input, {.picture = window_.size(),
                                           .position_ns = film->position_ns(steady_now_ns()),
                                           .duration_ns = film_->info().duration_ns,
                                           .volume = volume_});
  if (!wish) return;
  const bool of_time = std::holds_alternative<FilmControls::TogglePause>(*wish) ||
                       std::holds_alternative<FilmControls::SeekTo>(*wish);
  if (of_time && refuse_in_group()) return;
  if (std::holds_alternative<FilmControls::TogglePause>(*wish)) toggle_paused();
  if (std::holds_alternative<FilmControls::ToggleLoop>(*wish)) set_loop(!loop_);
  if (const auto* seek = std::get_if<FilmControls::SeekTo>(&*wish)) {
    film->seek(seek->position_ns);
  }
  if (const auto* set = std::get_if<FilmControls::SetVolume>(&*wish)) volume_ = set->volume;
}

bool Bplay::refuse_in_group() {
  if (group_.empty() || !film_ || !film_->follows()) return false;
  say(LogLevel::kWarning, fmt::format("the film plays in group '{}': control the whole group with "
                                      "`vitrail pause`, `resume`, `seek` and `rate`",
                                      group_));
  return true;
}

void Bplay::set_paused(bool paused) {
  paused_ = paused;
  Player* film = player();
  if (film == nullptr) return;
  const int64_t now = steady_now_ns();
  list_again_ = !paused && !only_film_ && film->at_end(now);
  paused ? film->pause(now) : film->resume(now);
  paused_ = film->paused();
}

// A seek while the film opens says where the film begins.
void Bplay::seek_before_player(double seconds) {
  const auto at_ns = static_cast<int64_t>(std::clamp(seconds, 0.0, kLongestFilmS) * kSecondNs);
  if (again_at_ns_) again_at_ns_ = at_ns;
  if (player() == nullptr) start_ns_ = at_ns;
}

void Bplay::toggle_paused() {
  set_paused(!player()->paused() && !player()->at_end(steady_now_ns()));
}

void Bplay::set_loop(bool loop) {
  loop_ = loop;
  Player* film = player();
  if (film == nullptr) return;
  if (only_film_) {
    film->set_loop(loop, steady_now_ns());
  } else if (loop && film->at_end(steady_now_ns())) {
    list_again_ = true;
  }
}

void Bplay::change_subtitles(const SubtitleChoice& choice) {
  subtitles_ = choice;
  if (next_) let_go(*std::exchange(next_, std::nullopt));  // next_ was opened with other subtitles
  if (film_) film_->choose_subtitles(subtitles_);
}

FilmTracks Bplay::film_tracks() const {
  if (!now_) return {};
  FilmTracks tracks{.subtitles = now_->driver->info().subtitles,
                    .subtitle = subtitle_number(subtitles_)};
  for (SubtitleTrackFacts& track : tracks.subtitles) {
    track.file = std::filesystem::path(track.file).filename().string();
  }
  if (options_.sound_from.empty() && now_->sound && now_->sound->track() != kUsualSoundTrack) {
    tracks.sounds = now_->sound->tracks();
    tracks.sound = now_->sound->track();
  }
  return tracks;
}

}  // namespace sail
