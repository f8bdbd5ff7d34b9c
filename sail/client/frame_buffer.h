// Encoded frames in memory. A stream has a bounded pool of them: the submitting thread fills one,
// block row by block row, while the loop thread already sends what is done of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sail/wall/block_grid.h"

namespace sail {

// Where each pixel block stands in an encoded frame: block rows one after another, in each the
// blocks from left to right, so that neighbours can be sent as one piece. Immutable.
class FrameLayout {
 public:
  // Of DXT1, whose blocks have lengths known beforehand.
  explicit FrameLayout(const BlockGrid& grid);

  const BlockGrid& grid() const { return grid_; }
  size_t bytes() const { return offsets_.back(); }
  size_t offset(int column, int row) const { return offsets_[index(column, row)]; }
  std::span<const uint32_t> lengths(int row, int first_column, int count) const {
    return std::span(lengths_).subspan(index(first_column, row), static_cast<size_t>(count));
  }
  size_t run_bytes(int row, int first_column, int count) const {
    const size_t first = index(first_column, row);
    return offsets_[first + static_cast<size_t>(count)] - offsets_[first];
  }

 private:
  size_t index(int column, int row) const {
    return static_cast<size_t>(row) * static_cast<size_t>(grid_.columns()) +
           static_cast<size_t>(column);
  }

  BlockGrid grid_;
  std::vector<uint32_t> lengths_;
  std::vector<size_t> offsets_;  // one more than blocks
};

// One frame. Taken from the pool by begin(); block() and row_done() by the encoding threads, each
// row by one of them; the rest by anybody who holds a FrameRef.
class EncodedFrame {
 public:
  explicit EncodedFrame(const FrameLayout& layout);

  uint64_t number() const { return number_; }
  int64_t submitted_ns() const { return submitted_ns_; }
  const FrameLayout& layout() const { return layout_; }

  // --- encoding
  void begin(uint64_t number, int64_t submitted_ns);
  uint8_t* block(int column, int row) { return bytes_.get() + layout_.offset(column, row); }
  // The row's bytes do not change any more. now_ns: wall time.
  void row_done(int row, int64_t now_ns);

  // --- sending
  bool has_row(int row) const {
    return rows_done_[static_cast<size_t>(row)].load(std::memory_order_acquire);
  }
  std::span<const uint8_t> run(int row, int first_column, int count) const {
    return {bytes_.get() + layout_.offset(first_column, row),
            layout_.run_bytes(row, first_column, count)};
  }
  // Wall time at which the last row was done; only after has_row() of all rows.
  int64_t encoded_ns() const { return encoded_ns_.load(std::memory_order_relaxed); }

 private:
  friend class FrameRef;
  friend class FramePool;

  const FrameLayout& layout_;
  std::unique_ptr<uint8_t[]> bytes_;
  std::unique_ptr<std::atomic<bool>[]> rows_done_;
  std::atomic<int> rows_left_{0};
  std::atomic<int64_t> encoded_ns_{0};
  uint64_t number_ = 0;
  int64_t submitted_ns_ = 0;
  std::atomic<int> references_{0};
};

// Keeps a frame from being used again. Empty, or one reference. std::shared_ptr would allocate for
// each frame and cannot tell safely that nobody else is left.
class FrameRef {
 public:
  FrameRef() = default;
  FrameRef(const FrameRef& other) : frame_(other.frame_) { retain(); }
  FrameRef(FrameRef&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  FrameRef& operator=(FrameRef other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~FrameRef() {
    if (frame_ != nullptr) frame_->references_.fetch_sub(1, std::memory_order_release);
  }

  EncodedFrame* get() const { return frame_; }
  EncodedFrame* operator->() const { return frame_; }
  EncodedFrame& operator*() const { return *frame_; }
  explicit operator bool() const { return frame_ != nullptr; }

  // Hands the reference over as a plain pointer, for where only those fit; adopt() takes it back.
  EncodedFrame* release() { return std::exchange(frame_, nullptr); }
  static FrameRef adopt(EncodedFrame* frame) {
    FrameRef ref;
    ref.frame_ = frame;
    return ref;
  }

 private:
  void retain() {
    if (frame_ != nullptr) frame_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  EncodedFrame* frame_ = nullptr;
};

// Makes frames when first needed, up to its bound, and uses them again when nobody refers to them.
// Outlives all references.
class FramePool {
 public:
  FramePool(const FrameLayout& layout, size_t max_frames);

  // One thread at a time. Empty when all frames are in use, or there is no memory for another.
  FrameRef take();
  // Frames made so far.
  size_t size() const { return frames_.size(); }

 private:
  const FrameLayout& layout_;
  const size_t max_frames_;
  std::vector<std::unique_ptr<EncodedFrame>> frames_;
};

}  // namespace sail
