#include "sail/apps/play/film_sound.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// Queued in the device: more than the time between two steps.
constexpr int64_t kAheadNs = 250 * kMillisecondNs;
// Invisible deviations (ITU-R BT.1359: detectable from 45 ms early or 125 ms late).
constexpr int64_t kToleratedNs = 30 * kMillisecondNs;
constexpr int64_t kLostNs = 200 * kMillisecondNs;
constexpr int64_t kLongestGapNs = 20 * kSecondNs;

size_t values_in(int64_t ns) {
  return static_cast<size_t>(std::max<int64_t>(ns, 0) * kSoundRate / kSecondNs) * kSoundChannels;
}

int64_t ns_of(size_t values) {
  return static_cast<int64_t>(values / kSoundChannels) * kSecondNs / kSoundRate;
}

// More queued sound means that the output device is slower than the recording one.
constexpr int64_t kMostWaitingNs = 5 * EvenTimes::kAheadNs;

}  // namespace

FilmSound::FilmSound(std::unique_ptr<MediaSound> sound, SoundDevice& device)
    : sound_(std::move(sound)), device_(device) {}

FilmSound::~FilmSound() {
  device_.clear();
}

void FilmSound::stop() {
  if (std::exchange(playing_, false)) device_.clear();
}

void FilmSound::begin_at(int64_t position_ns) {
  device_.clear();
  playing_ = true;
  ended_ = !sound_->seek(position_ns);
  end_ns_ = skip_ns_ = position_ns;
}

void FilmSound::follow(int64_t position_ns, double volume) {
  zero_ns_ = steady_now_ns() - position_ns;
  const int64_t heard_ns = end_ns_ - device_.waiting_ns();
  const int64_t off_ns = heard_ns - position_ns;
  // After the end of the sound the video continues without it.
  const bool past_end = ended_ && off_ns < 0;
  if (!playing_ || (std::abs(off_ns) > kLostNs && !past_end)) {
    begin_at(position_ns);
  } else if (std::abs(off_ns) > kToleratedNs && !ended_) {
    catch_up(off_ns);
  }
  fill(position_ns, volume);
}

void FilmSound::catch_up(int64_t off_ns) {
  if (off_ns < 0) {
    skip_ns_ = end_ns_ - off_ns;
    end_ns_ = skip_ns_;
    return;
  }
  play_silence(off_ns);
}

void FilmSound::play_silence(int64_t ns) {
  device_.play(std::vector<float>(values_in(ns)), zero_ns_ + end_ns_);
}

void FilmSound::fill(int64_t position_ns, double volume) {
  while (!ended_ && end_ns_ < position_ns + kAheadNs) {
    auto samples = sound_->next();
    if (!samples) {
      ended_ = true;
      return;
    }
    auto& values = samples->values;
    const size_t early = std::min(values_in(skip_ns_ - samples->pts_ns), values.size());
    values.erase(values.begin(), values.begin() + static_cast<ptrdiff_t>(early));
    if (values.empty()) continue;
    const int64_t begin_ns = samples->pts_ns + ns_of(early);
    // The sound begins later than the pictures, or has a gap.
    if (begin_ns - end_ns_ > kMillisecondNs) {
      const int64_t gap_ns = std::min(begin_ns - end_ns_, kLongestGapNs);
      play_silence(gap_ns);
    }
    for (float& value : values) value *= static_cast<float>(volume);
    device_.play(values, zero_ns_ + begin_ns);
    end_ns_ = begin_ns + ns_of(values.size());
  }
}

void LiveSound::play(MediaSound::Samples samples, double volume, int64_t now_ns) {
  const auto time = times_.time_of(samples.pts_ns, now_ns);
  if (time.anew || device_.waiting_ns() > kMostWaitingNs) device_.clear();
  playing_ = true;
  // Start with silence, so that slightly later samples are in time.
  if (device_.waiting_ns() == 0) {
    constexpr int64_t kValues = EvenTimes::kAheadNs * kSoundRate / kSecondNs * kSoundChannels;
    device_.play(std::vector<float>(kValues), time.at_ns - EvenTimes::kAheadNs);
  }
  for (float& value : samples.values) value *= static_cast<float>(volume);
  device_.play(samples.values, time.at_ns);
}

void LiveSound::stop() {
  if (std::exchange(playing_, false)) device_.clear();
}

}  // namespace sail
