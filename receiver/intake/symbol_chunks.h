// Pool of symbol buffers for frames in progress, one chunk per FEC block. Pure. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sail/core/wire/data/packets.h"

namespace receiver {

class SymbolChunks {
 public:
  using Chunk = std::unique_ptr<uint8_t[]>;  // kGroupSymbols symbols
  static_assert(sail::kMaxGroupParity <= sail::kGroupSymbols);

  SymbolChunks(size_t symbol_bytes, size_t max_bytes)
      : symbol_bytes_(symbol_bytes), max_chunks_(max_bytes / chunk_bytes()) {}

  size_t symbol_bytes() const { return symbol_bytes_; }
  // Returns null if all chunks are in use.
  Chunk take() {
    if (in_use_ == max_chunks_) return nullptr;
    ++in_use_;
    if (free_.empty()) return std::make_unique_for_overwrite<uint8_t[]>(chunk_bytes());
    Chunk chunk = std::move(free_.back());
    free_.pop_back();
    return chunk;
  }
  void recycle(Chunk chunk) {
    if (!chunk) return;
    --in_use_;
    // Keep some; free the others, which were only needed during a stall.
    if (free_.size() < kKept) free_.push_back(std::move(chunk));
  }

 private:
  static constexpr size_t kKept = 64;
  size_t chunk_bytes() const { return symbol_bytes_ * sail::kGroupSymbols; }

  const size_t symbol_bytes_;
  const size_t max_chunks_;
  size_t in_use_ = 0;
  std::vector<Chunk> free_;
};

}  // namespace receiver
