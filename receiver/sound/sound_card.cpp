#include "receiver/sound/sound_card.h"

#include <SDL.h>
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>

namespace receiver {

sail::Result<std::unique_ptr<SoundCard>> SoundCard::open(const std::string& name, int channels,
                                                         Fill fill) {
  const auto no_sound = [&name] {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      name.empty() ? fmt::format("no sound card: {}", SDL_GetError())
                                   : fmt::format("no sound card “{}”: {}", name, SDL_GetError()));
  };
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");  // the program handles signals itself
  if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) return no_sound();
  std::unique_ptr<SoundCard> card(new SoundCard(std::move(fill)));
  SDL_AudioSpec wanted{};
  wanted.freq = kRate;
  wanted.format = AUDIO_F32SYS;
  wanted.channels = static_cast<Uint8>(channels);
  wanted.samples = kSamples;
  wanted.callback = on_fill;
  wanted.userdata = card.get();
  card->device_ =
      SDL_OpenAudioDevice(name.empty() ? nullptr : name.c_str(), 0, &wanted, nullptr, 0);
  if (card->device_ == 0) return no_sound();
  SDL_PauseAudioDevice(card->device_, 0);
  return card;
}

sail::Result<std::vector<std::string>> SoundCard::names() {
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) {
    return sail::fail(sail::ErrorCode::kUnavailable, SDL_GetError());
  }
  std::vector<std::string> names;
  for (int i = 0; i < SDL_GetNumAudioDevices(0); ++i) {
    if (const char* name = SDL_GetAudioDeviceName(i, 0)) names.emplace_back(name);
  }
  SDL_QuitSubSystem(SDL_INIT_AUDIO);
  return names;
}

SoundCard::~SoundCard() {
  if (device_ != 0) SDL_CloseAudioDevice(device_);
  SDL_QuitSubSystem(SDL_INIT_AUDIO);
}

bool SoundCard::disconnected() const {
  return SDL_GetAudioDeviceStatus(device_) == SDL_AUDIO_STOPPED;
}

void SoundCard::on_fill(void* self, uint8_t* bytes, int count) {
  const std::span<float> out(reinterpret_cast<float*>(bytes),
                             static_cast<size_t>(count) / sizeof(float));
  static_cast<SoundCard*>(self)->fill_(out);
}

namespace {

// Larger errors mean that the card stalled or the clock was set; the loop restarts.
constexpr int64_t kCardLostNs = 100'000'000;
constexpr double kBandwidthHz = 0.1;

}  // namespace

CardClock::CardClock(int rate) : usual_ns_(1e9 / rate), sample_ns_(usual_ns_) {}

int64_t CardClock::next(int64_t now_ns, size_t samples) {
  const auto count = static_cast<double>(samples);
  if (!running_ || std::abs(now_ns - next_ns_) > kCardLostNs) {
    running_ = true;
    sample_ns_ = usual_ns_;
    next_ns_ = now_ns;
    off_ns_ = 0;
  }
  const int64_t at_ns = next_ns_;
  const double error_ns = static_cast<double>(now_ns - at_ns) - off_ns_;
  const double omega = 2 * std::numbers::pi * kBandwidthHz * count * usual_ns_ / 1e9;
  const double ahead_ns = off_ns_ + count * sample_ns_ + std::numbers::sqrt2 * omega * error_ns;
  sample_ns_ += omega * omega * error_ns / count;
  const double whole_ns = std::floor(ahead_ns);
  next_ns_ += static_cast<int64_t>(whole_ns);
  off_ns_ = ahead_ns - whole_ns;
  return at_ns;
}

}  // namespace receiver
