// Compressed pixel blocks in memory, one object per block row. A row is filled once and then
// shared: if no block of a row changed, the next frame refers to the same row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "codecs/j2k/j2k.h"
#include "sail/core/base/result.h"
#include "sail/core/base/sealed_memory.h"
#include "sail/core/base/shared_pool.h"
#include "sail/core/wall/block_grid.h"

namespace sail {

// The available blocks of one row, in the order in which they were added. One thread writes the row
// until it is shared; afterwards the row is read-only.
class BlockRow {
 public:
  // For `columns` blocks of `capacity` bytes in total. shared: their memory, which must outlive the
  // row; null: memory of its own.
  BlockRow(int columns, size_t capacity, uint8_t* shared = nullptr)
      : places_(static_cast<size_t>(columns)),
        capacity_(capacity),
        own_(shared == nullptr ? std::make_unique_for_overwrite<uint8_t[]>(capacity) : nullptr),
        bytes_(shared == nullptr ? own_.get() : shared) {}

  bool has(int column) const { return version(column) != 0; }
  // Number of the frame that brought the block; 0: the block is missing.
  uint64_t version(int column) const { return places_[static_cast<size_t>(column)].version; }
  // The bytes of the block that are needed for a picture halved `reduction` times. They are a
  // prefix of the block if it holds several resolutions, else all of it.
  std::span<const uint8_t> block(int column, int reduction = 0) const {
    const Place& place = places_[static_cast<size_t>(column)];
    return {bytes_ + place.offset, place.lengths[static_cast<size_t>(reduction)]};
  }
  const codecs::PrefixBytes& lengths(int column) const {
    return places_[static_cast<size_t>(column)].lengths;
  }

  // --- filling
  void clear() {
    places_.assign(places_.size(), {});
    used_ = 0;
  }
  // Free space for the next block's bytes.
  std::span<uint8_t> space() { return {bytes_ + used_, capacity_ - used_}; }
  // Adds the first lengths[0] bytes of space() as this block.
  void add(int column, uint64_t version, const codecs::PrefixBytes& lengths) {
    places_[static_cast<size_t>(column)] = {version, static_cast<uint32_t>(used_), lengths};
    used_ += lengths[0];
  }
  void add(int column, uint64_t version, size_t length) {
    codecs::PrefixBytes lengths;
    lengths.fill(static_cast<uint32_t>(length));
    add(column, version, lengths);
  }
  void add_copy(const BlockRow& from, int column) {
    const std::span<const uint8_t> bytes = from.block(column);
    std::memcpy(space().data(), bytes.data(), bytes.size());
    add(column, from.version(column), from.lengths(column));
  }

 private:
  struct Place {
    uint64_t version = 0;
    uint32_t offset = 0;
    codecs::PrefixBytes lengths{};
  };
  std::vector<Place> places_;
  size_t used_ = 0;
  size_t capacity_;
  std::unique_ptr<uint8_t[]> own_;
  uint8_t* bytes_;
};

using BlockRowRef = SharedPool<BlockRow>::Ref;

// Memory for the rows of a stream's frames. Each block row has its own pool, because rows differ in
// size and may be filled by different threads. Reduced frames fit, too.
class BlockRowPools {
 public:
  // block_bytes(width, height): the maximum size of a compressed block of that many pixels.
  template <class BlockBytes>
  BlockRowPools(const BlockGrid& grid, const BlockBytes& block_bytes)
      : columns_(grid.columns()), pools_(static_cast<size_t>(grid.rows())) {
    for (int row = 0; row < grid.rows(); ++row) {
      size_t bytes = 0;
      for (int column = 0; column < grid.columns(); ++column) {
        const Rect rect = grid.block_rect(column, row);
        bytes += block_bytes(rect.width, rect.height);
      }
      row_bytes_.push_back(bytes);
    }
  }

  // Pools for the same rows, without memory so far.
  BlockRowPools empty_like() const { return {columns_, row_bytes_}; }

  // Allocates the rows of the first `frames` calls of grow() in memory that can be handed to other
  // processes for reading. Fails with kIo; rows then have memory of their own, like later rows.
  Result<void> share(size_t frames) {
    const size_t bytes = std::accumulate(row_bytes_.begin(), row_bytes_.end(), size_t{0});
    auto memory =
        SealedMemory::create("vitrail-frames", frames * bytes, SealedMemory::Others::kRead);
    if (!memory) return std::move(memory.error());
    memory_ = *std::move(memory);
    unused_ = memory_->bytes();
    return {};
  }
  // Null: not shared.
  const SealedMemory* memory() const { return memory_.get(); }

  // Adds one object per row. take() never fails if grow() was called once per live frame, each of
  // which holds at most one reference per row. Throws std::bad_alloc.
  void grow() {
    for (size_t row = 0; row < pools_.size(); ++row) {
      const size_t bytes = row_bytes_[row];
      uint8_t* shared = unused_.empty() ? nullptr : unused_.data();
      pools_[row].grow(columns_, bytes, shared);
      if (shared != nullptr) unused_ = unused_.subspan(bytes);
    }
  }
  // Returns a cleared row. One thread at a time for each row.
  BlockRowRef take(int row) {
    BlockRowRef taken = pools_[static_cast<size_t>(row)].take();
    taken->clear();
    return taken;
  }

 private:
  BlockRowPools(int columns, std::vector<size_t> row_bytes)
      : columns_(columns), row_bytes_(std::move(row_bytes)), pools_(row_bytes_.size()) {}

  int columns_;
  std::vector<size_t> row_bytes_;
  std::unique_ptr<SealedMemory> memory_;
  std::span<uint8_t> unused_;  // of memory_
  std::vector<SharedPool<BlockRow>> pools_;
};

}  // namespace sail
