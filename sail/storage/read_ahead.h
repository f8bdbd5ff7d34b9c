// Reads parts of a source before they are wanted, straight into the memory where they are wanted.
// A part is cut into blocks, of which many are under way at a time (InFlight): a storage that
// answers late is kept busy, and who reads on waits only for what has not come yet.
//
// One thread calls.
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

#include "sail/base/mailbox.h"
#include "sail/base/result.h"
#include "sail/storage/byte_source.h"
#include "sail/storage/in_flight.h"

namespace sail {

class ReadAhead {
 public:
  static constexpr size_t kBlockBytes = size_t{1} << 20;

  // Memory that is being filled. It and this stay where they are until finish() or cancel().
  struct Part {
    uint64_t offset = 0;
    std::span<uint8_t> bytes;

   private:
    friend class ReadAhead;
    size_t waiting = 0;                 // blocks whose reading has not been told of
    std::atomic<bool> unwanted{false};  // then they need not be read
    uint64_t failed_at = 0;             // the first block with an error
    std::optional<Error> error;
  };

  // source outlives this.
  explicit ReadAhead(const ByteSource& source);
  // Every part is finished or cancelled.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Parts are read in the order in which they are begun.
  void begin(Part& part);
  // Waits until it is there. Of several errors the one of the first place.
  Result<void> finish(Part& part);
  // The same without its error, and not for longer than that for each block: false then.
  bool arrived(Part& part, std::chrono::nanoseconds wait = std::chrono::nanoseconds(0));
  // Waits only for its blocks that are being read.
  void cancel(Part& part);

  uint64_t bytes_read() const { return bytes_read_; }
  uint64_t retries() const { return reads_ ? reads_->retries() : 0; }

 private:
  struct Block {
    Part* part = nullptr;
    size_t at = 0;  // within the part

    std::span<uint8_t> bytes() const {
      return part->bytes.subspan(at, std::min(kBlockBytes, part->bytes.size() - at));
    }
  };
  struct Answer {
    Block block;
    Result<void> read;
  };

  void hand_out();
  // False: none came.
  bool take_answer(std::chrono::nanoseconds wait);

  const ByteSource& source_;
  std::deque<Block> queued_;
  size_t in_flight_ = 0;
  uint64_t bytes_read_ = 0;
  InFlight most_in_flight_;
  Mailbox<Answer> answers_;
  std::unique_ptr<ByteReads> reads_;  // from the first part on; it ends before the answers
};

}  // namespace sail
