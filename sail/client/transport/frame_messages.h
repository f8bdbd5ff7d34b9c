// Builds the messages of one frame for one receiver as buffers in sending order: frame_begin, the
// runs of blocks that the receiver lacks, frame_end. The blocks' bytes are not copied. Runs on the
// loop thread; other threads may still be encoding rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sail/client/encode/encoded_frame.h"
#include "sail/client/transport/route_plan.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wall/block_grid.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

// Version of each block that the receiver has once all frames sent so far have arrived; 0: none. Of
// a carried stream's block: the number of the last access unit.
struct HeldBlocks {
  BlockGrid grid;
  std::vector<uint64_t> versions;

  void forget(const BlockGrid& new_grid) {
    grid = new_grid;
    versions.assign(grid.count(), 0);
  }
};

// A frame to be sent to one receiver.
struct OutgoingFrame {
  FrameRef frame;
  std::shared_ptr<const ReceiverPlan> plan;
  uint64_t epoch = 0;        // epoch of the plan's routing map
  int64_t submitted_ns = 0;  // wall time, as in FrameBegin
  uint32_t delay_us = 0;     // as in FrameBegin
  int64_t interval_ns = 0;   // expected time until the next frame
  bool by_group = false;     // all members of the multicast group take it now

  FrameName name() const { return {frame->number(), epoch}; }
};

class FrameMessages {
 public:
  // Starts a frame and replaces the previous one. base: see FrameBegin. read_there: memory that the
  // receiver reads: of blocks in it only their places are sent. Null: none.
  void begin(OutgoingFrame outgoing, uint32_t stream, uint64_t base,
             const SealedMemory* read_there = nullptr);
  // Adds the rows encoded so far; frame_end follows the last row. Skips blocks whose version is in
  // `held` and records the others there. `held` must have the plan's grid.
  void add_rows(HeldBlocks& held, const WallClock& clock);
  // Releases the frame. Keeps the memory for the next one.
  void release();

  bool empty() const { return !outgoing_.frame; }
  // Returns true once frame_end has been added.
  bool whole() const { return next_row_ == outgoing_.plan->rows(); }
  // Non-empty buffers in sending order. They stay unchanged until release() or the next begin().
  std::span<const std::span<const uint8_t>> parts() const { return parts_; }
  size_t bytes() const { return bytes_; }

 private:
  void add_row(int row, HeldBlocks& held);
  void add_run(const BlockRow& blocks, const BlockRun& run);
  void add_places(const BlockRow& blocks, const BlockRun& run, int reduction);
  // Adds the only block of a carried stream's frame: the units that the receiver lacks. `held` is
  // the number of the last unit that it has.
  void add_units(const UnitChain& chain, uint64_t& held);
  // Adds the headers written since the last part.
  void add_heads();

  OutgoingFrame outgoing_;
  uint32_t stream_ = 0;
  int next_row_ = 0;
  uint32_t block_count_ = 0;
  const SealedMemory* read_there_ = nullptr;
  std::vector<uint8_t> heads_;
  size_t heads_used_ = 0;
  size_t heads_added_ = 0;
  std::vector<std::span<const uint8_t>> parts_;
  size_t bytes_ = 0;
  std::vector<uint32_t> lengths_;   // block lengths of the current run
  std::vector<BlockPlace> places_;  // block places of the current run
};

}  // namespace sail
