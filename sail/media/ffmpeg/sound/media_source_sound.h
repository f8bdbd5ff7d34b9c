// The interface of sounds, and the sound of a film (the file is opened a second time) or of a sound
// card. One thread at a time. Times are film time in nanoseconds: 0 is the film's first picture.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/wire/film_tracks.h"

namespace sail {

constexpr int kSoundRate = 48000;  // samples per second
constexpr int kSoundChannels = 2;  // left, right

// True for "alsa:hw:1": a sound card. Its sound is live, with times from the card's own clock,
// starting at 0.
bool is_sound_device(const std::string& url);

class MediaSound {
 public:
  // Opens a file or a sound card. track: see parse_sound_track(). kNotFound: no sound.
  // kInvalidParams: there is no such track; the message lists the tracks. kIo, kBadData: cannot be
  // read or decoded. kUnavailable: libavdevice is not installed.
  static Result<std::unique_ptr<MediaSound>> open(const std::string& file,
                                                  int track = kUsualSoundTrack);

  MediaSound() = default;
  MediaSound(const MediaSound&) = delete;
  MediaSound& operator=(const MediaSound&) = delete;
  virtual ~MediaSound() = default;

  struct Samples {
    int64_t pts_ns = 0;         // time of the first sample
    std::vector<float> values;  // -1 to 1, interleaved
  };
  // The next samples; empty at the end. Live sound is returned as it is recorded, in pieces of some
  // hundredths of a second.
  virtual std::optional<Samples> next() = 0;
  virtual bool live() const = 0;
  // The file's tracks, and the number of the one that is heard, or kAllSoundTracks. Sources without
  // a choice have none.
  virtual const std::vector<SoundTrackFacts>& tracks() const = 0;
  virtual int track() const = 0;
  // A sentence that lists the file's tracks if there are more than those that are heard; else
  // empty.
  virtual const std::string& other_tracks() const = 0;
  // Seeks to that time or, if the file does not allow it, shortly before. False if not supported.
  virtual bool seek(int64_t position_ns) = 0;
};

}  // namespace sail
