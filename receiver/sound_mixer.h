// What a sound card plays: the sound of all streams together, each as loud and as far left or right
// as its window is to be heard. Pure. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "receiver/sound_source.h"
#include "sail/wire/sound.h"

namespace receiver {

class SoundMixer {
 public:
  SoundMixer(int card_rate, int card_channels);

  // Streams that are not in it are not heard any more.
  void set(const sail::SoundMix& mix);
  // As SoundSource's, of a stream of the mix.
  bool add(uint32_t stream, const sail::Sound& sound, int64_t now_ns);
  // As SoundSource's.
  void read(std::span<float> out, int64_t heard_ns);
  // The most that any stream was off its time when it was read last.
  int64_t off_ns() const { return off_ns_; }

 private:
  struct Loudness {
    float volume = 1;
    float pan = 0;
  };
  struct Voice {
    uint64_t secret = 0;
    Loudness wanted;
    Loudness now;                         // goes over to that within a buffer
    std::unique_ptr<SoundSource> source;  // null: nothing came yet
  };
  void add_up(Voice& voice, std::span<float> out);

  const int card_rate_;
  const int channels_;
  std::map<uint32_t, Voice> voices_;  // by stream
  std::vector<float> one_;            // of a voice; kept for its capacity
  int64_t off_ns_ = 0;
};

}  // namespace receiver
