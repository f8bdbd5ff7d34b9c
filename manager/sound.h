// Who plays the sound of which window, and how loud: told to the receivers that the wall names for
// it, to recorders while there are such, and to the applications, who send it there. Nothing of it
// is a layout: it holds at once. Thread: the loop's.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "sail/base/geometry.h"
#include "sail/net/tcp.h"
#include "sail/wall/wall.h"
#include "sail/wire/sound.h"

namespace manager {

class Desk;
class Peers;
struct Window;

class Sound {
 public:
  // They outlive this.
  Sound(Desk& desk, Peers& peers) : desk_(desk), peers_(peers) {}

  // Windows or receivers are others than before: told with the next tick.
  void changed() { changed_ = true; }
  // To be called every Director::kTickMs or so, and when there is a new stream.
  void tick();

  // Whether recorders are told anything.
  bool anybody_plays() const;
  // It hears the windows that stand there, and streams are opened to it with that secret.
  void recorder_joined(const std::string& name, uint64_t peer, const sail::Address& data,
                       const sail::Rect& wall_rect, uint64_t secret);
  void recorder_left(const std::string& name);

 private:
  struct Recorder {
    uint64_t peer = 0;
    sail::SoundRoutes::Route route;
    sail::Rect wall_rect;

    bool hears(const Window& window) const;
  };
  template <typename Message>
  struct Told {
    uint64_t peer = 0;
    Message message;

    bool operator==(const Told&) const = default;
  };

  void tell_players();
  void tell_receivers();
  void tell_applications();
  void tell_mix(const std::string& name, uint64_t peer, sail::SoundMix mix);
  sail::SoundMix mix_for(const sail::WallAudio& audio) const;
  sail::SoundMix mix_for(const Recorder& recorder) const;

  Desk& desk_;
  Peers& peers_;
  bool changed_ = false;
  std::map<std::string, Recorder> recorders_;           // by name, as among receivers
  std::map<std::string, Told<sail::SoundMix>> mixes_;   // by receiver
  std::map<uint32_t, Told<sail::SoundRoutes>> routes_;  // by stream
};

}  // namespace manager
