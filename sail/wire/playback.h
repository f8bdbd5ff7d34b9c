// What an application tells of the film, sound or document that it plays in a window. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "sail/wire/json_fields.h"

namespace sail {

// Times the normal speed, of films.
constexpr double kMinRate = 0.05;
constexpr double kMaxRate = 16;
constexpr double kMaxPlaybackValue = 1e9;  // seconds of a film, times its normal speed
constexpr int64_t kMaxCalendarSeconds = 253'402'300'799;  // since 1970: the year 9999 ends

// As the windows of manager/COMMANDS.md have it.
struct Playback {
  double position_s = 0;  // at at_ns; later at position_s + rate × the time since, if it moves
  int64_t at_ns = 0;      // wall time
  double duration_s = 0;  // 0: unknown, or it has no end
  bool paused = false;
  double rate = 1;                 // times the normal speed
  bool loop = false;               // it begins again at its end
  std::optional<double> volume{};  // 0 to 1; nothing: it has no sound
  bool live = false;               // a source that cannot be paused and sought
  bool ended = false;              // it stands at its end and begins again when it is to go on
  int64_t silent_since_s = 0;      // since 1970: its live source has sent nothing; 0: it sends
  int64_t jumped_s = 0;            // likewise: its time stamps jumped; 0: they never did
  bool fallback = false;           // something else is shown meanwhile
  int page = 0;                    // of a document, from 1; 0: it has no pages
  int pages = 0;

  // Its source is silent, and the window shows no picture of now.
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
}

// "playback", notification by applications whenever something of it changes other than by time.
struct StreamPlayback {
  static constexpr const char* kMethod = "playback";

  uint32_t stream = 0;
  Playback playback;
};
void fields(auto& visit, Of<StreamPlayback> auto& told) {
  visit("stream", kStreamNumber, told.stream);
  fields(visit, told.playback);
}

}  // namespace sail
