#include "sail/apps/guest/guest_sound.h"

#include <utility>

#include "sail/core/time/clock.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"

namespace sail {
namespace {

constexpr int kMostFailures = 30;  // consecutive packets that cannot be decoded

}  // namespace

Result<void> SharedSound::play(const QueuedSound& sound, WallWindow& window) {
  if (!decoder_) {
    auto decoder = OpusDecoder::open();
    if (!decoder) return decoder.error();
    decoder_ = std::move(*decoder);
  }
  const auto samples = decoder_->decode(sound.bytes);
  if (!samples) return ++failures_ < kMostFailures ? Result<void>() : samples.error();
  failures_ = 0;
  if (samples->empty()) return {};
  const auto time = times_.time_of(sound.timestamp_us * 1000, steady_now_ns());
  sail_audio audio{};
  audio.format = SAIL_FLOAT;
  audio.samples = samples->data();
  audio.count = samples->size() / kSoundChannels;
  audio.rate = kSoundRate;
  audio.channels = kSoundChannels;
  audio.at_ns = time.at_ns;
  audio.with_picture = 1;
  audio.restart = time.anew ? 1 : 0;
  // Ignore the result: sound that is late or not wanted is dropped.
  static_cast<void>(window.submit(audio));
  return {};
}

}  // namespace sail
