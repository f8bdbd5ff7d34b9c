// What an application told of what it plays, on its way to the manager: only what time alone does
// not explain is told. Any thread; the mutex is held to copy a few numbers.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "sail/base/wall_clock.h"
#include "sail/wire/playback.h"

namespace sail {

class PlaybackState {
 public:
  // at_ns: wall time by the clock. True when the manager must hear of it; false when it need not,
  // or take() is to come for an earlier change.
  bool set(const Playback& playback, const WallClock& clock);
  // What is to be told, by the clock of now, which may be another manager's; nothing when nothing
  // has changed.
  std::optional<Playback> take(const WallClock& clock);
  // How many times its normal speed it moves: 0 while it is paused or at its end. 1: nothing was
  // told.
  double speed(int64_t steady_now_ns);
  // A manager that knows nothing is there.
  void forget_told();

 private:
  std::mutex mutex_;
  std::optional<Playback> playback_;  // at_ns: steady time
  std::optional<Playback> told_;      // at_ns: steady time
  bool due_ = false;
};

}  // namespace sail
