// The frame on which later frames build: the newest one that the receiver is known to have
// completely. So a lost frame does not affect others. Pure.
#pragma once

#include <cstdint>

#include "sail/client/transport/kept_frame.h"

namespace sail {

class FrameBase {
 public:
  // The receiver may have no frame that others can build on.
  void forget();
  // A frame of this grid is begun: sets the blocks that the receiver has once it has the frame.
  // Returns the number of the frame on which it builds; 0: on none.
  uint64_t begin(KeptFrame& frame, const BlockGrid& grid);
  // The receiver has this frame completely.
  void set_received(KeptFrame& frame);

 private:
  static constexpr FrameName kNoFrame{.frame = UINT64_MAX,
                                      .epoch = UINT64_MAX};  // after all frames

  uint64_t base_ = 0;  // 0: none
  HeldBlocks held_;
  // Frames before this one cannot serve as base: later frames do not repeat all of their blocks.
  FrameName floor_ = kNoFrame;
};

// Frames in the order in which they were begun.
bool begun_before(const FrameName& a, const FrameName& b);

}  // namespace sail
