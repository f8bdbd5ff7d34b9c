#include "receiver/recorder/film_sound.h"

#include <algorithm>
#include <cmath>

#include "receiver/recorder/film_writer.h"
#include "sail/base/clock.h"

namespace receiver {
namespace {

constexpr int64_t kMostAtATime = kFilmSoundRate / 10;

int64_t ns_of(int64_t samples) {
  return samples / kFilmSoundRate * sail::kSecondNs +
         samples % kFilmSoundRate * sail::kSecondNs / kFilmSoundRate;
}

}  // namespace

// A picture shows what has come since the one before: half of that time later than it was due, in
// the mean. So is the sound.
FilmSound::FilmSound(SoundFeed& feed, double fps, int64_t begins_ns)
    : feed_(feed), begins_ns_(begins_ns - std::llround(1e9 / fps / 2)) {}

std::span<const float> FilmSound::read_before(int64_t sample) {
  const int64_t count = std::clamp<int64_t>(sample - next_sample_, 0, kMostAtATime);
  samples_.resize(static_cast<size_t>(count) * kFilmSoundChannels);
  if (samples_.empty()) return {};
  const int64_t heard_ns = begins_ns_ + ns_of(next_sample_);
  // A film is heard when it is written: what comes until then is in time.
  feed_.read(samples_, heard_ns, heard_ns);
  next_sample_ += count;
  return samples_;
}

}  // namespace receiver
