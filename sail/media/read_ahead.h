// Reads parts of a source before they are wanted, straight into the memory where they are wanted.
// A part is cut into blocks, of which kInFlight are handed to a few threads of its own: a storage
// that answers late is kept busy, and who reads on waits only for what has not come yet.
//
// Plain reads by threads, since these work on every kernel and every file system. The threads are a
// film's own, so that a disk that hangs holds up no other film.
//
// One thread calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "sail/base/mailbox.h"
#include "sail/base/result.h"
#include "sail/media/byte_source.h"

namespace sail {

class ReadAhead {
 public:
  static constexpr size_t kBlockBytes = size_t{1} << 20;
  static constexpr size_t kInFlight = 16;  // blocks
  static constexpr int kThreads = 4;

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
  // Every part is finished or cancelled. Waits for the threads.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Parts are read in the order in which they are begun.
  void begin(Part& part);
  // Waits until it is there. Of several errors the one of the first place.
  Result<void> finish(Part& part);
  // Waits only for its blocks that are being read.
  void cancel(Part& part);

 private:
  struct Block {
    Part* part = nullptr;  // null: the thread ends
    size_t at = 0;         // within the part
  };
  struct Answer {
    Block block;
    Result<void> read;
  };

  void work();
  Result<void> read(const Block& block) const;
  void hand_out();
  void take_answer();

  const ByteSource& source_;
  std::deque<Block> queued_;
  size_t in_flight_ = 0;
  Mailbox<Block> blocks_;
  Mailbox<Answer> answers_;
  std::vector<std::thread> threads_;
};

}  // namespace sail
