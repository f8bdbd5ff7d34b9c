// The playback state that the application set, for the manager. Only changes that elapsed
// time does not explain are sent. Any thread; the mutex is held only to copy a few numbers and the
// list of a film's tracks.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/playback.h"

namespace sail {

class PlaybackState {
 public:
  // at_ns: wall time by `clock`. Returns true if the manager must be notified, i.e. the caller must
  // arrange for take(). Returns false if nothing changed or a take() is already due.
  bool set(const Playback& playback, const WallClock& clock);
  // Tracks are sent with the playback. Returns as above.
  bool set(FilmTracks tracks);
  // Returns the state to send, in the current clock's time (possibly of another manager). Empty if
  // nothing has changed.
  std::optional<Playback> take(const WallClock& clock);
  // Returns the playback rate; 0 while paused or at the end; 1 if no state was set.
  double speed(int64_t steady_now_ns);
  // Forgets what was sent. Call when connected to a manager without this state.
  void forget_sent();

 private:
  bool must_notify();

  std::mutex mutex_;
  std::optional<FilmTracks> tracks_;
  std::optional<Playback> playback_;  // at_ns: steady time
  std::optional<Playback> told_;      // at_ns: steady time
  bool due_ = false;
};

}  // namespace sail
