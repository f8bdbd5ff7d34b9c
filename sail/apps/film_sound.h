// A film's sound in step with its pictures: the film's clock leads, and the sound follows it. Off
// by little (the device's clock is another one), some of it is left out or a pause is put in; off
// by much (a seek, a loop), it begins anew at the film's place. One thread.
#pragma once

#include <cstdint>
#include <memory>

#include "sail/apps/sound_device.h"
#include "sail/media/media_source_sound.h"

namespace sail {

class FilmSound {
 public:
  // device outlives this.
  FilmSound(std::unique_ptr<MediaSound> sound, SoundDevice& device);
  // What waits is not heard any more.
  ~FilmSound();
  FilmSound(const FilmSound&) = delete;
  FilmSound& operator=(const FilmSound&) = delete;

  // To be called every kMaxStepMs or sooner: the film is at that place and moves on at its normal
  // speed. volume: 0 to 1, of what is played from now on.
  void follow(int64_t position_ns, double volume);
  // The film stands, or moves at another speed.
  void stop();
  static constexpr int kMaxStepMs = 100;

 private:
  void begin_at(int64_t position_ns);
  void catch_up(int64_t off_ns);
  void fill(int64_t position_ns, double volume);
  void play_silence(int64_t ns);

  std::unique_ptr<MediaSound> sound_;
  SoundDevice& device_;
  bool playing_ = false;
  bool ended_ = false;   // nothing comes any more
  int64_t end_ns_ = 0;   // film time at which what waits in the device ends
  int64_t zero_ns_ = 0;  // steady time of the film's beginning, by where it is
  int64_t skip_ns_ = 0;  // film time before which what comes is left out
};

}  // namespace sail
