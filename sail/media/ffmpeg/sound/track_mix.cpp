#include "sail/media/ffmpeg/sound/track_mix.h"

#include <algorithm>
#include <cmath>

namespace sail {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kJitter = kSoundRate / 100;    // samples: time stamps are not exact
constexpr size_t kMostBehind = 10 * kSoundRate;  // samples: limits the memory

int64_t sample_at(int64_t pts_ns) {
  return std::llround(static_cast<double>(pts_ns) * kSoundRate / kSecond);
}

}  // namespace

SurroundGains surround_gains(size_t channel) {
  constexpr double kBeside = 0.70710678;  // −3 dB
  constexpr double kScale = 1 / (1 + 2 * kBeside);
  // Left, right, centre, low frequencies, left and right surround.
  constexpr SurroundGains kGains[kSurroundChannels] = {{1, 0}, {0, 1},       {kBeside, kBeside},
                                                       {0, 0}, {kBeside, 0}, {0, kBeside}};
  if (channel >= kSurroundChannels) return {};
  return {kGains[channel].left * kScale, kGains[channel].right * kScale};
}

TrackMix::TrackMix(size_t tracks) : tracks_(tracks) {
  for (size_t i = 0; i < tracks; ++i) {
    Track& track = tracks_[i];
    if (tracks == kSurroundChannels) {
      const SurroundGains gains = surround_gains(i);
      track.left = static_cast<float>(gains.left);
      track.right = static_cast<float>(gains.right);
    } else {
      const size_t pairs = (tracks + 1) / 2;
      (i % 2 == 0 ? track.left : track.right) = 1.0F / static_cast<float>(pairs);
    }
  }
}

void TrackMix::add(size_t track, const MediaSound::Samples& samples) {
  Track& into = tracks_[track];
  const int64_t begin = sample_at(samples.pts_ns);
  if (into.values.empty()) into.begin = begin;
  if (const int64_t gap = begin - into.end(); gap > kJitter) {
    into.values.resize(into.values.size() +
                       static_cast<size_t>(std::min(gap, int64_t{kMostBehind})));
  }
  into.values.insert(into.values.end(), samples.values.begin(), samples.values.end());
}

int64_t TrackMix::first_sample() const {
  if (taken_) return *taken_;
  int64_t first = INT64_MAX;
  for (const Track& track : tracks_) {
    if (!track.values.empty()) first = std::min(first, track.begin);
  }
  return first;
}

int64_t TrackMix::end_of_take(int64_t first, bool at_end) const {
  int64_t shortest = INT64_MAX;
  int64_t longest = first;
  size_t waiting = 0;
  for (const Track& track : tracks_) {
    const int64_t end = track.values.empty() ? first : track.end();
    shortest = std::min(shortest, end);
    longest = std::max(longest, end);
    waiting = std::max(waiting, track.values.size());
  }
  if (!at_end && waiting <= kMostBehind) return shortest;
  // Time stamps may be far apart.
  return std::min(longest, first + int64_t{kMostBehind});
}

std::optional<MediaSound::Samples> TrackMix::take(bool at_end) {
  const int64_t first = first_sample();
  if (first == INT64_MAX) return std::nullopt;
  const int64_t end = end_of_take(first, at_end);
  if (end <= first) return std::nullopt;
  MediaSound::Samples mixed;
  mixed.pts_ns = std::llround(static_cast<double>(first) * kSecond / kSoundRate);
  mixed.values.resize(static_cast<size_t>(end - first) * kSoundChannels);
  for (Track& track : tracks_) {
    const int64_t from = std::max(first, track.begin);
    const int64_t to = std::min(end, track.end());
    for (int64_t sample = from; sample < to; ++sample) {
      const float value = track.values[static_cast<size_t>(sample - track.begin)];
      float* pair = &mixed.values[static_cast<size_t>(sample - first) * kSoundChannels];
      pair[0] += track.left * value;
      pair[1] += track.right * value;
    }
    const int64_t spent =
        std::clamp<int64_t>(end - track.begin, 0, static_cast<int64_t>(track.values.size()));
    track.values.erase(track.values.begin(), track.values.begin() + spent);
    track.begin += spent;
  }
  taken_ = end;
  return mixed;
}

void TrackMix::clear() {
  for (Track& track : tracks_) track.values.clear();
  taken_.reset();
}

}  // namespace sail
