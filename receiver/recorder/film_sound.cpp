#include "receiver/recorder/film_sound.h"

#include <algorithm>
#include <cmath>

#include "receiver/recorder/film_writer.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

constexpr int64_t kMostAtATime = kFilmSoundRate / 10;

int64_t ns_of(int64_t samples) {
  return samples / kFilmSoundRate * sail::kSecondNs +
         samples % kFilmSoundRate * sail::kSecondNs / kFilmSoundRate;
}

}  // namespace

// A frame shows what was presented since the previous one, on average half a frame late. The sound
// is delayed by the same time.
FilmSound::FilmSound(SoundFeed& feed, double fps, int64_t begins_ns)
    : feed_(feed), begins_ns_(begins_ns - std::llround(1e9 / fps / 2)) {}

std::span<const float> FilmSound::read_before(int64_t sample) {
  const int64_t count = std::clamp<int64_t>(sample - next_sample_, 0, kMostAtATime);
  samples_.resize(static_cast<size_t>(count) * kFilmSoundChannels);
  if (samples_.empty()) return {};
  const int64_t heard_ns = begins_ns_ + ns_of(next_sample_);
  // The film is written with a delay, so sound that has arrived by now is in time.
  feed_.read(samples_, heard_ns, heard_ns);
  next_sample_ += count;
  return samples_;
}

}  // namespace receiver
