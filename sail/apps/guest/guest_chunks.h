// Received video chunks and sound packets, and which chunks can be decoded. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sail/core/wire/guest.h"

namespace sail {

struct QueuedChunk {
  uint64_t number = 0;  // consecutive from 1; a gap means that a chunk was dropped
  uint32_t format = 0;  // from 1; increases when the page announces another video format
  GuestVideo video{};
  bool key = false;
  std::vector<uint8_t> bytes{};
};

// An Opus packet.
struct QueuedSound {
  int64_t timestamp_us = 0;  // by the page's clock
  std::vector<uint8_t> bytes{};
};

// Moves at most `most` chunks from take() into `chunks`. Stops when take() returns nothing.
template <typename Take>
void take_chunks(std::vector<QueuedChunk>& chunks, size_t most, Take take) {
  chunks.clear();
  while (chunks.size() < most) {
    auto chunk = take();
    if (!chunk) break;
    chunks.push_back(std::move(*chunk));
  }
}

// Returns the index of the first chunk worth decoding: the last key frame, if there is one.
inline size_t begin_of(const std::vector<QueuedChunk>& chunks) {
  for (size_t i = chunks.size(); i > 0; --i) {
    if (chunks[i - 1].key) return i - 1;
  }
  return 0;
}

// Passes only decodable chunks: from a key frame on, without gaps.
class ChunkGate {
 public:
  bool admit(const QueuedChunk& chunk) {
    whole_ = chunk.key || (whole_ && chunk.number == last_ + 1 && chunk.format == format_);
    if (chunk.key) asked_ = false;
    last_ = chunk.number;
    format_ = chunk.format;
    return whole_;
  }
  // Called when the last chunk was damaged.
  void close() { whole_ = false; }
  // Returns true if a key frame must be requested. Returns true only once until a key frame
  // arrives.
  bool take_request() { return !whole_ && !std::exchange(asked_, true); }

 private:
  bool whole_ = false;
  bool asked_ = false;
  uint64_t last_ = 0;
  uint32_t format_ = 0;
};

}  // namespace sail
