// Reads parts of a source ahead of use, straight into the caller's memory. A part is split into
// blocks, and many blocks are in flight (DepthController). This keeps storage with a long latency
// busy, and a reader waits only for blocks that have not arrived.
//
// One thread at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sail/core/base/mailbox.h"
#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

// Decides how many blocks to request at a time. Throughput is the path's bandwidth, or bytes in
// flight divided by the round trip, whichever is lower. So the limit grows while that increases the
// throughput. Pure.
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

class ParallelReader {
 public:
  static constexpr size_t kBlockBytes = size_t{1} << 20;

  // Memory being filled. The Part and its memory must stay in place until finish() or cancel().
  struct Part {
    uint64_t offset = 0;
    std::span<uint8_t> bytes;

   private:
    friend class ParallelReader;
    size_t waiting = 0;                 // blocks without an answer
    std::atomic<bool> unwanted{false};  // the remaining blocks may be skipped
    uint64_t failed_at = 0;             // offset of the first block that failed
    std::optional<Error> error;
  };

  // source must outlive this object.
  explicit ParallelReader(const ByteSource& source);
  // Every part must be finished or cancelled before.
  ~ParallelReader();
  ParallelReader(const ParallelReader&) = delete;
  ParallelReader& operator=(const ParallelReader&) = delete;

  // Parts are read in the order of begin().
  void begin(Part& part);
  // Waits until the part is complete. Returns the error with the lowest offset.
  Result<void> finish(Part& part);
  // Returns whether the part is complete, without its error. Waits up to `wait` for each block.
  bool arrived(Part& part, std::chrono::nanoseconds wait = std::chrono::nanoseconds(0));
  // Waits only for blocks whose reading has begun.
  void cancel(Part& part);

  uint64_t bytes_read() const { return bytes_read_; }
  uint64_t retries() const { return reads_ ? reads_->retries() : 0; }

 private:
  struct Block {
    Part* part = nullptr;
    size_t at = 0;  // offset within the part

    std::span<uint8_t> bytes() const {
      return part->bytes.subspan(at, std::min(kBlockBytes, part->bytes.size() - at));
    }
  };
  struct Answer {
    Block block;
    Result<void> read;
  };

  void hand_out();
  // False: no answer arrived in time.
  bool take_answer(std::chrono::nanoseconds wait);

  const ByteSource& source_;
  std::deque<Block> queued_;
  size_t in_flight_ = 0;
  uint64_t bytes_read_ = 0;
  DepthController most_in_flight_;
  Mailbox<Answer> answers_;
  std::unique_ptr<ByteReads> reads_;  // created with the first part; destroyed before answers_
};

}  // namespace sail
