// Plays live recorded sound with live pictures: slightly delayed and evenly, independent of the
// playback position. One thread.
#pragma once

#include <cstdint>

#include "sail/apps/play/sound_device.h"
#include "sail/apps/program/even_times.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"

namespace sail {

class LiveSound {
 public:
  // device must outlive this object.
  explicit LiveSound(SoundDevice& device) : device_(device) {}
  // Discards queued sound.
  ~LiveSound() { device_.clear(); }
  LiveSound(const LiveSound&) = delete;
  LiveSound& operator=(const LiveSound&) = delete;

  // Plays samples just recorded. volume: 0 to 1.
  void play(MediaSound::Samples samples, double volume, int64_t now_ns);
  void stop();

 private:
  SoundDevice& device_;
  EvenTimes times_;
  bool playing_ = false;
};

}  // namespace sail
