// The sound of what a page shares: decoded, and submitted for the time at which it is to be heard.
// One thread.
#pragma once

#include <cstdint>
#include <memory>

#include "sail/apps/guest_chunks.h"
#include "sail/media/media_source_opus.h"
#include "sail/program/even_times.h"
#include "sail/program/wall_window.h"

namespace sail {

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
