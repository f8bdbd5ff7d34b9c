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
  std::unique_ptr<Frame> show(const FrameKey& key, std::vector<DroppedFrame>& dropped);
  // Drops this frame and older ones, now and later.
  void drop(const FrameKey& key, std::vector<DroppedFrame>& dropped);
  // Drops this frame and older ones of its epoch: their layout will not be shown.
  void skip(const FrameKey& key, std::vector<DroppedFrame>& dropped);
  // Starts a new layout. Frames of the previous epoch may still be shown until end_former_epoch();
  // older ones are dropped, now and later. The epoch may be lower if another manager takes over.
  void begin_epoch(uint64_t epoch, std::vector<DroppedFrame>& dropped);
  // The new layout is on screen: drops frames of the previous epoch.
  void end_former_epoch(std::vector<DroppedFrame>& dropped);
  // Returns the epoch of the current layout. Frames of later epochs wait for their layout.
  uint64_t epoch() const { return epoch_; }
  // The stream is no longer shown here.
  void drop_all(std::vector<DroppedFrame>& dropped);

 private:
  sail::DropCause cause_for(const Frame& frame) const;
  void drop_outdated(std::vector<DroppedFrame>& dropped);

  std::deque<std::unique_ptr<Frame>> waiting_;
  uint64_t epoch_ = 0;
  uint64_t former_ = 0;  // epoch of the previous layout while its frames are valid; else epoch_
  FrameKey newest_due_;  // newest frame requested for presentation: older ones are useless
  bool newest_due_arrived_ = true;  // false while that frame has not arrived
  FrameKey skipped_;
};

}  // namespace receiver
