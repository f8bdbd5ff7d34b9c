// What a page sent and nobody has decoded yet, and what of it can be. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sail/wire/guest.h"

namespace sail {

struct QueuedChunk {
  uint64_t number = 0;  // from 1, as they came; one that is missing was dropped
  uint32_t format = 0;  // from 1: the page said anew how its video is coded
  GuestVideo video{};
  bool key = false;
  std::vector<uint8_t> bytes{};
};

// A packet of Opus.
struct QueuedSound {
  int64_t timestamp_us = 0;  // of a clock of the page's
  std::vector<uint8_t> bytes{};
};

// The next of those that take() has, `most` at most. It takes none that is not among them.
template <typename Take>
void take_chunks(std::vector<QueuedChunk>& chunks, size_t most, Take take) {
  chunks.clear();
  while (chunks.size() < most) {
    auto chunk = take();
    if (!chunk) break;
    chunks.push_back(std::move(*chunk));
  }
}

// The first chunk that is worth decoding: nothing before a key frame is.
inline size_t begin_of(const std::vector<QueuedChunk>& chunks) {
  for (size_t i = chunks.size(); i > 0; --i) {
    if (chunks[i - 1].key) return i - 1;
  }
  return 0;
}

// Lets through what can be decoded: from a key frame on, without a chunk missing.
class ChunkGate {
 public:
  bool admit(const QueuedChunk& chunk) {
    whole_ = chunk.key || (whole_ && chunk.number == last_ + 1 && chunk.format == format_);
    if (chunk.key) asked_ = false;
    last_ = chunk.number;
    format_ = chunk.format;
    return whole_;
  }
  // What came last was damaged.
  void close() { whole_ = false; }
  // Whether the page is to be asked for a key frame: once until one has come.
  bool take_wish() { return !whole_ && !std::exchange(asked_, true); }

 private:
  bool whole_ = false;
  bool asked_ = false;
  uint64_t last_ = 0;
  uint32_t format_ = 0;
};

}  // namespace sail
