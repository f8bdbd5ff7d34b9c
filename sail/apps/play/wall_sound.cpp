#include "sail/apps/play/wall_sound.h"

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"

namespace sail {

void WallSound::play(std::span<const float> samples, int64_t at_ns) {
  end_ns_ = at_ns + static_cast<int64_t>(samples.size() / kSoundChannels) * kSecondNs / kSoundRate;
  push({.values = {samples.begin(), samples.end()}, .at_ns = at_ns});
}

int64_t WallSound::waiting_ns() const {
  return std::max<int64_t>(end_ns_ - steady_now_ns(), 0);
}

void WallSound::clear() {
  end_ns_ = 0;
  push({.values = {}, .at_ns = 0, .restart = true});
}

// If the program hangs, the oldest samples are dropped, but a restart must not get lost.
void WallSound::push(WallSamples samples) {
  samples.restart |= std::exchange(restart_due_, false);
  const auto lost = box_.push(std::move(samples));
  restart_due_ = lost && lost->restart;
}

}  // namespace sail
