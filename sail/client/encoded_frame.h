// Encoded frames in memory. A stream has a bounded pool of them: the submitting thread fills one,
// block row by block row, while the loop thread already sends what is done of it. Rows in which
// nothing changed are those of the frame before.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sail/base/shared_pool.h"
#include "sail/client/wanted_blocks.h"
#include "sail/wall/block_rows.h"

namespace sail {

// A frame that no other follows for so long may be a still picture.
constexpr int64_t kStillNs = 500'000'000;

// One frame. set_row() by the encoding threads, each row by one of them; begin() before, the rest
// by anybody who holds a FrameRef.
class EncodedFrame {
 public:
  explicit EncodedFrame(int max_rows);

  uint64_t number() const { return number_; }
  int64_t submitted_ns() const { return submitted_ns_; }
  int reduction() const { return wanted_->reduction; }
  // Wall time at which it is to be seen; 0: soonest. Set before it is begun to be sent.
  int64_t present_ns() const { return present_ns_; }
  // By which the other members of its group know it; 0: they do not.
  int64_t name() const { return name_; }
  void set_present(int64_t present_ns, int64_t name) {
    present_ns_ = present_ns;
    name_ = name;
  }
  // What the components of its blocks are, where the codec does not say it.
  codecs::PictureColor color() const { return color_; }
  const BlockGrid& grid() const { return wanted_->grid; }
  // Whether these are what it was encoded for.
  bool is_for(const WantedBlocks& wanted) const { return wanted_.get() == &wanted; }
  // Whether the frame has, or will have, this block.
  bool covers(int column, int row) const { return whole_ || wanted_->has(column, row); }

  // --- encoding
  // whole: all blocks, also those that nobody wants at present.
  void begin(uint64_t number, int64_t submitted_ns, std::shared_ptr<const WantedBlocks> wanted,
             bool whole, codecs::PictureColor color = {});
  // Before other threads see the frame: the picture() of the frame before.
  void set_picture_before(uint64_t picture) { picture_before_ = picture; }
  // The row does not change any more; empty when nothing of it is wanted. changed: it is not that
  // of the frame before. now_ns: wall time.
  void set_row(int row, BlockRowRef blocks, bool changed, int64_t now_ns);

  // --- sending
  bool has_row(int row) const {
    return rows_done_[static_cast<size_t>(row)].load(std::memory_order_acquire);
  }
  bool has_all_rows() const { return rows_left_.load(std::memory_order_acquire) == 0; }
  // Whether any row is known by now to differ from that of the frame before.
  bool changed() const { return changed_.load(std::memory_order_acquire); }
  // The number of the first frame with the same picture, as far as is known; for good when
  // changed() or has_all_rows().
  uint64_t picture() const { return changed() ? number_ : picture_before_; }
  // Only after has_row().
  const BlockRowRef& row(int row) const { return rows_[static_cast<size_t>(row)]; }
  // Wall time at which the last row was done; only after has_row() of all rows.
  int64_t encoded_ns() const { return encoded_ns_.load(std::memory_order_relaxed); }

 private:
  std::vector<BlockRowRef> rows_;
  std::unique_ptr<std::atomic<bool>[]> rows_done_;
  std::atomic<int> rows_left_{0};
  std::atomic<int64_t> encoded_ns_{0};
  std::atomic<bool> changed_{false};
  uint64_t picture_before_ = 0;
  uint64_t number_ = 0;
  int64_t submitted_ns_ = 0;
  int64_t present_ns_ = 0;
  int64_t name_ = 0;
  std::shared_ptr<const WantedBlocks> wanted_;
  codecs::PictureColor color_;
  bool whole_ = false;
};

using FrameRef = SharedPool<EncodedFrame>::Ref;

// Makes frames, and the rows they need, when first needed, up to its bound. Outlives all
// references.
class FramePool {
 public:
  template <class BlockBytes>
  FramePool(const BlockGrid& grid, size_t max_frames, const BlockBytes& block_bytes)
      : max_rows_(grid.rows()), max_frames_(max_frames), rows_(grid, block_bytes) {}

  // One thread at a time. Empty when all frames are in use, or there is no memory for another.
  FrameRef take();
  // For the rows of a frame that was taken: see BlockRowPools::take().
  BlockRowPools& rows() { return rows_; }
  // Frames made so far.
  size_t size() const { return frames_.size(); }

 private:
  const int max_rows_;
  const size_t max_frames_;
  BlockRowPools rows_;
  SharedPool<EncodedFrame> frames_;
};

}  // namespace sail
