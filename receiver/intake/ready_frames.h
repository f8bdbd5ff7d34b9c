// The complete frames of one stream that wait for presentation. Pure. The frames in flight of the
// stream's connections bound its size.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "receiver/frame/frame.h"
#include "sail/core/wire/data/data_messages.h"

namespace receiver {

struct DroppedFrame {
  std::unique_ptr<Frame> frame;
  sail::DropCause cause{};
};

class ReadyFrames {
 public:
  // Result of add().
  struct Added {
    bool ready = false;          // notify the sender that the frame is ready
    std::unique_ptr<Frame> due;  // requested before it arrived: show it now
    DroppedFrame dropped;
  };
  Added add(std::unique_ptr<Frame> frame);
  // Returns true if a frame with this key would not be dropped as outdated.
  bool is_current(const FrameKey& key) const {
    const bool skipped = key.epoch == skipped_.epoch && key <= skipped_;
    return key.epoch >= former_ && !skipped &&
           (key > newest_due_ || (key == newest_due_ && !newest_due_arrived_));
  }

  // Requests a frame for presentation; returns it if it is here. Drops older frames, now and later.
  // The request shows that the sender knows the frame's layout.
  std::unique_ptr<Frame> show(const FrameKey& key, std::vector<DroppedFrame>& dropped);
  // Drops this frame and older ones, now and later.
  void drop(const FrameKey& key, std::vector<DroppedFrame>& dropped);
  // Drops this frame and older ones of its epoch: their layout will not be shown.
  void skip(const FrameKey& key, std::vector<DroppedFrame>& dropped);
  // Starts a new layout. Frames of the previous epoch may still be shown until end_former_epoch();
  // older ones are dropped, now and later. The epoch may be lower if another manager takes over.
  // known: the sender knows the layout. Otherwise the sender is behind if the layout is new for it.
  void begin_epoch(uint64_t epoch, bool known, std::vector<DroppedFrame>& dropped);
  // Returns true if the sender may not know the current layout. The frames that it shows by the
  // former one are shown until it requests a frame of the current one.
  bool is_behind() const { return behind_; }
  // The new layout is on screen: drops frames of the previous epoch, unless the sender is behind.
  void end_former_epoch(std::vector<DroppedFrame>& dropped);
  // Returns the epoch of the current layout. Frames of later epochs wait for their layout.
  uint64_t epoch() const { return epoch_; }
  // The stream is no longer shown here.
  void drop_all(std::vector<DroppedFrame>& dropped);

 private:
  sail::DropCause cause_for(const Frame& frame) const;
  std::unique_ptr<Frame> take(const FrameKey& key, std::vector<DroppedFrame>& dropped);
  void drop_outdated(std::vector<DroppedFrame>& dropped);

  std::deque<std::unique_ptr<Frame>> waiting_;
  uint64_t epoch_ = 0;
  uint64_t former_ = 0;  // epoch of the previous layout while its frames are valid; else epoch_
  bool behind_ = false;
  FrameKey newest_due_;  // newest frame requested for presentation: older ones are useless
  bool newest_due_arrived_ = true;  // false while that frame has not arrived
  FrameKey skipped_;
};

}  // namespace receiver
