// A layout change in progress. Waits until each affected stream has a frame of the new epoch at all
// its receivers, or until a timeout. Pure; times are steady ns.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "sail/core/text/limits.h"

namespace manager {

class Transaction {
 public:
  Transaction(uint64_t epoch, std::set<uint32_t> streams, int64_t started_ns)
      : epoch_(epoch),
        waiting_(std::move(streams)),
        deadline_ns_(started_ns + int64_t{sail::kTransactionTimeoutMs} * 1'000'000) {}

  uint64_t epoch() const { return epoch_; }
  // The stream is ready, or never will be.
  void settle(uint32_t stream) { waiting_.erase(stream); }
  bool complete() const { return waiting_.empty(); }
  bool timed_out(int64_t now_ns) const { return now_ns >= deadline_ns_; }
  // Streams that are not settled.
  const std::set<uint32_t>& waiting() const { return waiting_; }

 private:
  uint64_t epoch_;
  std::set<uint32_t> waiting_;
  int64_t deadline_ns_;
};

}  // namespace manager
