// What lies over the windows, kept up to date on the receivers and told to those who asked for it:
// the people's pointers, and labels with figures while they are on.
//
// Thread: the loop's. Receivers hear of pointers at most 60 times a second, subscribers 30 times.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "manager/overlay_feed.h"
#include "manager/pointers.h"
#include "sail/net/loop.h"
#include "sail/net/rpc_peer.h"

namespace manager {

class WallOverlay {
 public:
  struct Handlers {
    // The session of a receiver that joined; null when it is gone.
    std::function<sail::RpcPeer*(const std::string& receiver)> peer_of;
    // A line for the subscribers who want to know of pointers.
    std::function<void(const std::string& line)> offer_pointers;
    // The labels that figures are shown in now; not all: only those of windows that are lost.
    std::function<std::vector<sail::OverlayLabel>(bool all)> labels;
    std::function<void()> on_switched;
  };
  // The wall must outlive this.
  WallOverlay(sail::Loop& loop, const sail::Wall& wall, Handlers handlers);

  // As Pointers::move.
  void move_pointer(uint64_t client, int pointer, const std::string& name, uint32_t colour,
                    const PointerPlace& place);
  void hide_pointer(uint64_t client, int pointer);
  void client_left(uint64_t client);
  void receiver_joined(const std::string& receiver);
  void receiver_left(const std::string& receiver) { feed_.receiver_left(receiver); }
  void recorder_joined(const std::string& name, const sail::TileView& tile);
  void recorder_left(const std::string& name) { feed_.recorder_left(name); }

  // As the verb `overlay` says: whether there are labels. Pointers are always shown.
  void set_on(bool on);
  bool is_on() const { return on_; }
  // Windows have come, gone, moved, are lost or not any more.
  void windows_changed();

 private:
  // Does something at most so often: at once when it was not done for that long.
  class Pace {
   public:
    Pace(sail::Loop& loop, int64_t every_ms, std::function<void()> task);
    void ask();

   private:
    sail::Timer timer_;
    int64_t every_ms_;
    std::function<void()> task_;
    int64_t done_ns_ = 0;
    bool asked_ = false;
  };

  void pointers_changed();
  void label();
  void expire();
  void tell_receivers();
  void tell_subscribers();

  Handlers handlers_;
  Pointers pointers_;
  OverlayFeed feed_;
  bool on_ = false;
  bool labelled_ = false;  // there are labels
  uint64_t told_ = 0;      // revision of the pointers that the paces were asked for
  Pace to_receivers_;
  Pace to_subscribers_;
  sail::Timer expiry_;
  sail::Timer labels_;
};

}  // namespace manager
