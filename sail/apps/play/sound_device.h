// Plays a video's sound on this machine's loudspeakers or the wall's (wall_sound.h). One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sail/core/base/result.h"

namespace sail {

class SoundDevice {
 public:
  // Opens this machine's device (kSoundRate, kSoundChannels). kUnavailable: there is none.
  static Result<std::unique_ptr<SoundDevice>> open();
  SoundDevice() = default;
  virtual ~SoundDevice() = default;
  SoundDevice(const SoundDevice&) = delete;
  SoundDevice& operator=(const SoundDevice&) = delete;

  // Queues samples after those already queued; -1 to 1, channels interleaved. at_ns: steady time at
  // which the picture of the first sample is submitted, or, if the video follows a timeline, shown.
  virtual void play(std::span<const float> samples, int64_t at_ns) = 0;
  // Duration of queued sound that has not been played.
  virtual int64_t waiting_ns() const = 0;
  // Discards queued sound.
  virtual void clear() = 0;
};

}  // namespace sail
