// The sound of one stream: buffers it and plays each sample at its presentation time. If the clock
// of the card or the sender runs faster or slower, the sound is resampled to follow without jumps.
// Only if times jump, as after a seek, playback restarts at the right position. Pure. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "sail/core/wire/data/data_messages.h"

// From libsamplerate.
struct SRC_STATE_tag;

namespace receiver {

class SoundSource {
 public:
  // Rate (Hz) and channels of the card. Throws std::bad_alloc.
  SoundSource(int card_rate, int card_channels);
  SoundSource(const SoundSource&) = delete;
  SoundSource& operator=(const SoundSource&) = delete;

  // Adds sound. now_ns: wall time. Returns false if some of it was discarded: too late, too early,
  // duplicate, or more than the buffer holds.
  bool add(const sail::Sound& sound, int64_t now_ns);
  // Fills `out` with the interleaved samples to be heard from heard_ns on (wall time), or silence.
  void read(std::span<float> out, int64_t heard_ns);
  // Returns the time error of the last read(), positive if its samples were early; 0: no samples.
  int64_t off_ns() const { return off_ns_; }

  // Limit of buffered sample values per stream.
  static constexpr size_t kMostValues = size_t{512} << 10;

 private:
  struct Piece {
    int64_t at_ns = 0;  // presentation time of its first sample
    uint32_t rate = 0;
    size_t taken = 0;           // samples already played
    std::vector<float> values;  // interleaved, for the card's channels
  };

  size_t samples_of(const Piece& piece) const { return piece.values.size() / channels_; }
  int64_t next_ns(const Piece& piece) const;
  int64_t end_ns(const Piece& piece) const;
  Piece piece_of(const sail::Sound& sound) const;
  void drop_first();
  // Starts playback if a piece begins within `room` samples, after `silent` samples of silence.
  bool begin(int64_t at_ns, size_t room, size_t& silent);
  size_t play(std::span<float> out, int64_t at_ns);
  static long pull(void* self, float** values);
  long pull(float** values);

  const int card_rate_;
  const size_t channels_;
  struct Free {
    void operator()(SRC_STATE_tag* state) const;
  };
  std::unique_ptr<SRC_STATE_tag, Free> resampler_;
  std::deque<Piece> pieces_;
  size_t values_ = 0;   // buffered values
  int64_t end_ns_ = 0;  // end of the newest sound; 0: none

  bool playing_ = false;
  bool ended_ = false;     // the resampler knows that its input ended
  uint32_t rate_ = 0;      // rate of the sound being played
  int64_t pulled_ns_ = 0;  // time up to which the resampler has received samples
  int64_t played_ns_ = 0;  // presentation time of the next sample to be heard
  int64_t off_ns_ = 0;
};

}  // namespace receiver
