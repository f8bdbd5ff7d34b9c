// Decides how many blocks to request at a time. Throughput is the path's bandwidth, or bytes in
// flight divided by the round trip, whichever is lower. So the limit grows while that increases the
// throughput. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sail/media/storage/reading/byte_source.h"

namespace sail {

class DepthController {
 public:
  explicit DepthController(ByteSource::Depth depth) : limit_(depth.begin), most_(depth.most) {}

  size_t limit() const { return limit_; }
  // A block has arrived. starved: the limit kept the reader from requesting more. Only an unbroken
  // run of such blocks measures the storage; otherwise the reader is the bottleneck.
  void came(int64_t now_ns, size_t bytes, bool starved);

 private:
  void judge(double rate);

  size_t limit_;
  size_t most_;
  size_t before_ = 0;  // the limit at which rate_ was measured; 0: not measured yet
  double rate_ = 0;    // bytes per nanosecond
  int64_t since_ns_ = 0;
  size_t blocks_ = 0;  // in the current run; 0: no run has begun
  uint64_t bytes_ = 0;
};

}  // namespace sail
