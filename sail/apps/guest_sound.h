// The sound of what a page shares: decoded, and submitted for the time at which it is to be heard.
// One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sail/apps/guest_chunks.h"
#include "sail/media/media_source_opus.h"
#include "sail/program/wall_window.h"

namespace sail {

// When pieces are heard that come as they are made: evenly, by the clock of who made them, and so
// long after they came that one which comes a little later is in time, too. Pure.
class EvenTimes {
 public:
  struct Time {
    int64_t at_ns = 0;
    bool anew = false;  // it does not follow what was before
  };
  // made_ns: by their clock, 0 to kMaxTimeNs; now_ns: by ours, when it has come.
  Time time_of(int64_t made_ns, int64_t now_ns);

 private:
  std::optional<int64_t> offset_ns_;  // from their clock to when it is heard by ours
};

class SharedSound {
 public:
  // An error: too many packets one after another cannot be decoded.
  Result<void> play(const QueuedSound& sound, WallWindow& window);

 private:
  std::unique_ptr<OpusDecoder> decoder_;  // null: nothing came yet
  EvenTimes times_;
  int failures_ = 0;
};

}  // namespace sail
