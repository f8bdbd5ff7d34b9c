// In which order the reads of many streams go to the storage that they share. Pure, but for the
// lock of ReadClock.
//
// A stream is promised its rate, or nothing (best effort). Each read of a promised stream has a
// deadline: what its bytes last at that rate, behind those of the read before. Those that are due
// within kLeadNs go first, the earliest deadline first of all. Then come best-effort streams, each
// by its share: when there is not enough for them all, all get the same part of their rates. What
// promised streams want ahead of their time goes when nobody else wants anything: a download gets
// what is left, and is in nobody's way.
//
// Several storages have an order each, but one clock where streams read from all of them: who got
// little from one is first at the others.
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
  double bytes_per_s = 0;  // what the stream needs; 0: unknown
  bool best_effort = true;

  bool operator==(const ReadClaim&) const = default;
};

// How far each stream is: in time by the clock, or by that of best effort, which goes on as
// best-effort streams are served. Any thread.
class ReadClock {
 public:
  // What streams weigh whose rate nobody knows: they are being opened.
  static constexpr double kUnknownBytesPerS = 4e6;
  // A best-effort stream that always wants more and gets little catches up no more than that.
  static constexpr int64_t kMostBehindNs = 1'000'000'000;

  // When a read begins and ends in its stream's time.
  struct Span {
    ReadClaim claim;
    int64_t start_ns = 0;
    int64_t end_ns = 0;
  };

  // By each order that it reads from; not there yet, or with the same claim.
  void enter(uint64_t stream, const ReadClaim& claim);
  void leave(uint64_t stream);
  void claim(uint64_t stream, const ReadClaim& claim);
  // The stream's next read. Who wants nothing for a time has saved nothing by that.
  Span begin(uint64_t stream, size_t bytes, int64_t now_ns);
  // It is done, or nobody wants it any more.
  void end(uint64_t stream);
  // One that has begun and waits: it begins anew, by what the stream claims now.
  Span begin_again(uint64_t stream, const Span& span, size_t bytes, int64_t now_ns);
  // One that waited is not read.
  void give_back(uint64_t stream, const Span& span);
  // One of best effort is read.
  void serve(const Span& span);
  int64_t spare_now_ns() const;

 private:
  struct Stream {
    ReadClaim claim;
    size_t orders = 0;
    size_t reads = 0;  // that wait or are under way
    int64_t end_ns = 0;
  };
  Span next(Stream& stream, size_t bytes, int64_t now_ns) const;

  mutable std::mutex mutex_;  // orders are of several storages, each with threads of its own
  std::map<uint64_t, Stream> streams_;
  int64_t spare_now_ns_ = 0;
};

class ReadOrder {
 public:
  static constexpr int64_t kLeadNs = 1'000'000'000;

  struct Read {
    uint64_t stream = 0;
    uint64_t ticket = 0;  // the caller's
    size_t bytes = 0;
    int64_t due_ns = 0;  // 0: at no time
  };

  explicit ReadOrder(std::shared_ptr<ReadClock> clock = std::make_shared<ReadClock>())
      : clock_(std::move(clock)) {}

  // Not there yet.
  void enter(uint64_t stream, const ReadClaim& claim) { clock_->enter(stream, claim); }
  // Reads that wait are ordered anew.
  void claim(uint64_t stream, const ReadClaim& claim, int64_t now_ns);
  // Without any read that waits.
  void leave(uint64_t stream) { clock_->leave(stream); }

  // Tickets grow. Reads of one stream go in their order.
  void put(uint64_t stream, uint64_t ticket, size_t bytes, int64_t now_ns);
  // What was put is done, or was dropped.
  void end(uint64_t stream) { clock_->end(stream); }
  // Those of the stream that wait for which unwanted(ticket) holds: they go.
  template <typename Unwanted>
  std::vector<uint64_t> drop(uint64_t stream, const Unwanted& unwanted) {
    std::vector<uint64_t> dropped;
    for (const auto& [ticket, waiting] : of(stream)) {
      if (!unwanted(ticket)) continue;
      dropped.push_back(ticket);
      unplace(ticket, waiting);
      clock_->give_back(stream, waiting.span);
      waiting_.erase(ticket);
    }
    return dropped;
  }
  // What goes next; nothing: none waits.
  std::optional<Read> take(int64_t now_ns);
  size_t waiting() const { return waiting_.size(); }
  // Whether a best-effort stream waits.
  bool spare_waits() const { return !spare_.empty(); }
  // The time of best effort: as fast as the clock when those who wait get their rates.
  int64_t spare_now_ns() const { return clock_->spare_now_ns(); }

 private:
  using Queue = std::set<std::pair<int64_t, uint64_t>>;  // by time, then ticket

  struct Waiting {
    uint64_t stream = 0;
    size_t bytes = 0;
    ReadClock::Span span;
    Queue* queue = nullptr;
    int64_t key_ns = 0;  // in the queue
  };

  // By ticket; copies.
  std::vector<std::pair<uint64_t, Waiting>> of(uint64_t stream) const;
  void place(uint64_t ticket, Waiting& waiting, int64_t now_ns);
  static void unplace(uint64_t ticket, const Waiting& waiting);

  const std::shared_ptr<ReadClock> clock_;
  std::map<uint64_t, Waiting> waiting_;  // by ticket
  Queue due_;                            // by deadline
  Queue spare_;                          // by the time of best effort
  Queue early_;                          // by the time until which they are early
};

}  // namespace server
