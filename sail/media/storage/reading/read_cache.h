// Prefetches and caches blocks of a source for a sequential reader with arbitrary offsets and
// lengths, such as FFmpeg's demuxers. Each block read in sequence doubles the read-ahead, up to the
// source's limit of blocks in flight (16 of 1 MB, or 32 over a network; at least three are cached).
// Blocks stay cached until their memory is needed, so short seeks back are free. A longer seek
// cancels the blocks in flight.
//
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"
#include "sail/media/storage/reading/parallel_reader.h"

namespace sail {

class ReadCache {
 public:
  // source must outlive this object.
  explicit ReadCache(const ByteSource& source);
  ~ReadCache();
  ReadCache(const ReadCache&) = delete;
  ReadCache& operator=(const ReadCache&) = delete;

  // Reads between 1 and bytes.size() bytes; 0: the end of the source. kTimeout: give_up returned
  // true.
  Result<size_t> read(uint64_t offset, std::span<uint8_t> bytes, const GiveUp& give_up);

  // Returns whether read() from `offset` would not wait. Also requests the blocks that read()
  // needs.
  bool has(uint64_t offset);

  ReadFigures figures() const { return {blocks_.bytes_read(), waits_, blocks_.retries()}; }

 private:
  static constexpr uint64_t kNone = UINT64_MAX;

  struct Block {
    uint64_t number = kNone;  // index in the source, in blocks
    uint64_t used = 0;        // value of reads_ at the last use
    bool there = false;
    std::unique_ptr<uint8_t[]> memory;  // kBlockBytes, once used
    ParallelReader::Part part;
  };

  Block* find(uint64_t number);
  // Returns whether the block must be kept or fetched.
  bool wanted(uint64_t number) const { return last_ != kNone && number - last_ <= ahead_; }
  // Asks the source for its size again, because a file may grow during playback.
  Result<void> learn_size();
  void turn_to(uint64_t number);
  void drop(Block& block);
  void fetch(uint64_t number);
  Result<void> wait_for(Block& block, const GiveUp& give_up);

  const ByteSource& source_;
  uint64_t size_ = 0;  // last known size
  uint64_t last_ = kNone;
  uint64_t ahead_ = 0;  // blocks to prefetch after the last one read
  uint64_t reads_ = 0;
  uint64_t waits_ = 0;
  const uint64_t most_ahead_;
  std::vector<std::unique_ptr<Block>> all_;
  ParallelReader blocks_;  // last member: its reads end before the memory is freed
};

}  // namespace sail
