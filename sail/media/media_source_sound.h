// The sound of a film: the same file opened once more, for its sound only; or of a sound card. One
// thread. Times are film time in nanoseconds: 0 is the film's first picture.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/result.h"

namespace sail {

constexpr int kSoundRate = 48000;  // samples a second
constexpr int kSoundChannels = 2;  // left, right

// "alsa:hw:1": a sound card. Such sound is live, and its times are those of the card's own clock,
// from 0 on.
bool is_sound_device(const std::string& url);

class MediaSound {
 public:
  // A file, or a sound card. kNotFound: the film has none. kIo, kBadData: it cannot be read or
  // decoded. kUnavailable: FFmpeg's devices are not installed.
  static Result<std::unique_ptr<MediaSound>> open(const std::string& file);
  ~MediaSound();
  MediaSound(const MediaSound&) = delete;
  MediaSound& operator=(const MediaSound&) = delete;

  struct Samples {
    int64_t pts_ns = 0;         // of the first
    std::vector<float> values;  // -1 to 1, channels interleaved
  };
  // What comes next; nothing at the end. What is live comes as it is recorded, in pieces of some
  // hundredths of a second.
  std::optional<Samples> next();
  bool live() const;
  // What comes next then lies at or before that time, by little where the file allows it. False
  // when it cannot.
  bool seek(int64_t position_ns);

 private:
  class Impl;
  explicit MediaSound(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
