// Routes the windows' sound: sends volumes to the wall file's sound receivers and to recorders, and
// sound routes to applications. Sound is not part of layouts; changes apply at once. Runs on the
// loop thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/address/address.h"
#include "sail/core/base/geometry.h"
#include "sail/core/time/clock.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/sound.h"

namespace manager {

class Desk;
class Peers;
struct Window;

class Sound {
 public:
  // Both must outlive this object.
  Sound(Desk& desk, Peers& peers) : desk_(desk), peers_(peers) {}

  // Windows or receivers have changed; the next tick() sends the changes. fade_ms: duration of the
  // new layout's fade; the sound fades for the same time.
  void changed(int fade_ms = 0);
  // Call about every Director::kTickMs, and when there is a new stream.
  void tick();

  // This UI client gets the levels of all windows, or no longer.
  void watch_levels(uint64_t ui, bool on);
  void client_left(uint64_t ui) { watchers_.erase(ui); }
  // Takes what a receiver (its peer id) measured, and passes it on to these clients.
  void record(uint64_t receiver, const sail::SoundLevels& levels);
  // Somebody asks for levels: measures for some seconds.
  void look();
  // How loud the window was in the last second where it was loudest; empty: silent, or not
  // measured.
  std::optional<sail::SoundLevels::Level> level_of(const Window& window) const;

  // Whether the wall file has sound receivers. Without them recorders get no sound either.
  bool has_receivers() const;
  // The recorder gets the sound of windows within wall_rect. Streams connect to it with `secret`.
  void recorder_joined(const std::string& name, uint64_t peer, const sail::Address& data,
                       const sail::Rect& wall_rect, uint64_t secret);
  // The bridge gets the sound of these windows (empty: of all), also if they are muted, because
  // the other wall has volumes of its own.
  void bridge_joined(const std::string& name, uint64_t peer, const sail::Address& data,
                     const std::vector<uint32_t>& windows, uint64_t secret);
  void recorder_left(const std::string& name);

 private:
  struct Recorder {
    uint64_t peer = 0;
    sail::SoundRoutes::Route route;
    sail::Rect wall_rect;
    std::optional<std::vector<uint32_t>> whole{};  // of a bridge: its windows; empty list: all

    bool hears(const Window& window) const;
  };
  struct Report {
    sail::SoundLevels levels;
    int64_t at_ns = 0;  // Steady.

    bool is_old(int64_t now_ns) const { return now_ns - at_ns > sail::kSecondNs; }
  };
  template <typename Message>
  struct Sent {
    uint64_t peer = 0;
    Message message;

    bool operator==(const Sent&) const = default;
  };

  void joined(const std::string& name, const sail::Address& data, uint64_t secret,
              Recorder recorder);
  void notify_players();
  void notify_receivers();
  void notify_applications();
  void send_mix(const std::string& name, uint64_t peer, sail::SoundMix mix);
  int fade_of(const Window& window) const;  // milliseconds
  // Whether receivers still play the window's sound, because it fades out with the layout before.
  bool fades_out(const Window& window) const;
  sail::SoundMix mix_for(const sail::WallAudio& audio) const;
  sail::SoundMix mix_for(const Recorder& recorder) const;

  Desk& desk_;
  Peers& peers_;
  bool changed_ = false;
  std::set<uint64_t> watchers_;                         // UI clients that get levels.
  bool metered_ = false;                                // A client wants levels.
  int64_t looked_until_ns_ = 0;                         // Steady.
  std::map<uint64_t, Report> reports_;                  // By receiver that is not silent.
  int layout_fade_ms_ = 0;                              // for the next mix
  int64_t fades_until_ns_ = 0;                          // Steady; 0: no fade to another layout.
  std::map<std::string, Recorder> recorders_;           // By name among the receivers.
  std::map<std::string, Sent<sail::SoundMix>> mixes_;   // By receiver.
  std::map<uint32_t, Sent<sail::SoundRoutes>> routes_;  // By stream.
};

}  // namespace manager
