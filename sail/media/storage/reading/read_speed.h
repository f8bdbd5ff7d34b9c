// Measures how fast a source is, for a given block size and number of reads in flight.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

struct ReadTrial {
  size_t block_bytes = size_t{1} << 20;
  size_t depth = 16;  // reads in flight, up to ThreadReads::kMost
  int64_t time_ns = 0;
  bool once = false;  // read each block once, because blocks read before may be in the page cache
};

struct ReadSpeed {
  uint64_t bytes = 0;
  int64_t time_ns = 0;
  uint64_t retries = 0;

  double mb_per_s() const {
    constexpr double kMbPerSecond = 1e3;  // converts bytes per nanosecond
    return time_ns > 0 ? static_cast<double>(bytes) / static_cast<double>(time_ns) * kMbPerSecond
                       : 0;
  }
};

// Reads block after block, starting over at the end unless `once`, for time_ns, then waits for the
// reads in flight. Reads at least `depth` blocks. kInvalidParams: the source is smaller than a
// block. kTimeout: give_up returned true.
Result<ReadSpeed> measure_reading(const ByteSource& source, const ReadTrial& trial,
                                  const GiveUp& give_up);

}  // namespace sail
