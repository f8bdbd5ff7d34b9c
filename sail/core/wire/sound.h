// Control messages about sound: the receivers that play it, and its volume; see sail/PROTOCOL.md.
// The samples are sent on the data plane (data_messages.h). Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace sail {

// "sound_mix": notification to receivers that play sound, and to recorders. It lists all streams to
// play, and takes effect at once, without a transaction.
struct SoundMix {
  static constexpr const char* kMethod = "sound_mix";

  struct Stream {
    uint32_t stream = 0;
    uint64_t secret = 0;
    double volume = 1;  // 0 to 1
    // Duration of the change to this volume, and of the next change from it; 0: at once.
    int fade_ms = 0;
    double pan = 0;  // -1 left, 1 right

    bool operator==(const Stream&) const = default;
  };
  std::string device{};  // name of the sound card; empty: the system's default
  int channels = 2;
  int latency_ms = 0;    // output latency of the sound card and speakers
  bool metered = false;  // the receiver sends SoundLevels
  std::vector<Stream> streams{};

  bool operator==(const SoundMix&) const = default;
};
void fields(auto& visit, Of<SoundMix::Stream> auto& stream) {
  visit("stream", kStreamNumber, stream.stream);
  visit("secret", Hex64(), stream.secret);
  visit("volume", Real{0, 1}, stream.volume);
  visit("fade_ms", sparse(Whole{0, kMaxFadeMs}), stream.fade_ms);
  visit("pan", Real{-1, 1}, stream.pan);
}
void fields(auto& visit, Of<SoundMix> auto& mix) {
  visit("device", Text{kMaxTitleLength}, mix.device);
  visit("channels", kSoundChannelCount, mix.channels);
  visit("latency_ms", kSoundLatencyMs, mix.latency_ms);
  visit("metered", sparse(Flag()), mix.metered);
  visit("streams", objects(kMaxWindows, &SoundMix::Stream::stream), mix.streams);
}

// "sound_levels": notification by a receiver while its mix is metered: how loud the streams were
// since the last one. Silent streams are missing.
struct SoundLevels {
  static constexpr const char* kMethod = "sound_levels";

  // As heard, with the volume. 1: the loudest that a sound card can play.
  struct Level {
    uint32_t stream = 0;
    double peak = 0;
    double rms = 0;  // root mean square of all samples and channels

    bool operator==(const Level&) const = default;
  };
  std::vector<Level> levels{};

  bool operator==(const SoundLevels&) const = default;
};
void fields(auto& visit, Of<SoundLevels::Level> auto& level) {
  visit("stream", kStreamNumber, level.stream);
  visit("peak", Real{0, 1}, level.peak);
  visit("rms", Real{0, 1}, level.rms);
}
void fields(auto& visit, Of<SoundLevels> auto& levels) {
  visit("levels", objects(kMaxSoundsPerReceiver, &SoundLevels::Level::stream), levels.levels);
}

// Field of the result of "record", in addition to a receiver's welcome.
struct RecordSound {
  static constexpr const char* kMethod = "record";

  bool sound = false;  // the wall plays sound, so the recorder is sent a mix as well
};
void fields(auto& visit, Of<RecordSound> auto& recorded) {
  visit("sound", sparse(Flag()), recorded.sound);
}

// "sound_routes": notification to applications with the receivers that play the stream's sound.
struct SoundRoutes {
  static constexpr const char* kMethod = "sound_routes";

  struct Route {
    std::string receiver;
    std::string host;  // numeric address
    uint16_t port = 0;
    std::string certificate{};
    // Nonzero: the receiver is a recorder, and the sound is opened with this secret instead of the
    // stream's.
    uint64_t recorder = 0;

    bool operator==(const Route&) const = default;
  };
  uint32_t stream = 0;
  std::vector<Route> routes{};  // empty: no receiver plays the sound

  bool operator==(const SoundRoutes&) const = default;
};
void fields(auto& visit, Of<SoundRoutes::Route> auto& route) {
  constexpr FilledText kHost{64};
  visit("receiver", kName, route.receiver);
  visit("host", kHost, route.host);
  visit("port", kPort, route.port);
  visit("certificate", kCertificate, route.certificate);
  visit("recorder", sparse(Hex64()), route.recorder);
}
void fields(auto& visit, Of<SoundRoutes> auto& routes) {
  visit("stream", kStreamNumber, routes.stream);
  visit("routes", objects(kMaxTiles, &SoundRoutes::Route::receiver), routes.routes);
}

}  // namespace sail
