// The overlay above the windows: people's drawings and pointers, and labels. Statistics labels can
// be switched on; labels by people and of windows in trouble are always shown. Sends the overlay to
// receivers, and pointers to subscribers.
//
// Runs on the loop thread. Receivers get pointers at most 60 times a second, subscribers 30 times.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "manager/monitor/overlay_feed.h"
#include "manager/monitor/pointers.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_peer.h"

namespace manager {

class WallOverlay {
 public:
  struct Handlers {
    // Returns the session of a connected receiver; null: it has left.
    std::function<sail::RpcPeer*(const std::string& receiver)> peer_of;
    // Sends a line to the subscribers that want pointers.
    std::function<void(const std::string& line)> offer_pointers;
    // Returns the current labels. all false: no statistics, see Figures::labels().
    std::function<std::vector<sail::OverlayLabel>(bool all)> labels;
    // Returns what people have drawn, bottom to top.
    std::function<std::vector<sail::OverlayDrawing>()> drawings;
    // Whether a label shows the time of day.
    std::function<bool()> shows_clock;
    std::function<void()> on_switched;
  };
  WallOverlay(sail::Loop& loop, const sail::Wall& wall, Handlers handlers);

  // See Pointers::move().
  bool move_pointer(uint64_t client, int pointer, const std::string& name, uint32_t colour,
                    const PointerPlace& place);
  void hide_pointer(uint64_t client, int pointer);
  void client_left(uint64_t client);
  void receiver_joined(const std::string& receiver);
  void receiver_left(const std::string& receiver) { feed_.receiver_left(receiver); }
  void recorder_joined(const std::string& name, const sail::TileView& tile);
  void recorder_left(const std::string& name) { feed_.recorder_left(name); }

  // Switches statistics labels, for the verb `overlay`. Pointers are always shown.
  void set_on(bool on);
  bool is_on() const { return on_; }
  // Windows were opened, closed, moved, lost or recovered; or a drawing has changed.
  void windows_changed();

 private:
  // A rate limiter: runs the task from the loop, at least every_ms after its last run.
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
  // Asks for current labels; a running clock or statistics ask again each second.
  void label();
  void make_labels();
  void expire();
  void notify_receivers();
  void notify_subscribers();

  Handlers handlers_;
  Pointers pointers_;
  OverlayFeed feed_;
  bool on_ = false;
  bool labelled_ = false;       // Labels are shown.
  bool stale_ = false;          // Labels have changed since the last notification.
  bool drawn_ = false;          // Drawings may have changed since then.
  uint64_t sent_revision_ = 0;  // Pointer revision last passed to the rate limiters.
  Pace to_receivers_;
  Pace to_subscribers_;
  sail::Timer expiry_;
  sail::Timer labels_;
};

}  // namespace manager
