// Mixes the sound of all streams, with each window's volume and pan. Pure. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "receiver/sound/sound_source.h"
#include "sail/core/wire/sound.h"

namespace receiver {

class SoundMixer {
 public:
  SoundMixer(int card_rate, int card_channels);

  // Sets the mix. Streams that it does not contain become silent.
  void set(const sail::SoundMix& mix);
  // As SoundSource::add(), for a stream of the mix.
  bool add(uint32_t stream, const sail::Sound& sound, int64_t now_ns);
  // As SoundSource::read().
  void read(std::span<float> out, int64_t heard_ns);
  // Returns the largest time error of any stream in the last read().
  int64_t off_ns() const { return off_ns_; }

 private:
  struct Loudness {
    float volume = 1;
    float pan = 0;
  };
  struct Voice {
    uint64_t secret = 0;
    Loudness wanted;
    Loudness now;                         // fades to `wanted` within a buffer
    std::unique_ptr<SoundSource> source;  // null: nothing arrived yet
  };
  void add_up(Voice& voice, std::span<float> out);

  const int card_rate_;
  const int channels_;
  std::map<uint32_t, Voice> voices_;  // by stream number
  std::vector<float> one_;            // samples of one voice; kept for its capacity
  int64_t off_ns_ = 0;
};

}  // namespace receiver
