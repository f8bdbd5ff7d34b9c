#include "sail/client/encode/encoded_frame.h"

#include <new>
#include <utility>

namespace sail {

EncodedFrame::EncodedFrame(int max_rows, const SealedMemory* memory)
    : memory_(memory),
      rows_(static_cast<size_t>(max_rows)),
      rows_done_(new std::atomic<bool>[static_cast<size_t>(max_rows)]) {}

void EncodedFrame::begin(uint64_t number, int64_t submitted_ns,
                         std::shared_ptr<const WantedBlocks> wanted, bool whole,
                         codecs::PictureColor color) {
  number_ = number;
  submitted_ns_ = submitted_ns;
  wanted_ = std::move(wanted);
  whole_ = whole;
  color_ = color;
  units_.clear();
  carried_ = false;
  // Return the old rows before new ones are taken: see BlockRowPools::grow().
  for (BlockRowRef& row : rows_) row = {};
  const int rows = grid().rows();
  for (int row = 0; row < rows; ++row) {
    rows_done_[static_cast<size_t>(row)].store(false, std::memory_order_relaxed);
  }
  rows_left_.store(rows, std::memory_order_relaxed);
  changed_.store(false, std::memory_order_relaxed);
  picture_before_ = number;
}

void EncodedFrame::set_units(const UnitChain& units, int64_t now_ns) {
  units_ = units;
  carried_ = true;
  for (int row = 0; row < grid().rows(); ++row) set_row(row, {}, true, now_ns);
}

void EncodedFrame::set_row(int row, BlockRowRef blocks, bool changed, int64_t now_ns) {
  rows_[static_cast<size_t>(row)] = std::move(blocks);
  if (changed) changed_.store(true, std::memory_order_release);
  // Store the time before publishing the row, so that a reader who sees all rows also sees the
  // time. Rows finish in any order; the stored value is the latest within a few instructions.
  encoded_ns_.store(now_ns, std::memory_order_relaxed);
  rows_done_[static_cast<size_t>(row)].store(true, std::memory_order_release);
  rows_left_.fetch_sub(1, std::memory_order_acq_rel);
}

FrameRef FramePool::take() {
  if (FrameRef frame = frames_.take()) return frame;
  if (frames_.size() == max_frames_) return {};
  try {
    rows_.grow();
    frames_.grow(max_rows_, rows_.memory());
  } catch (const std::bad_alloc&) {
    return {};
  }
  return frames_.take();
}

}  // namespace sail
