// The sound of one stream: what has come, and what of it is heard when. It is played at the times
// that it came with: where the card's clock, or the sender's, runs faster or slower, a little
// faster or slower (resampled), without jumps. Only where times jump, as after a seek, it begins
// anew at the right place. Pure. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "sail/wire/data_messages.h"

// Of libsamplerate.
struct SRC_STATE_tag;

namespace receiver {

class SoundSource {
 public:
  // Of the card that plays it. Throws std::bad_alloc.
  SoundSource(int card_rate, int card_channels);
  SoundSource(const SoundSource&) = delete;
  SoundSource& operator=(const SoundSource&) = delete;

  // now_ns: wall time. False: some of it is left out, since it comes too late, too early, twice, or
  // is more than is kept.
  bool add(const sail::Sound& sound, int64_t now_ns);
  // What is heard from that wall time on, channels interleaved; silence where there is nothing.
  void read(std::span<float> out, int64_t heard_ns);
  // How far what was read last was off its time; 0: nothing was.
  int64_t off_ns() const { return off_ns_; }

  // What waits of a stream at most.
  static constexpr size_t kMostValues = size_t{512} << 10;

 private:
  struct Piece {
    int64_t at_ns = 0;  // of its first sample
    uint32_t rate = 0;
    size_t taken = 0;           // samples
    std::vector<float> values;  // for the card's channels
  };

  size_t samples_of(const Piece& piece) const { return piece.values.size() / channels_; }
  int64_t next_ns(const Piece& piece) const;
  int64_t end_ns(const Piece& piece) const;
  Piece piece_of(const sail::Sound& sound) const;
  void drop_first();
  // Whether it begins within so many samples, and after how many of silence.
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
  size_t values_ = 0;   // that wait
  int64_t end_ns_ = 0;  // of what came last; 0: nothing

  bool playing_ = false;
  bool ended_ = false;     // the resampler was told that there is no more
  uint32_t rate_ = 0;      // of what is played
  int64_t pulled_ns_ = 0;  // the time up to which the resampler has got it
  int64_t played_ns_ = 0;  // the time that is heard next
  int64_t off_ns_ = 0;
};

}  // namespace receiver
