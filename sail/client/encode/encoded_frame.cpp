#include "sail/client/encode/encoded_frame.h"

#include <new>
#include <utility>

namespace sail {

EncodedFrame::EncodedFrame(int max_rows, const SealedMemory* memory,
                           std::shared_ptr<MemoryDemand> demand)
    : memory_(memory),
      memory_demand_(std::move(demand)),
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

void FramePool::replace(BlockRowPools rows) {
  before_ = std::exchange(now_, std::make_unique<Frames>(std::move(rows)));
  if (before_->frames.idle()) before_.reset();
}

Result<void> FramePool::share() {
  BlockRowPools rows = now_->rows.empty_like();
  if (auto shared = rows.share(max_frames_); !shared) return shared;
  replace(std::move(rows));
  return {};
}

void FramePool::follow_demand() {
  if (before_ && before_->frames.idle()) before_.reset();
  const bool shares = now_->rows.memory() != nullptr;
  if (before_ || demand_->exists() == shares) return;
  if (shares) return replace(now_->rows.empty_like());
  const uint64_t rise = demand_->rises();
  if (failed_rise_ == rise) return;
  const auto shared = share();
  if (shared) return;
  failed_rise_ = rise;
  if (trouble_.empty()) trouble_ = shared.error().message;
}

FrameRef FramePool::take() {
  FrameRef frame;
  try {
    follow_demand();
    frame = now_->frames.take();
    if (!frame && now_->frames.size() < max_frames_) {
      now_->rows.grow();
      now_->frames.grow(max_rows_, now_->rows.memory(), demand_);
      frame = now_->frames.take();
    }
  } catch (const std::bad_alloc&) {
    return {};
  }
  const uint64_t rise = demand_->rises();
  const bool failed = failed_rise_ != 0 && failed_rise_ == rise && demand_->exists();
  if (frame) frame->set_demand(rise, failed ? &trouble_ : nullptr);
  return frame;
}

}  // namespace sail
