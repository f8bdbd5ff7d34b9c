// How loud each stream is, passed from the thread that mixes to the loop thread without a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sail/core/text/limits.h"
#include "sail/core/wire/sound.h"

namespace receiver {

// The samples of one stream, as heard. Not thread-safe.
class SoundMeter {
 public:
  void add(float sample);
  void clear() { *this = SoundMeter(); }
  float peak() const { return peak_; }
  float rms() const;

 private:
  float peak_ = 0;
  double squares_ = 0;
  size_t samples_ = 0;
};

// The last levels of at most kMaxSoundsPerReceiver streams.
class SoundMeters {
 public:
  // Mixing thread. Replaces the level in this slot; slots beyond the last one are ignored.
  void put(size_t slot, uint32_t stream, const SoundMeter& meter);
  // Loop thread. Returns the levels that are not silent, once.
  std::vector<sail::SoundLevels::Level> take();

 private:
  // Stream, peak and mean in 32, 16 and 16 bits; 0: nothing to take.
  std::array<std::atomic<uint64_t>, sail::kMaxSoundsPerReceiver> slots_{};
};

}  // namespace receiver
