// How fast a source is, by blocks of some size and so many of them under way at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sail/base/result.h"
#include "sail/storage/byte_source.h"

namespace sail {

struct ReadTrial {
  size_t block_bytes = size_t{1} << 20;
  size_t depth = 16;  // up to ThreadReads::kMost
  int64_t time_ns = 0;
  bool once = false;  // not over and over: what has been read may be in memory
};

struct ReadSpeed {
  uint64_t bytes = 0;
  int64_t time_ns = 0;
  uint64_t retries = 0;

  double mb_per_s() const {
    constexpr double kMbPerSecond = 1e3;  // of bytes a nanosecond
    return time_ns > 0 ? static_cast<double>(bytes) / static_cast<double>(time_ns) * kMbPerSecond
                       : 0;
  }
};

// Reads block after block, usually over and over, for that time and until what is under way has
// come; at least one of each. kInvalidParams: the source is smaller than a block. kTimeout: given
// up.
Result<ReadSpeed> measure_reading(const ByteSource& source, const ReadTrial& trial,
                                  const GiveUp& give_up);

}  // namespace sail
