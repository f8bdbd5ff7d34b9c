// A compressed frame in memory: a place for each pixel block, and which blocks are here.
//
// The blocks of a block row stand next to one another, so a run of them is read from the socket in
// one piece. Memory is taken once, and pages that no block ever reaches cost nothing: a receiver
// that shows a corner of a large frame holds that corner. Owned by one thread at a time; a whole
// frame does not change any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sail/wall/block_grid.h"

namespace receiver {

// What tells frames of a stream apart, in the order in which they are shown: a frame that is sent
// again for a new layout keeps its number.
struct FrameKey {
  uint64_t epoch = 0;
  uint64_t number = 0;

  auto operator<=>(const FrameKey&) const = default;
};

class Frame {
 public:
  Frame(const sail::BlockGrid& grid, uint32_t stream, uint64_t session);

  // Bytes that a frame of this grid takes when all its blocks are here.
  static size_t memory(const sail::BlockGrid& grid);
  static size_t block_bytes(const sail::BlockGrid& grid, int column, int row);

  // Forgets the blocks of the frame before.
  void begin(const FrameKey& key);

  // The neighbouring places of `count` blocks of a block row.
  std::span<uint8_t> places(int row, int first_column, int count);
  void mark_here(int row, int first_column, int count);
  bool has(int column, int row) const { return here_[index(column, row)]; }
  uint32_t here_count() const { return here_count_; }
  const uint8_t* block(int column, int row) const { return bytes_.get() + offset(column, row); }

  const sail::BlockGrid& grid() const { return grid_; }
  uint32_t stream() const { return stream_; }
  // The data connection that brought it.
  uint64_t session() const { return session_; }
  const FrameKey& key() const { return key_; }
  // Steady time: the last block arrived.
  int64_t assembled_ns() const { return assembled_ns_; }
  void set_assembled_ns(int64_t assembled_ns) { assembled_ns_ = assembled_ns; }

 private:
  size_t index(int column, int row) const {
    return static_cast<size_t>(row) * static_cast<size_t>(grid_.columns()) +
           static_cast<size_t>(column);
  }
  size_t offset(int column, int row) const;

  sail::BlockGrid grid_;
  uint32_t stream_;
  uint64_t session_;
  FrameKey key_;
  int64_t assembled_ns_ = 0;
  uint32_t here_count_ = 0;
  std::vector<bool> here_;
  std::unique_ptr<uint8_t[]> bytes_;
};

}  // namespace receiver
