// The order in which the reads of many streams go to their shared storage. Pure, except for the
// lock in ReadClock.
//
// A stream has a promised rate, or is best effort. Each read of a promised stream has a deadline:
// the end of the previous read plus the time its bytes last at that rate. Reads that are due within
// kLeadNs go first, earliest deadline first. Then come best-effort streams, weighted by their
// rates: if the storage is overloaded, all get the same fraction of their rates. Reads of promised
// streams that are further ahead go when nothing else waits, so a download uses only what is left.
//
// Each storage has its own order. Orders whose streams read from several storages share one clock,
// so that a stream with a backlog at one storage goes first at the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace server {

struct ReadClaim {
  double bytes_per_s = 0;  // the rate that the stream needs; 0: unknown
  bool best_effort = true;

  bool operator==(const ReadClaim&) const = default;
};

// How far each stream has read: in steady time for promised streams, in the virtual time of best
// effort for the others. Virtual time advances as best-effort streams are served. Any thread.
class ReadClock {
 public:
  // Weight of a stream of unknown rate, while it is being opened.
  static constexpr double kUnknownBytesPerS = 4e6;
  // Limit of the backlog that a best-effort stream with waiting reads may catch up.
  static constexpr int64_t kMostBehindNs = 1'000'000'000;

  // Begin and end of a read in its stream's time.
  struct Span {
    ReadClaim claim;
    int64_t start_ns = 0;
    int64_t end_ns = 0;
  };

  // Called by each order that the stream reads from: with the same claim every time.
  void enter(uint64_t stream, const ReadClaim& claim);
  void leave(uint64_t stream);
  void claim(uint64_t stream, const ReadClaim& claim);
  // Schedules the stream's next read. An idle stream accumulates no credit.
  Span begin(uint64_t stream, size_t bytes, int64_t now_ns);
  // The read is complete or was dropped.
  void end(uint64_t stream);
  // Schedules a waiting read again, with the stream's current claim.
  Span begin_again(uint64_t stream, const Span& span, size_t bytes, int64_t now_ns);
  // Returns the time of a read that was dropped while waiting.
  void refund(uint64_t stream, const Span& span);
  // A best-effort read is being served: advances virtual time.
  void serve(const Span& span);
  int64_t spare_now_ns() const;

 private:
  struct Stream {
    ReadClaim claim;
    size_t orders = 0;
    size_t reads = 0;  // waiting or in flight
    int64_t end_ns = 0;
  };
  Span next(Stream& stream, size_t bytes, int64_t now_ns) const;

  mutable std::mutex mutex_;  // the orders belong to several storages with threads of their own
  std::map<uint64_t, Stream> streams_;
  int64_t spare_now_ns_ = 0;
};

class ReadOrder {
 public:
  static constexpr int64_t kLeadNs = 1'000'000'000;

  struct Read {
    uint64_t stream = 0;
    uint64_t ticket = 0;  // chosen by the caller
    size_t bytes = 0;
    int64_t due_ns = 0;  // deadline; 0: none
  };

  explicit ReadOrder(std::shared_ptr<ReadClock> clock = std::make_shared<ReadClock>())
      : clock_(std::move(clock)) {}

  // The stream must not have entered yet.
  void enter(uint64_t stream, const ReadClaim& claim) { clock_->enter(stream, claim); }
  // Reorders the stream's waiting reads.
  void claim(uint64_t stream, const ReadClaim& claim, int64_t now_ns);
  // No read of the stream may be waiting.
  void leave(uint64_t stream) { clock_->leave(stream); }

  // Tickets increase. Reads of one stream keep their order.
  void put(uint64_t stream, uint64_t ticket, size_t bytes, int64_t now_ns);
  // Call when a read that was put is complete or dropped.
  void end(uint64_t stream) { clock_->end(stream); }
  // Removes the stream's waiting reads for which unwanted(ticket) is true, and returns their
  // tickets.
  template <typename Unwanted>
  std::vector<uint64_t> drop(uint64_t stream, const Unwanted& unwanted) {
    std::vector<uint64_t> dropped;
    for (const auto& [ticket, waiting] : of(stream)) {
      if (!unwanted(ticket)) continue;
      dropped.push_back(ticket);
      unplace(ticket, waiting);
      clock_->refund(stream, waiting.span);
      waiting_.erase(ticket);
    }
    return dropped;
  }
  // Removes and returns the next read. Empty optional: none waits.
  std::optional<Read> take(int64_t now_ns);
  size_t waiting() const { return waiting_.size(); }
  // Returns whether a best-effort read waits.
  bool spare_waits() const { return !spare_.empty(); }
  // Virtual time of best effort. It runs at the speed of steady time when waiting streams get
  // exactly their rates.
  int64_t spare_now_ns() const { return clock_->spare_now_ns(); }

 private:
  using Queue = std::set<std::pair<int64_t, uint64_t>>;  // by time, then ticket

  struct Waiting {
    uint64_t stream = 0;
    size_t bytes = 0;
    ReadClock::Span span;
    Queue* queue = nullptr;
    int64_t key_ns = 0;  // key in `queue`
  };

  // Copies of the stream's reads, by ticket.
  std::vector<std::pair<uint64_t, Waiting>> of(uint64_t stream) const;
  void place(uint64_t ticket, Waiting& waiting, int64_t now_ns);
  static void unplace(uint64_t ticket, const Waiting& waiting);

  const std::shared_ptr<ReadClock> clock_;
  std::map<uint64_t, Waiting> waiting_;  // by ticket
  Queue due_;                            // by deadline
  Queue spare_;                          // by virtual time
  Queue early_;                          // by the time at which they become due_
};

}  // namespace server
