#include "sail/apps/play/live_sound.h"

#include <utility>
#include <vector>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// More queued sound means that the output device is slower than the recording one.
constexpr int64_t kMostWaitingNs = 5 * EvenTimes::kAheadNs;

}  // namespace

void LiveSound::play(MediaSound::Samples samples, double volume, int64_t now_ns) {
  const auto time = times_.time_of(samples.pts_ns, now_ns);
  if (time.anew || device_.waiting_ns() > kMostWaitingNs) device_.clear();
  playing_ = true;
  // Start with silence, so that slightly later samples are in time.
  if (device_.waiting_ns() == 0) {
    constexpr int64_t kValues = EvenTimes::kAheadNs * kSoundRate / kSecondNs * kSoundChannels;
    device_.play(std::vector<float>(kValues), time.at_ns - EvenTimes::kAheadNs);
  }
  for (float& value : samples.values) value *= static_cast<float>(volume);
  device_.play(samples.values, time.at_ns);
}

void LiveSound::stop() {
  if (std::exchange(playing_, false)) device_.clear();
}

}  // namespace sail
