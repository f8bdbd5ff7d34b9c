// Where a film's sound is heard: the loudspeakers of the machine that this program runs on, or the
// wall's (wall_sound.h). One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sail/base/result.h"

namespace sail {

class SoundDevice {
 public:
  // This machine's. kUnavailable: there is none. For samples of kSoundRate and kSoundChannels.
  static Result<std::unique_ptr<SoundDevice>> open();
  SoundDevice() = default;
  virtual ~SoundDevice() = default;
  SoundDevice(const SoundDevice&) = delete;
  SoundDevice& operator=(const SoundDevice&) = delete;

  // To be heard after what waits already; -1 to 1, channels interleaved. at_ns: the steady time at
  // which the picture that goes with the first is submitted, or seen if the film goes by a
  // timeline.
  virtual void play(std::span<const float> samples, int64_t at_ns) = 0;
  // What has not been heard yet.
  virtual int64_t waiting_ns() const = 0;
  // What waits will not be heard.
  virtual void clear() = 0;
};

}  // namespace sail
