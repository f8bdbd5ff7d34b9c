// Plays the sound of a video, stored or live, on a device. One thread.
#pragma once

#include <cstdint>
#include <memory>

#include "sail/apps/play/sound_device.h"
#include "sail/apps/program/even_times.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"

namespace sail {

// Plays a video's sound in sync with its pictures; the video's clock is the master. Small
// deviations (the audio device has its own clock) are corrected by skipping samples or inserting
// silence. After a large one (seek, loop) the sound restarts at the video's position.
class FilmSound {
 public:
  // device must outlive this object.
  FilmSound(std::unique_ptr<MediaSound> sound, SoundDevice& device);
  // Discards queued sound.
  ~FilmSound();
  FilmSound(const FilmSound&) = delete;
  FilmSound& operator=(const FilmSound&) = delete;

  // Call at least every kMaxStepMs: the video is at this position and playing at normal speed.
  // volume: 0 to 1, for sound queued from now on.
  void follow(int64_t position_ns, double volume);
  // The video is paused or plays at another speed.
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
  bool ended_ = false;   // no more samples follow
  int64_t end_ns_ = 0;   // video time at the end of the queued sound
  int64_t zero_ns_ = 0;  // steady time that corresponds to video time 0
  int64_t skip_ns_ = 0;  // samples before this video time are discarded
};

// Plays live recorded sound with live pictures: slightly delayed and evenly, independent of the
// playback position.
class LiveSound {
 public:
  // device must outlive this object.
  explicit LiveSound(SoundDevice& device) : device_(device) {}
  // Discards queued sound.
  ~LiveSound() { device_.clear(); }
  LiveSound(const LiveSound&) = delete;
  LiveSound& operator=(const LiveSound&) = delete;

  // Plays samples just recorded. volume: 0 to 1.
  void play(MediaSound::Samples samples, double volume, int64_t now_ns);
  void stop();

 private:
  SoundDevice& device_;
  EvenTimes times_;
  bool playing_ = false;
};

}  // namespace sail
