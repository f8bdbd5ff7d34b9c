// The whole frames of one stream that wait to be shown. Pure. At most what the stream's connections
// may have in flight, so it is bounded by them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "receiver/frame.h"
#include "sail/wire/data_messages.h"

namespace receiver {

struct DroppedFrame {
  std::unique_ptr<Frame> frame;
  sail::DropCause cause{};
};

class FrameQueue {
 public:
  // Where a new frame went.
  struct Added {
    bool ready = false;          // its sender should hear of it
    std::unique_ptr<Frame> due;  // it was to be shown before it came: to be shown at once
    DroppedFrame dropped;
  };
  Added add(std::unique_ptr<Frame> frame);
  // Whether a frame with this key would not be dropped for its age.
  bool of_use(const FrameKey& key) const {
    const bool left_out = key.epoch == left_out_.epoch && key <= left_out_;
    return key.epoch >= former_ && !left_out && (key > gone_ || (key == gone_ && !gone_is_here_));
  }

  // The frame is to be shown: hands it out when it is here. Older ones are dropped, now and later.
  std::unique_ptr<Frame> show(const FrameKey& key, std::vector<DroppedFrame>& dropped);
  // Neither it nor older ones are.
  void drop(const FrameKey& key, std::vector<DroppedFrame>& dropped);
  // Neither it nor older ones of its epoch, whose layout is not to be.
  void leave_out(const FrameKey& key, std::vector<DroppedFrame>& dropped);
  // The layout changes. Frames of the one before may still be told to be shown before it, until it
  // is; older ones are dropped, now and later. The next manager's may have a lower epoch.
  void begin_epoch(uint64_t epoch, std::vector<DroppedFrame>& dropped);
  // It is shown: so are those of the one before.
  void end_former_epoch(std::vector<DroppedFrame>& dropped);
  // Of the layout that is shown; frames of later ones wait for theirs.
  uint64_t epoch() const { return epoch_; }
  // The stream is not shown here any more.
  void drop_all(std::vector<DroppedFrame>& dropped);

 private:
  sail::DropCause cause_for(const Frame& frame) const;
  void drop_useless(std::vector<DroppedFrame>& dropped);

  std::deque<std::unique_ptr<Frame>> waiting_;
  uint64_t epoch_ = 0;
  uint64_t former_ = 0;       // of the layout before, while that may still have frames; else epoch_
  FrameKey gone_;             // the newest frame that was to be shown: older ones are of no use
  bool gone_is_here_ = true;  // and it was handed out
  FrameKey left_out_;
};

}  // namespace receiver
