// The wall's sound for a film: what loudspeakers would play, from the film's beginning on, and when
// its pictures show what it belongs to.
//
// One thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "receiver/sound_feed.h"

namespace receiver {

class FilmSound {
 public:
  // begins_ns: when the film does, steady time, as the sound's times that the feed has. The feed
  // outlives this.
  FilmSound(SoundFeed& feed, double fps, int64_t begins_ns);

  // The next samples before that one, channels interleaved, no more than a tenth of a second; none:
  // there is no more. Good until it is asked again.
  std::span<const float> read_before(int64_t sample);
  // Of the film: the one that is read next.
  int64_t next_sample() const { return next_sample_; }

 private:
  SoundFeed& feed_;
  const int64_t begins_ns_;
  int64_t next_sample_ = 0;
  std::vector<float> samples_;
};

}  // namespace receiver
