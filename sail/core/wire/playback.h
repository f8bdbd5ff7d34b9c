// Playback state of the film, sound or document that an application plays in a window. Pure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "sail/core/text/json_fields.h"
#include "sail/core/wire/film_tracks.h"

namespace sail {

// Multiples of the normal playback speed.
constexpr double kMinRate = 0.05;
constexpr double kMaxRate = 16;
// A live source without pictures for this long is silent; cameras and networks have shorter gaps.
constexpr int64_t kSilentAfterMs = 1500;
constexpr double kMaxPlaybackValue = 1e9;  // seconds of a film, or multiples of normal speed
constexpr int64_t kMaxCalendarSeconds = 253'402'300'799;  // since 1970; the end of the year 9999

// Same fields as in the windows of manager/COMMANDS.md.
struct Playback {
  double position_s = 0;  // position at at_ns; while playing, it advances by rate × elapsed time
  int64_t at_ns = 0;      // wall time
  double duration_s = 0;  // 0: unknown or endless
  bool paused = false;
  double rate = 1;                 // multiple of normal speed
  bool loop = false;               // starts again at the end
  std::optional<double> volume{};  // 0 to 1; empty: no sound
  bool live = false;               // a source that cannot be paused or seeked
  bool ended = false;              // stopped at the end; resuming starts from the beginning
  int64_t silent_since_s = 0;      // since 1970: when the live source fell silent; 0: not silent
  int64_t jumped_s = 0;   // since 1970: when the source's time stamps last jumped; 0: never
  bool fallback = false;  // replacement content is shown meanwhile
  int page = 0;           // current page of a document, from 1; 0: not paged
  int pages = 0;
  std::optional<FilmTracks> tracks{};  // empty: unknown

  // True if the live source is silent and the window shows no current picture.
  bool no_signal() const { return silent_since_s != 0 && !fallback; }
  bool moves() const { return !paused && !ended; }
  bool operator==(const Playback&) const = default;
};
void fields(auto& visit, Of<Playback> auto& playback) {
  constexpr Real kValue{0, kMaxPlaybackValue};
  visit("position_s", kValue, playback.position_s);
  visit("at_ns", kTimeNs, playback.at_ns);
  visit("duration_s", optional(kValue), playback.duration_s);
  visit("paused", Flag(), playback.paused);
  visit("rate", optional(kValue), playback.rate);
  visit("loop", Flag(), playback.loop);
  visit("volume", Real{0, 1}, playback.volume);
  visit("live", Flag(), playback.live);
  visit("ended", sparse(Flag()), playback.ended);
  visit("silent_since_s", sparse(Whole{0, kMaxCalendarSeconds}), playback.silent_since_s);
  visit("jumped_s", sparse(Whole{0, kMaxCalendarSeconds}), playback.jumped_s);
  visit("fallback", sparse(Flag()), playback.fallback);
  visit("page", sparse(Whole{1, kMaxPages}), playback.page);
  if (playback.page != 0) visit("pages", Whole{playback.page, kMaxPages}, playback.pages);
  visit("tracks", Object(), playback.tracks);
}

// Returns the position at that time, which is at most `duration_s`.
inline double position_at(const Playback& playback, int64_t at_ns) {
  double position_s = playback.position_s;
  if (playback.moves()) {
    position_s += playback.rate * static_cast<double>(at_ns - playback.at_ns) / 1e9;
  }
  position_s = std::max(position_s, 0.0);
  if (playback.duration_s <= 0 || position_s < playback.duration_s) return position_s;
  return playback.loop ? std::fmod(position_s, playback.duration_s) : playback.duration_s;
}

// "playback": notification by applications whenever the state changes other than by elapsed time.
struct StreamPlayback {
  static constexpr const char* kMethod = "playback";

  uint32_t stream = 0;
  Playback playback;
};
void fields(auto& visit, Of<StreamPlayback> auto& message) {
  visit("stream", kStreamNumber, message.stream);
  fields(visit, message.playback);
}

}  // namespace sail
