#include "receiver/sound/sound_mixer.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace receiver {
namespace {

// Towards the edges of the wall, the two channels are mixed more, so that neither is lost.
void pan_to(float pan, float& left, float& right) {
  const float middle = (left + right) / 2;
  const float share = std::abs(pan);
  left = (left + share * (middle - left)) * std::min(1.0f, 1 - pan);
  right = (right + share * (middle - right)) * std::min(1.0f, 1 + pan);
}

}  // namespace

SoundMixer::SoundMixer(int card_rate, int card_channels)
    : card_rate_(card_rate), channels_(card_channels) {}

void SoundMixer::set(const sail::SoundMix& mix) {
  std::map<uint32_t, Voice> voices;
  for (const sail::SoundMix::Stream& stream : mix.streams) {
    const Loudness wanted{static_cast<float>(stream.volume), static_cast<float>(stream.pan)};
    auto former = voices_.extract(stream.stream);
    if (!former.empty() && former.mapped().secret == stream.secret) {
      fade(former.mapped(), wanted, stream.fade_ms);
      voices.insert(std::move(former));
    } else {
      voices.emplace(stream.stream, Voice{.secret = stream.secret,
                                          .wanted = wanted,
                                          .now = wanted,
                                          .fade_ms = stream.fade_ms,
                                          .source = nullptr});
    }
  }
  voices_ = std::move(voices);
  metered_ = mix.metered;
}

// A change that repeats the same volume, such as of the position, continues the fade.
void SoundMixer::fade(Voice& voice, const Loudness& wanted, int fade_ms) const {
  const int longer_ms = std::max(fade_ms, std::exchange(voice.fade_ms, fade_ms));
  if (wanted.volume != voice.wanted.volume) {
    const auto samples = static_cast<float>(longer_ms) * static_cast<float>(card_rate_) / 1000;
    const float change = std::abs(wanted.volume - voice.now.volume);
    voice.volume_step = samples > 0 ? change / samples : 1;
  }
  voice.wanted = wanted;
}

bool SoundMixer::add(uint32_t stream, const sail::Sound& sound, int64_t now_ns) {
  const auto it = voices_.find(stream);
  if (it == voices_.end()) return false;
  auto& source = it->second.source;
  if (!source) source = std::make_unique<SoundSource>(card_rate_, channels_);
  return source->add(sound, now_ns);
}

void SoundMixer::read(std::span<float> out, int64_t heard_ns) {
  std::ranges::fill(out, 0.0f);
  one_.resize(out.size());
  off_ns_ = 0;
  for (auto& [number, voice] : voices_) {
    if (!voice.source) continue;
    voice.source->read(one_, heard_ns);
    off_ns_ = std::max<int64_t>(off_ns_, std::abs(voice.source->off_ns()));
    add_up(voice, out);
  }
  for (float& value : out) value = std::clamp(value, -1.0f, 1.0f);
  metered_samples_ += out.size() / static_cast<size_t>(channels_);
}

void SoundMixer::publish(SoundMeters& meters) {
  if (metered_samples_ < static_cast<size_t>(card_rate_ / kMetersPerSecond)) return;
  metered_samples_ = 0;
  size_t slot = 0;
  for (auto& [number, voice] : voices_) {
    if (!voice.source) continue;
    if (metered_) meters.put(slot++, number, voice.meter);
    voice.meter.clear();
  }
}

void SoundMixer::add_up(Voice& voice, std::span<float> out) {
  const auto channels = static_cast<size_t>(channels_);
  const size_t count = out.size() / channels;
  const auto samples = static_cast<float>(count);
  const float most = voice.volume_step * samples;
  const float change = std::clamp(voice.wanted.volume - voice.now.volume, -most, most);
  const float volume = std::abs(change) < most ? voice.wanted.volume : voice.now.volume + change;
  const float volume_step = change / samples;
  const float pan_step = (voice.wanted.pan - voice.now.pan) / samples;
  for (size_t i = 0; i < out.size(); i += channels) {
    voice.now.volume += volume_step;
    voice.now.pan += pan_step;
    if (channels >= 2) pan_to(voice.now.pan, one_[i], one_[i + 1]);
    for (size_t c = 0; c < channels; ++c) {
      const float heard = voice.now.volume * one_[i + c];
      out[i + c] += heard;
      if (metered_) voice.meter.add(heard);
    }
  }
  voice.now = {volume, voice.wanted.pan};
}

void SoundFeed::begin(int rate, int channels) {
  mixer_ = std::make_unique<SoundMixer>(rate, channels);
}

void SoundFeed::add(uint32_t stream, const sail::Sound& sound) {
  Piece piece{stream, sound, {sound.samples.begin(), sound.samples.end()}};
  if (pieces_.push(std::move(piece))) ++left_out_;
}

void SoundFeed::read(std::span<float> out, int64_t now_ns, int64_t heard_ns) {
  if (auto mix = mixes_.pop()) mixer_->set(*mix);
  while (auto piece = pieces_.pop()) {
    piece->sound.samples = piece->samples;
    if (!mixer_->add(piece->stream, piece->sound, now_ns)) ++left_out_;
  }
  mixer_->read(out, heard_ns);
  mixer_->publish(meters_);
}

}  // namespace receiver
