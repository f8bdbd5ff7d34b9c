#include "manager/desk/sound.h"

#include <algorithm>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/peers/peers.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

// Returns the position of the window's centre: -1 at the left edge of `part`, 1 at the right edge.
double pan_of(const Window& window, const sail::Rect& part) {
  const double centre = window.wall_rect.x - part.x + window.wall_rect.width / 2.0;
  return std::clamp(2 * centre / part.width - 1, -1.0, 1.0);
}

}  // namespace

bool Sound::Recorder::hears(const Window& window) const {
  if (!whole) return !sail::intersect(window.wall_rect, wall_rect).empty();
  return !window.hidden &&
         (whole->empty() || std::ranges::find(*whole, window.number) != whole->end());
}

bool Sound::has_receivers() const {
  return !desk_.wall().audio.empty();
}

void Sound::recorder_joined(const std::string& name, uint64_t peer, const sail::Address& data,
                            const sail::Rect& wall_rect, uint64_t secret) {
  joined(name, data, secret, {.peer = peer, .route = {}, .wall_rect = wall_rect});
}

void Sound::bridge_joined(const std::string& name, uint64_t peer, const sail::Address& data,
                          const std::vector<uint32_t>& windows, uint64_t secret) {
  joined(name, data, secret, {.peer = peer, .route = {}, .wall_rect = {}, .whole = windows});
}

void Sound::joined(const std::string& name, const sail::Address& data, uint64_t secret,
                   Recorder recorder) {
  recorder.route = {.receiver = name,
                    .host = data.host,
                    .port = data.port,
                    .certificate = data.certificate,
                    .recorder = secret};
  recorders_[name] = std::move(recorder);
  changed_ = true;
  tick();
}

void Sound::recorder_left(const std::string& name) {
  recorders_.erase(name);
  mixes_.erase(name);
  changed_ = true;
}

void Sound::changed(int fade_ms) {
  changed_ = true;
  if (fade_ms == 0) return;
  layout_fade_ms_ = fade_ms;
  fades_until_ns_ = sail::steady_now_ns() + int64_t{fade_ms} * 1'000'000;
}

void Sound::watch_levels(uint64_t ui, bool on) {
  if (on) {
    watchers_.insert(ui);
  } else {
    watchers_.erase(ui);
  }
}

void Sound::record(uint64_t receiver, const sail::SoundLevels& levels) {
  const int64_t now_ns = sail::steady_now_ns();
  std::erase_if(reports_, [now_ns](const auto& report) { return report.second.is_old(now_ns); });
  if (levels.levels.empty()) {
    reports_.erase(receiver);  // It reports nothing until it plays sound again.
  } else {
    reports_[receiver] = {levels, now_ns};
    // One of the receivers that play sound sets the pace.
    if (reports_.begin()->first != receiver) return;
  }
  if (watchers_.empty()) return;
  sail::Json windows = sail::Json::array();
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (const auto level = level_of(window)) {
      windows.push_back({{"window", window.number}, {"peak", level->peak}, {"rms", level->rms}});
    }
  }
  const auto line =
      sail::share(sail::notification_line("levels", {{"windows", std::move(windows)}}));
  for (const uint64_t ui : watchers_) {
    sail::ServicePeer* client = peers_.find(ui);
    if (client != nullptr) client->rpc().offer_line(line);
  }
}

void Sound::look() {
  constexpr int64_t kLookNs = 5 * sail::kSecondNs;
  looked_until_ns_ = sail::steady_now_ns() + kLookNs;
}

std::optional<sail::SoundLevels::Level> Sound::level_of(const Window& window) const {
  const int64_t now_ns = sail::steady_now_ns();
  std::optional<sail::SoundLevels::Level> loudest;
  for (const auto& [receiver, report] : reports_) {
    const auto& levels = report.levels.levels;
    const auto found = std::ranges::find(levels, window.stream, &sail::SoundLevels::Level::stream);
    if (report.is_old(now_ns) || found == levels.end()) continue;
    if (!loudest || found->peak > loudest->peak) loudest = *found;
  }
  return loudest;
}

void Sound::tick() {
  const bool metered = !watchers_.empty() || sail::steady_now_ns() < looked_until_ns_;
  if (std::exchange(metered_, metered) != metered) changed_ = true;
  if (fades_until_ns_ != 0 && sail::steady_now_ns() >= fades_until_ns_) {
    fades_until_ns_ = 0;
    changed_ = true;
  }
  // Streams that continued without a manager stay audible. Nothing is sent until they reconnect.
  if (!changed_ || desk_.director().waits_for_peers(sail::steady_now_ns())) return;
  changed_ = false;
  notify_players();
  if (!has_receivers()) return;
  notify_receivers();
  notify_applications();
  // Later changes of the volume take effect at once.
  if (std::exchange(layout_fade_ms_, 0) > 0) changed_ = true;
}

