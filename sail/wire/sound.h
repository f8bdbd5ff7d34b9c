// Who plays the sound of which streams, and how loud: control messages, told in sail/PROTOCOL.md.
// The samples themselves go on the data plane (data_messages.h). Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/wire/hex_digits.h"
#include "sail/wire/json_fields.h"
#include "sail/wire/limits.h"

namespace sail {

// "sound_mix", notification to receivers that play sound, and to recorders: all that they play, at
// once and without a transaction.
struct SoundMix {
  static constexpr const char* kMethod = "sound_mix";

  struct Stream {
    uint32_t stream = 0;
    uint64_t secret = 0;
    double volume = 1;  // 0 to 1
    double pan = 0;     // -1 left, 1 right

    bool operator==(const Stream&) const = default;
  };
  std::string device{};  // the sound card's name; empty: the system's choice
  int channels = 2;
  int latency_ms = 0;  // from the card to the ear
  std::vector<Stream> streams{};

  bool operator==(const SoundMix&) const = default;
};
constexpr Whole kSoundChannelCount{1, kMaxSoundChannels};
constexpr Whole kSoundLatencyMs{0, 1000};
void fields(auto& visit, Of<SoundMix::Stream> auto& stream) {
  visit("stream", kStreamNumber, stream.stream);
  visit("secret", Hex64(), stream.secret);
  visit("volume", Real{0, 1}, stream.volume);
  visit("pan", Real{-1, 1}, stream.pan);
}
void fields(auto& visit, Of<SoundMix> auto& mix) {
  visit("device", Text{kMaxTitleLength}, mix.device);
  visit("channels", kSoundChannelCount, mix.channels);
  visit("latency_ms", kSoundLatencyMs, mix.latency_ms);
  visit("streams", objects(kMaxWindows, &SoundMix::Stream::stream), mix.streams);
}

// In the result of "record", beside a receiver's welcome.
struct RecordSound {
  static constexpr const char* kMethod = "record";

  bool sound = false;  // the wall plays sound: the recorder is told a mix, too
};
void fields(auto& visit, Of<RecordSound> auto& recorded) {
  visit("sound", sparse(Flag()), recorded.sound);
}

// "sound_routes", notification to applications: who plays the stream's sound from now on.
struct SoundRoutes {
  static constexpr const char* kMethod = "sound_routes";

  struct Route {
    std::string receiver;
    std::string host;  // numeric address
    uint16_t port = 0;
    std::string certificate{};
    // It is a recorder, to which the sound is opened with this secret instead of the stream's; 0:
    // it is none.
    uint64_t recorder = 0;

    bool operator==(const Route&) const = default;
  };
  uint32_t stream = 0;
  std::vector<Route> routes{};  // empty: nobody

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
