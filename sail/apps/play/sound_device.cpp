#include "sail/apps/play/sound_device.h"

#include <SDL.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"

namespace sail {
namespace {

constexpr int kBufferSamples = 1024;  // about 21 ms, within the device

// Plays samples in order and ignores at_ns.
class CardSound final : public SoundDevice {
 public:
  explicit CardSound(SDL_AudioDeviceID device) : device_(device) {}
  ~CardSound() override {
    SDL_CloseAudioDevice(device_);
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
  }
  void play(std::span<const float> samples, int64_t /*at_ns*/) override {
    SDL_QueueAudio(device_, samples.data(), static_cast<Uint32>(samples.size_bytes()));
  }
  int64_t waiting_ns() const override {
    const int64_t bytes = SDL_GetQueuedAudioSize(device_);
    const int64_t samples = bytes / (int64_t{sizeof(float)} * kSoundChannels);
    return samples * 1'000'000'000 / kSoundRate;
  }
  void clear() override { SDL_ClearQueuedAudio(device_); }

 private:
  const SDL_AudioDeviceID device_;
};

}  // namespace

Result<std::unique_ptr<SoundDevice>> SoundDevice::open() {
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");  // the program handles signals
  if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("cannot open the sound card: {}", SDL_GetError()));
  }
  SDL_AudioSpec wanted{};
  wanted.freq = kSoundRate;
  wanted.format = AUDIO_F32SYS;
  wanted.channels = kSoundChannels;
  wanted.samples = kBufferSamples;
  const SDL_AudioDeviceID device = SDL_OpenAudioDevice(nullptr, 0, &wanted, nullptr, 0);
  if (device == 0) {
    auto error = fail(ErrorCode::kUnavailable,
                      fmt::format("cannot open the sound card: {}", SDL_GetError()));
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
    return error;
  }
  SDL_PauseAudioDevice(device, 0);
  return std::make_unique<CardSound>(device);
}

void WallSound::play(std::span<const float> samples, int64_t at_ns) {
  end_ns_ = at_ns + static_cast<int64_t>(samples.size() / kSoundChannels) * kSecondNs / kSoundRate;
  push({.values = {samples.begin(), samples.end()}, .at_ns = at_ns});
}

int64_t WallSound::waiting_ns() const {
  return std::max<int64_t>(end_ns_ - steady_now_ns(), 0);
}

void WallSound::clear() {
  end_ns_ = 0;
  push({.values = {}, .at_ns = 0, .restart = true});
}

// If the program hangs, the oldest samples are dropped, but a restart must not get lost.
void WallSound::push(WallSamples samples) {
  samples.restart |= std::exchange(restart_due_, false);
  const auto lost = box_.push(std::move(samples));
  restart_due_ = lost && lost->restart;
}

}  // namespace sail