int Sound::fade_of(const Window& window) const {
  constexpr int kFadeMs = 400;
  const bool is_blanked = desk_.arrangement().silenced(window) && !window.hidden;
  return std::max(layout_fade_ms_, is_blanked ? kFadeMs : 0);
}

bool Sound::fades_out(const Window& window) const {
  const auto sent = routes_.find(window.stream);
  return fades_until_ns_ != 0 && sent != routes_.end() && !sent->second.message.routes.empty();
}

// Sends the volume to applications that report one: they play sound themselves, or show the volume.
void Sound::notify_players() {
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (!window.playback || !window.playback->volume) continue;
    const double volume = desk_.arrangement().audible_volume(window);
    if (volume == window.volume_sent.value_or(*window.playback->volume)) continue;
    desk_.measured(window.number)->volume_sent = volume;
    desk_.notify_application(window, "volume", volume);
  }
}

sail::SoundMix Sound::mix_for(const sail::WallAudio& audio) const {
  const sail::Size wall = desk_.wall().size;
  const sail::Rect all{0, 0, wall.width, wall.height};
  sail::SoundMix mix{.device = audio.device,
                     .channels = audio.channels,
                     .latency_ms = audio.latency_ms,
                     .streams = {}};
  for (const Window& window : desk_.windows().bottom_to_top()) {
    mix.streams.push_back({.stream = window.stream,
                           .secret = window.secret,
                           .volume = desk_.arrangement().audible_volume(window),
                           .fade_ms = fade_of(window),
                           .pan = audio.pan ? pan_of(window, all) : 0});
  }
  return mix;
}

// Pans within the recorder's own area, which its viewers see.
sail::SoundMix Sound::mix_for(const Recorder& recorder) const {
  const bool pan = desk_.wall().audio.front().pan;
  sail::SoundMix mix;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (!recorder.hears(window)) continue;
    if (recorder.whole) {
      mix.streams.push_back({.stream = window.stream, .secret = recorder.route.recorder});
      continue;
    }
    mix.streams.push_back({.stream = window.stream,
                           .secret = recorder.route.recorder,
                           .volume = desk_.arrangement().audible_volume(window),
                           .fade_ms = fade_of(window),
                           .pan = pan ? pan_of(window, recorder.wall_rect) : 0});
  }
  return mix;
}

void Sound::notify_receivers() {
  for (const sail::WallAudio& audio : desk_.wall().audio) {
    // All play the same windows, but some may have no card, or get no samples.
    sail::SoundMix mix = mix_for(audio);
    mix.metered = metered_;
    send_mix(audio.receiver, peers_.receivers().find(audio.receiver)->peer, std::move(mix));
  }
  for (const auto& [name, recorder] : recorders_) {
    send_mix(name, recorder.peer, mix_for(recorder));
  }
}

void Sound::send_mix(const std::string& name, uint64_t peer, sail::SoundMix mix) {
  Sent<sail::SoundMix> now{peer, std::move(mix)};
  auto& sent = mixes_[name];
  if (peer == 0 || sent == now) return;
  peers_.notify(peer, sail::SoundMix::kMethod, to_json(now.message));
  sent = std::move(now);
}

// Sends no routes for sound that nobody can hear. The sound of blanked windows is sent, and that of
// windows that leave the wall by a fade, so that the sound can fade, too.
void Sound::notify_applications() {
  std::vector<sail::SoundRoutes::Route> everywhere;
  for (const sail::WallAudio& audio : desk_.wall().audio) {
    const ReceiverEntry& receiver = *peers_.receivers().find(audio.receiver);
    if (!receiver.connected()) continue;
    everywhere.push_back(
        {receiver.name, receiver.address, receiver.data_port, receiver.certificate});
  }
  std::map<uint32_t, Sent<sail::SoundRoutes>> all;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    Sent<sail::SoundRoutes> now{window.owner, {.stream = window.stream, .routes = {}}};
    const bool is_there = !window.hidden || fades_out(window);
    const bool is_heard = is_there && desk_.arrangement().chosen_volume(window) > 0;
    if (is_heard) now.message.routes = everywhere;
    for (const auto& [name, recorder] : recorders_) {
      const bool wants = is_heard || recorder.whole;
      if (wants && recorder.hears(window)) now.message.routes.push_back(recorder.route);
    }
    for (auto& route : now.message.routes) {
      const std::string host = peers_.host_for(window.owner, route.receiver);
      if (!host.empty()) route.host = host;
    }
    const auto sent = routes_.find(window.stream);
    if (sent == routes_.end() || sent->second != now) {
      peers_.notify(window.owner, sail::SoundRoutes::kMethod, to_json(now.message));
    }
    all.emplace(window.stream, std::move(now));
  }
  routes_ = std::move(all);
}

}  // namespace manager
