// Where a stream's application threads and the loop thread meet: who may submit, and what the
// application may ask at any time. Any thread.
//
// It has a mutex of its own because submitting may have to wait for what the loop thread learns,
// and asking must not; it is only held to read or change a few numbers.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "sail/base/geometry.h"
#include "sail/client/wanted_blocks.h"
#include "sail/wire/stats.h"

namespace sail {

class StreamGate {
 public:
  struct Status {
    Rect wall_rect;
    Size picture;  // as large as all of it would be seen
    bool visible = false;
    uint64_t frames_submitted = 0;
    uint64_t frames_sent = 0;
    uint64_t frames_shown = 0;
    uint64_t frames_dropped = 0;
    uint64_t frames_in_flight = 0;  // submitted, and their fate is not known
    uint64_t bytes_sent = 0;
    DropCounts dropped;  // as tell_dropped() was told last
  };
  struct Entry {
    uint64_t number = 0;    // the frame's
    bool admitted = false;  // false: it is dropped, and counted so
    std::shared_ptr<const WantedBlocks> wanted;
  };

  // wanted: as long as there is no map.
  explicit StreamGate(std::shared_ptr<const WantedBlocks> wanted) : wanted_(std::move(wanted)) {}

  // --- application threads
  // The next frame wants to go. With `wait` the call lasts until there is room; it never waits
  // while there is nobody to send to.
  // present_ns: wall time at which it is to be seen; 0: soonest. part_name: of a numbered part;
  // with `wait` the call also lasts while too many before it are not ruled on, unless asked for.
  Entry enter(bool wait, int64_t present_ns = 0, int64_t part_name = 0);
  // A frame that was let in cannot be sent after all.
  void turn_away();
  Status status() const;

  // --- loop thread
  // Closed at first, and while there is no manager.
  void set_open(bool open);
  // Frames that may be in flight.
  void set_limit(int frames);
  // Of frames that are to be seen within one such span of wall time only the first may go; 0: all.
  void set_spacing(int64_t spacing_ns);
  // Parts up to that name are shown or dropped.
  void set_ruled(int64_t part_name);
  // The next part may go though too many before it are not ruled on: it may be what that waits for.
  void ask_for_one();
  void set_window(const Rect& wall_rect, Size picture, bool visible,
                  std::shared_ptr<const WantedBlocks> wanted);
  // That many frames' fates are told; `sent`, `shown` and `bytes_sent` since the start.
  void settle(uint64_t told, uint64_t sent, uint64_t shown, uint64_t bytes_sent);
  // All frames that were dropped since the start, by cause.
  void tell_dropped(const DropCounts& dropped);

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  uint64_t limit_ = 1;
  int64_t spacing_ns_ = 0;
  int64_t last_present_ns_ = 0;
  int64_t ruled_name_ = 0;
  bool asked_ = false;
  std::shared_ptr<const WantedBlocks> wanted_;
  Status status_;
};

}  // namespace sail
