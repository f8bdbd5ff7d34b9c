// The wall's sound for a recording, from the film's beginning, synchronized with its pictures.
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "receiver/sound/sound_feed.h"

namespace receiver {

class FilmSound {
 public:
  // begins_ns: start of the film; steady time, as in the feed. The feed must outlive this object.
  FilmSound(SoundFeed& feed, double fps, int64_t begins_ns);

  // Returns the next samples before `sample`, interleaved, at most a tenth of a second; empty:
  // there are no more. Valid until the next call.
  std::span<const float> read_before(int64_t sample);
  // Returns the film's index of the next sample.
  int64_t next_sample() const { return next_sample_; }

 private:
  SoundFeed& feed_;
  const int64_t begins_ns_;
  int64_t next_sample_ = 0;
  std::vector<float> samples_;
};

}  // namespace receiver
