#include "sail/client/transport/frame_base.h"

#include <utility>

namespace sail {

bool begun_before(const FrameName& a, const FrameName& b) {
  return std::pair(a.frame, a.epoch) < std::pair(b.frame, b.epoch);
}

void FrameBase::forget() {
  base_ = 0;
  floor_ = kNoFrame;
}

uint64_t FrameBase::begin(KeptFrame& frame, const BlockGrid& grid) {
  if (held_.grid != grid) {
    held_.grid = grid;
    forget();
  }
  if (base_ != 0) {
    frame.held = held_;
  } else {
    frame.held.forget(grid);
    // Consecutive frames without a base have the same blocks if they use the same map.
    if (floor_.epoch != frame.name.epoch) floor_ = frame.name;
  }
  return base_;
}

void FrameBase::set_received(KeptFrame& frame) {
  if (begun_before(frame.name, floor_) || frame.name.frame < base_) return;
  base_ = frame.name.frame;
  std::swap(held_, frame.held);
}

}  // namespace sail
