// Shared state of a stream between application threads and the loop thread: admission of frames,
// and the status that the application can query at any time. Callable from any thread.
//
// Submitting may wait for the loop thread, but queries must not. So there is a mutex, held only to
// read or change a few numbers.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "sail/client/encode/encoded_frame.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wire/stats.h"

namespace sail {

class SubmitQueue {
 public:
  struct Status {
    Rect wall_rect;
    // Size at which the whole frame would appear on the wall.
    Size picture;
    bool visible = false;
    uint64_t frames_submitted = 0;
    uint64_t frames_sent = 0;
    uint64_t frames_shown = 0;
    uint64_t frames_dropped = 0;
    uint64_t frames_in_flight = 0;  // submitted, fate unknown
    uint64_t bytes_sent = 0;
    DropCounts dropped;  // as set by report_drop_counts()
  };
  struct Entry {
    uint64_t number = 0;    // frame number
    bool admitted = false;  // false: dropped and counted as such
    std::shared_ptr<const WantedBlocks> wanted;
  };

  // wanted: blocks to encode until there is a routing map.
  explicit SubmitQueue(std::shared_ptr<const WantedBlocks> wanted) : wanted_(std::move(wanted)) {}

  // --- application threads
  // Asks to submit the next frame. With `wait` the call blocks while too many frames are in flight,
  // but not while the queue is closed.
  // present_ns: presentation time (wall clock); 0: as soon as possible. part_name: name of a
  // numbered part; 0: none. With `wait` the call also blocks while too many earlier parts are
  // undecided, unless admit_one_extra() was called.
  Entry enter(bool wait, int64_t present_ns = 0, int64_t part_name = 0);
  // Takes back an admission: the frame cannot be sent after all.
  void withdraw();
  Status status() const;

  // --- loop thread
  // Opens or closes the queue. Closed while the stream has no receivers, as at first.
  void set_open(bool open);
  // Sets the maximum number of frames in flight.
  void set_limit(int frames);
  // Admits only the first frame in each interval of spacing_ns of presentation time; 0: all.
  void set_spacing(int64_t spacing_ns);
  // All parts up to this name have been shown or dropped.
  void set_decided(int64_t part_name);
  // Admits one part even if too many earlier ones are undecided: the group may be waiting for it.
  void admit_one_extra();
  void set_window(const Rect& wall_rect, Size picture, bool visible,
                  std::shared_ptr<const WantedBlocks> wanted);
  // Reports decided fates. decided: number of frames decided since the last call. sent, shown,
  // bytes_sent: totals since the start.
  void update(uint64_t decided, uint64_t sent, uint64_t shown, uint64_t bytes_sent);
  // Sets the totals of dropped frames by cause.
  void report_drop_counts(const DropCounts& dropped);

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  uint64_t limit_ = 1;
  int64_t spacing_ns_ = 0;
  int64_t last_present_ns_ = 0;
  int64_t decided_name_ = 0;
  bool asked_ = false;
  std::shared_ptr<const WantedBlocks> wanted_;
  Status status_;
};

}  // namespace sail
