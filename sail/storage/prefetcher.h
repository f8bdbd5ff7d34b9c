// Reads a source ahead of somebody who reads it from front to back, at places and by lengths of
// their own, as FFmpeg's demuxers do. Little at first, twice as much with every block that is read
// behind the one before, at most as many blocks of 1 MB as the source may ever have under way (16,
// or 32 over a network), and never fewer than three. What is read stays until its memory is needed,
// so going back a little costs nothing. Going elsewhere lets go of what is on its way.
//
// One thread calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sail/base/result.h"
#include "sail/storage/byte_source.h"
#include "sail/storage/read_ahead.h"

namespace sail {

class Prefetcher {
 public:
  // source outlives this.
  explicit Prefetcher(const ByteSource& source);
  ~Prefetcher();
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  // At most as many bytes as there is room for, at least one; 0: the source ends there. kTimeout:
  // it was given up.
  Result<size_t> read(uint64_t offset, std::span<uint8_t> bytes, const GiveUp& give_up);

  // Whether read() from there would wait for nothing; what it would read is asked for.
  bool has(uint64_t offset);

  ReadFigures figures() const { return {blocks_.bytes_read(), waits_, blocks_.retries()}; }

 private:
  static constexpr uint64_t kNone = UINT64_MAX;

  struct Block {
    uint64_t number = kNone;  // its place in the source, in blocks
    uint64_t used = 0;        // when, in reads
    bool there = false;
    std::vector<uint8_t> memory;
    ReadAhead::Part part;
  };

  Block* find(uint64_t number);
  // Whether it is to be kept, or fetched.
  bool wanted(uint64_t number) const { return last_ != kNone && number - last_ <= ahead_; }
  // Where the source ends, asked again: a file may grow while it is played.
  Result<void> learn_size();
  void turn_to(uint64_t number);
  void drop(Block& block);
  void fetch(uint64_t number);
  Result<void> wait_for(Block& block, const GiveUp& give_up);

  const ByteSource& source_;
  uint64_t size_ = 0;  // as far as is known
  uint64_t last_ = kNone;
  uint64_t ahead_ = 0;  // blocks behind the last one that are to be there
  uint64_t reads_ = 0;
  uint64_t waits_ = 0;
  const uint64_t most_ahead_;
  std::vector<std::unique_ptr<Block>> all_;
  ReadAhead blocks_;  // last: it ends before the memory goes
};

}  // namespace sail
