// The messages of one frame for one receiver, as parts in memory, in the order in which they are
// sent: frame_begin, the runs of blocks that the receiver has not, frame_end. The blocks' bytes
// stay where the encoder put them. Thread: the loop's; rows may still be being encoded meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sail/base/wall_clock.h"
#include "sail/client/encoded_frame.h"
#include "sail/client/route_plan.h"
#include "sail/wall/block_grid.h"
#include "sail/wire/data_messages.h"
#include "sail/wire/packets.h"

namespace sail {

// The version of each block that a receiver has, if all frames up to one arrive; 0: none.
struct HeldBlocks {
  BlockGrid grid;
  std::vector<uint64_t> versions;

  void forget(const BlockGrid& new_grid) {
    grid = new_grid;
    versions.assign(grid.count(), 0);
  }
};

// A frame that is to go to a receiver.
struct OutgoingFrame {
  FrameRef frame;
  std::shared_ptr<const ReceiverPlan> plan;
  uint64_t epoch = 0;        // of the map that the plan is from
  int64_t submitted_ns = 0;  // as in FrameBegin, wall time
  uint32_t delay_us = 0;     // the same
  int64_t interval_ns = 0;   // till the next one is likely to come

  FrameName name() const { return {frame->number(), epoch}; }
};

class FrameMessages {
 public:
  // In the place of what was here before. base: see FrameBegin.
  void begin(OutgoingFrame outgoing, uint32_t stream, uint64_t base);
  // Adds the rows that are encoded by now, and behind the last one the end. Blocks of the versions
  // held, which are on the plan's grid, are left out; the others are noted there.
  void add_rows(HeldBlocks& held, const WallClock& clock);
  // Lets go of the frame; the memory for the next one stays.
  void release();

  bool empty() const { return !outgoing_.frame; }
  // The end is there.
  bool whole() const { return next_row_ == outgoing_.plan->rows(); }
  // None is empty, and none changes until release() or the next begin().
  std::span<const std::span<const uint8_t>> parts() const { return parts_; }
  size_t bytes() const { return bytes_; }

 private:
  void add_row(int row, HeldBlocks& held);
  void add_run(const BlockRow& blocks, const BlockRun& run);
  // The heads put together since the last part.
  void add_heads();

  OutgoingFrame outgoing_;
  uint32_t stream_ = 0;
  int next_row_ = 0;
  uint32_t block_count_ = 0;
  std::vector<uint8_t> heads_;
  size_t heads_used_ = 0;
  size_t heads_added_ = 0;
  std::vector<std::span<const uint8_t>> parts_;
  size_t bytes_ = 0;
  std::vector<uint32_t> lengths_;  // of the run being put together
};

}  // namespace sail
