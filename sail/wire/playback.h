// What an application tells of the film, sound or document that it plays in a window. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "sail/base/result.h"
#include "sail/wire/json.h"

namespace sail {

// Times the normal speed, of films.
constexpr double kMinRate = 0.05;
constexpr double kMaxRate = 16;

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
  int page = 0;                    // of a document, from 1; 0: it has no pages
  int pages = 0;

  bool moves() const { return !paused && !ended; }
  bool operator==(const Playback&) const = default;
};
// As the windows of manager/COMMANDS.md have it.
Json to_json(const Playback& playback);

// "playback", notification by applications whenever something of it changes other than by time.
struct StreamPlayback {
  uint32_t stream = 0;
  Playback playback;
};
Json to_json(const StreamPlayback& told);
Result<StreamPlayback> stream_playback_from_json(const Json& params);

}  // namespace sail
