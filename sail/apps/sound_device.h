// The loudspeakers of the machine that this program runs on. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sail/base/result.h"

namespace sail {

class SoundDevice {
 public:
  // kUnavailable: there is none. For samples of kSoundRate and kSoundChannels.
  static Result<std::unique_ptr<SoundDevice>> open();
  ~SoundDevice();
  SoundDevice(const SoundDevice&) = delete;
  SoundDevice& operator=(const SoundDevice&) = delete;

  // To be heard after what waits already; -1 to 1, channels interleaved.
  void play(std::span<const float> samples);
  // What has not been heard yet.
  int64_t waiting_ns() const;
  // What waits will not be heard.
  void clear();

 private:
  explicit SoundDevice(uint32_t device) : device_(device) {}

  const uint32_t device_;  // SDL's number
};

}  // namespace sail
