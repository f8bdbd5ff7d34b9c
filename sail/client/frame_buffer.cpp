#include "sail/client/frame_buffer.h"

#include <new>

#include "codecs/dxt.h"

namespace sail {

// --- FrameLayout --------------------------------------------------------------------------------

FrameLayout::FrameLayout(const BlockGrid& grid) : grid_(grid) {
  lengths_.reserve(grid.count());
  offsets_.reserve(size_t{grid.count()} + 1);
  offsets_.push_back(0);
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const Rect source_rect = grid.block_rect(column, row);
      const size_t length =
          codecs::dxt_bytes(codecs::CodecId::kDxt1, source_rect.width, source_rect.height);
      lengths_.push_back(static_cast<uint32_t>(length));
      offsets_.push_back(offsets_.back() + length);
    }
  }
}

// --- EncodedFrame -------------------------------------------------------------------------------

EncodedFrame::EncodedFrame(const FrameLayout& layout)
    : layout_(layout),
      bytes_(new uint8_t[layout.bytes()]),
      rows_done_(new std::atomic<bool>[static_cast<size_t>(layout.grid().rows())]) {}

void EncodedFrame::begin(uint64_t number, int64_t submitted_ns) {
  number_ = number;
  submitted_ns_ = submitted_ns;
  const int rows = layout_.grid().rows();
  for (int row = 0; row < rows; ++row) {
    rows_done_[static_cast<size_t>(row)].store(false, std::memory_order_relaxed);
  }
  rows_left_.store(rows, std::memory_order_relaxed);
}

void EncodedFrame::row_done(int row, int64_t now_ns) {
  // Before the row is published, so that who sees all rows sees the stamp.
  if (rows_left_.fetch_sub(1, std::memory_order_relaxed) == 1) {
    encoded_ns_.store(now_ns, std::memory_order_relaxed);
  }
  rows_done_[static_cast<size_t>(row)].store(true, std::memory_order_release);
}

// --- FramePool ----------------------------------------------------------------------------------

FramePool::FramePool(const FrameLayout& layout, size_t max_frames)
    : layout_(layout), max_frames_(max_frames) {
  frames_.reserve(max_frames);
}

FrameRef FramePool::take() {
  for (const auto& frame : frames_) {
    // Only this thread makes a reference out of none; what the last holder read of the frame
    // happened before.
    if (frame->references_.load(std::memory_order_acquire) == 0) {
      frame->references_.store(1, std::memory_order_relaxed);
      return FrameRef::adopt(frame.get());
    }
  }
  if (frames_.size() == max_frames_) return {};
  try {
    frames_.push_back(std::make_unique<EncodedFrame>(layout_));
  } catch (const std::bad_alloc&) {
    return {};
  }
  frames_.back()->references_.store(1, std::memory_order_relaxed);
  return FrameRef::adopt(frames_.back().get());
}

}  // namespace sail
