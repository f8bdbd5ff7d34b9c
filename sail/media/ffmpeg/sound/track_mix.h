// Mixes mono tracks that are one programme, as professional recorders write them, to stereo: six
// tracks are 5.1; otherwise odd tracks are left and even ones right. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sail/media/ffmpeg/sound/media_source_sound.h"

namespace sail {

class TrackMix {
 public:
  // At least two tracks.
  explicit TrackMix(size_t tracks);

  // Adds samples of one channel, in order.
  void add(size_t track, const MediaSound::Samples& samples);
  // Takes the samples that all tracks have; at the end, and if a track falls far behind, those that
  // any track has. Empty: there are none.
  std::optional<MediaSound::Samples> take(bool at_end);
  // Call after a seek.
  void clear();

 private:
  struct Track {
    float left = 0;  // gains
    float right = 0;
    int64_t begin = 0;  // number of the first sample
    std::vector<float> values;

    int64_t end() const { return begin + static_cast<int64_t>(values.size()); }
  };
  // take() takes the samples from first_sample() to end_of_take() - 1; these are sample numbers.
  int64_t first_sample() const;
  int64_t end_of_take(int64_t first, bool at_end) const;

  std::vector<Track> tracks_;
  std::optional<int64_t> taken_;  // number of the first sample that was not taken yet
};

// Gains for left and right of a channel of a 5.1 programme, scaled so that nothing clips.
struct SurroundGains {
  double left = 0;
  double right = 0;
};
constexpr size_t kSurroundChannels = 6;
SurroundGains surround_gains(size_t channel);

}  // namespace sail
