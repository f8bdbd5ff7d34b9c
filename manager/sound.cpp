#include "manager/sound.h"

#include <algorithm>

#include "manager/desk.h"
#include "manager/peers.h"
#include "sail/base/clock.h"

namespace manager {
namespace {

// From the wall's left edge to its right one: where the window's centre is.
double pan_of(const Window& window, const sail::Size& wall) {
  const double centre = window.wall_rect.x + window.wall_rect.width / 2.0;
  return std::clamp(2 * centre / wall.width - 1, -1.0, 1.0);
}

}  // namespace

void Sound::tick() {
  // Streams that have gone on without a manager are heard all the while: until they are here again,
  // nothing is told.
  if (!changed_ || desk_.director().waits_for_peers(sail::steady_now_ns())) return;
  changed_ = false;
  tell_players();
  if (desk_.wall().audio.empty()) return;
  tell_receivers();
  tell_applications();
}

// Applications that know how loud they are (they play by themselves, or show it) are told.
void Sound::tell_players() {
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (!window.playback || !window.playback->volume) continue;
    const double volume = window.sound.audible();
    if (volume == window.volume_told.value_or(*window.playback->volume)) continue;
    desk_.measured(window.number)->volume_told = volume;
    desk_.tell_application(window, "volume", volume);
  }
}

sail::SoundMix Sound::mix_for(const sail::WallAudio& audio) const {
  sail::SoundMix mix{.device = audio.device,
                     .channels = audio.channels,
                     .latency_ms = audio.latency_ms,
                     .streams = {}};
  for (const Window& window : desk_.windows().bottom_to_top()) {
    mix.streams.push_back({.stream = window.stream,
                           .secret = window.secret,
                           .volume = window.sound.audible(),
                           .pan = audio.pan ? pan_of(window, desk_.wall().size) : 0});
  }
  return mix;
}

void Sound::tell_receivers() {
  for (const sail::WallAudio& audio : desk_.wall().audio) {
    const uint64_t peer = peers_.receivers().find(audio.receiver)->peer;
    Told<sail::SoundMix> now{peer, mix_for(audio)};
    auto& told = mixes_[audio.receiver];
    if (peer == 0 || told == now) continue;
    peers_.notify(peer, sail::SoundMix::kMethod, to_json(now.message));
    told = std::move(now);
  }
}

// What nobody hears is not sent.
void Sound::tell_applications() {
  std::vector<sail::SoundRoutes::Route> everywhere;
  for (const sail::WallAudio& audio : desk_.wall().audio) {
    const ReceiverEntry& receiver = *peers_.receivers().find(audio.receiver);
    if (!receiver.connected()) continue;
    everywhere.push_back(
        {receiver.name, receiver.address, receiver.data_port, receiver.certificate});
  }
  std::map<uint32_t, Told<sail::SoundRoutes>> all;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    Told<sail::SoundRoutes> now{window.owner, {.stream = window.stream, .routes = {}}};
    if (window.sound.audible() > 0) now.message.routes = everywhere;
    const auto told = routes_.find(window.stream);
    if (told == routes_.end() || told->second != now) {
      peers_.notify(window.owner, sail::SoundRoutes::kMethod, to_json(now.message));
    }
    all.emplace(window.stream, std::move(now));
  }
  routes_ = std::move(all);
}

}  // namespace manager
