// What people and the manager want of bplay while it plays: events, pointer and keys.
#include <fmt/format.h>

#include <algorithm>

#include "sail/apps/bplay.h"
#include "sail/base/clock.h"
#include "sail/wire/codec_name.h"

namespace sail {
namespace {}  // namespace

void Bplay::obey(const sail_event& event) {
  const int64_t now = steady_now_ns();
  // A window that has been replaced may still have events under way.
  if (event.stream && window_ && !window_->owns(event.stream)) return;
  switch (event.type) {
    case SAIL_EVENT_CLOSE:
      closed_ = true;
      break;
    case SAIL_EVENT_PAUSE:
      set_paused(true);
      break;
    case SAIL_EVENT_RESUME:
      set_paused(false);
      break;
    case SAIL_EVENT_SEEK:
      if (player_)
        player_->seek(static_cast<int64_t>(std::clamp(event.value, 0.0, 1e8) * kSecondNs));
      break;
    case SAIL_EVENT_RATE:
      if (player_) player_->set_rate(event.value, now);
      rate_ = event.value;
      break;
    case SAIL_EVENT_DISCONNECTED:
      say(LogLevel::kWarning, "lost the manager; playing on and trying to reach it again");
      break;
    case SAIL_EVENT_CONNECTED:
      say(LogLevel::kInfo, "the manager is back");
      break;
    case SAIL_EVENT_REFRESH:
      refresh_due_ = true;
      break;
    case SAIL_EVENT_CODEC:
      change_codec(event.codec);
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
    case SAIL_EVENT_PAGE:
    case SAIL_EVENT_RESIZE:
    case SAIL_EVENT_FRAME:
    case SAIL_EVENT_LINK:
      break;
  }
  tell_playback();
}

void Bplay::obey(Key key) {
  if (key == Key::kQuit) closed_ = true;
  if (server_film_) pass_on(key);
  if (!player_) return;
  const int64_t now = steady_now_ns();
  switch (key) {
    case Key::kSpace:
      toggle_paused();
      break;
    case Key::kLeft:
      player_->seek(player_->position_ns(now) - kKeySeekNs);
      break;
    case Key::kRight:
      player_->seek(player_->position_ns(now) + kKeySeekNs);
      break;
    case Key::kPlus:
    case Key::kMinus:
      player_->set_rate(key == Key::kPlus ? rate_ * kKeyRate : rate_ / kKeyRate, now);
      rate_ = player_->rate();
      break;
    case Key::kQuit:
      break;
  }
  tell_playback();
}

void Bplay::obey(const sail_input& input) {
  if (!player_ || live_) return;
  const auto wish = controls_.read(input, {.picture = window_->size(),
                                           .position_ns = player_->position_ns(steady_now_ns()),
                                           .duration_ns = duration_ns_,
                                           .volume = volume_});
  if (!wish) return;
  if (std::holds_alternative<FilmControls::TogglePause>(*wish)) toggle_paused();
  if (std::holds_alternative<FilmControls::ToggleLoop>(*wish)) set_loop(!loop_);
  if (const auto* seek = std::get_if<FilmControls::SeekTo>(&*wish)) {
    player_->seek(seek->position_ns);
  }
  if (const auto* set = std::get_if<FilmControls::SetVolume>(&*wish)) volume_ = set->volume;
}

void Bplay::set_paused(bool paused) {
  const int64_t now = steady_now_ns();
  list_again_ = !paused && !only_film_ && player_ && player_->at_end(now);
  paused_ = paused;
  if (!player_) return;
  paused ? player_->pause(now) : player_->resume(now);
  paused_ = player_->paused();
}

void Bplay::toggle_paused() {
  set_paused(!player_->paused() && !player_->at_end(steady_now_ns()));
}

void Bplay::set_loop(bool loop) {
  loop_ = loop;
  if (!player_) return;
  if (only_film_) {
    player_->set_loop(loop);
  } else if (loop && player_->at_end(steady_now_ns())) {
    list_again_ = true;
  }
}

// From the next picture on; a compressed film stays what it is.
void Bplay::change_codec(const std::string& codec) {
  const auto spec = parse_codec_spec(codec);
  if (!spec) return;
  const auto format = static_cast<codecs::PixelFormat>(shown_.pixels.format);
  if (!codecs::is_j2k(spec->codec.id) && codecs::is_for_j2k_only(format)) {
    say(LogLevel::kWarning,
        fmt::format("this film is opened with its depth and full chroma, which {} cannot have: "
                    "begin it anew with --codec {}",
                    codec_name(spec->codec), codec));
    return;
  }
  codec_ = codec;
  codec_given_ = true;
  if (!window_) return;
  window_->set_codec(codec);
  refresh_due_ = true;
}

}  // namespace sail
