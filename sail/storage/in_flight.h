// How many blocks are to be under way at a time. What a storage gives is what its path carries, or
// else the bytes in flight over the time until an answer comes: so more are asked for while that
// makes it faster. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sail/storage/byte_source.h"

namespace sail {

class InFlight {
 public:
  explicit InFlight(ByteSource::Depth depth) : limit_(depth.begin), most_(depth.most) {}

  size_t limit() const { return limit_; }
  // A block has come. starved: more would have been asked for, had the limit let them. Only a row
  // of such blocks tells of the storage; all else tells of the reader.
  void came(int64_t now_ns, size_t bytes, bool starved);

 private:
  void judge(double rate);

  size_t limit_;
  size_t most_;
  size_t before_ = 0;  // the limit that gave rate_; 0: none is known
  double rate_ = 0;    // bytes a nanosecond
  int64_t since_ns_ = 0;
  size_t blocks_ = 0;  // since then; 0: no row has begun
  uint64_t bytes_ = 0;
};

}  // namespace sail
