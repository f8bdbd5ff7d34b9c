// Sound as it is recorded, in step with pictures that come as they are made: heard a moment later,
// evenly, wherever the film stands. One thread.
#pragma once

#include <cstdint>

#include "sail/apps/sound_device.h"
#include "sail/media/media_source_sound.h"
#include "sail/program/even_times.h"

namespace sail {

class LiveSound {
 public:
  // device outlives this.
  explicit LiveSound(SoundDevice& device) : device_(device) {}
  // What waits is not heard any more.
  ~LiveSound() { device_.clear(); }
  LiveSound(const LiveSound&) = delete;
  LiveSound& operator=(const LiveSound&) = delete;

  // What was recorded just now. volume: 0 to 1.
  void play(MediaSound::Samples samples, double volume, int64_t now_ns);
  void stop();

 private:
  SoundDevice& device_;
  EvenTimes times_;
  bool playing_ = false;
};

}  // namespace sail
