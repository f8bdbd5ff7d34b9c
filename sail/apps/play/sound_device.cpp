#include "sail/apps/play/sound_device.h"

#include <SDL.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "sail/core/base/c_library.h"
#include "sail/core/time/clock.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"

namespace sail {
namespace {

constexpr int kBufferSamples = 1024;  // about 21 ms, within the device

// SDL brings nineteen libraries of windows and sound. Most players show pictures only, and their
// sound is played by the wall. So SDL is loaded for the first sound card, and stays loaded.
struct SdlSound {
  decltype(&SDL_SetHint) set_hint = nullptr;
  decltype(&SDL_InitSubSystem) init = nullptr;
  decltype(&SDL_QuitSubSystem) quit = nullptr;
  decltype(&SDL_GetError) error = nullptr;
  decltype(&SDL_OpenAudioDevice) open = nullptr;
  decltype(&SDL_CloseAudioDevice) close = nullptr;
  decltype(&SDL_PauseAudioDevice) pause = nullptr;
  decltype(&SDL_QueueAudio) queue = nullptr;
  decltype(&SDL_GetQueuedAudioSize) queued_bytes = nullptr;
  decltype(&SDL_ClearQueuedAudio) clear = nullptr;
};

std::optional<SdlSound> load_sdl() {
  const LoadedLibrary loaded("libSDL2-2.0.so.0");
  SdlSound sdl;
  const bool whole =
      loaded.find("SDL_SetHint", sdl.set_hint) && loaded.find("SDL_InitSubSystem", sdl.init) &&
      loaded.find("SDL_QuitSubSystem", sdl.quit) && loaded.find("SDL_GetError", sdl.error) &&
      loaded.find("SDL_OpenAudioDevice", sdl.open) &&
      loaded.find("SDL_CloseAudioDevice", sdl.close) &&
      loaded.find("SDL_PauseAudioDevice", sdl.pause) && loaded.find("SDL_QueueAudio", sdl.queue) &&
      loaded.find("SDL_GetQueuedAudioSize", sdl.queued_bytes) &&
      loaded.find("SDL_ClearQueuedAudio", sdl.clear);
  return whole ? std::optional(sdl) : std::nullopt;
}

// Empty: SDL is not installed.
const std::optional<SdlSound>& sdl_sound() {
  static const std::optional<SdlSound> sdl = load_sdl();
  return sdl;
}

// Plays samples in order and ignores at_ns.
class CardSound final : public SoundDevice {
 public:
  CardSound(const SdlSound& sdl, SDL_AudioDeviceID device) : sdl_(sdl), device_(device) {}
  ~CardSound() override {
    sdl_.close(device_);
    sdl_.quit(SDL_INIT_AUDIO);
  }
  void play(std::span<const float> samples, int64_t /*at_ns*/) override {
    sdl_.queue(device_, samples.data(), static_cast<Uint32>(samples.size_bytes()));
  }
  int64_t waiting_ns() const override {
    const int64_t bytes = sdl_.queued_bytes(device_);
    const int64_t samples = bytes / (int64_t{sizeof(float)} * kSoundChannels);
    return samples * 1'000'000'000 / kSoundRate;
  }
  void clear() override { sdl_.clear(device_); }

 private:
  const SdlSound& sdl_;
  const SDL_AudioDeviceID device_;
};

Error no_card(const char* why) {
  return fail(ErrorCode::kUnavailable, fmt::format("cannot open the sound card: {}", why));
}

}  // namespace

Result<std::unique_ptr<SoundDevice>> SoundDevice::open() {
  if (!sdl_sound()) return no_card("SDL 2 (libsdl2-2.0-0) is not installed");
  const SdlSound& sdl = *sdl_sound();
  sdl.set_hint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");  // the program handles signals
  if (sdl.init(SDL_INIT_AUDIO) != 0) return no_card(sdl.error());
  SDL_AudioSpec wanted{};
  wanted.freq = kSoundRate;
  wanted.format = AUDIO_F32SYS;
  wanted.channels = kSoundChannels;
  wanted.samples = kBufferSamples;
  const SDL_AudioDeviceID device = sdl.open(nullptr, 0, &wanted, nullptr, 0);
  if (device == 0) {
    auto error = no_card(sdl.error());
    sdl.quit(SDL_INIT_AUDIO);
    return error;
  }
  sdl.pause(device, 0);
  return std::make_unique<CardSound>(sdl, device);
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
