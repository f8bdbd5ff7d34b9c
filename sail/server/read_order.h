// In which order the reads of many streams go to the one storage that they share. Pure.
//
// A stream is promised its rate, or nothing (best effort). Each read of a promised stream has a
// deadline: what its bytes last at that rate, behind those of the read before. Those that are due
// within kLeadNs go first, the earliest deadline first of all. Then come best-effort streams, each
// by its share: when there is not enough for them all, all get the same part of their rates. What
// promised streams want ahead of their time goes when nobody else wants anything: a download gets
// what is left, and is in nobody's way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
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

class ReadOrder {
 public:
  static constexpr int64_t kLeadNs = 1'000'000'000;
  // What streams weigh whose rate nobody knows: they are being opened.
  static constexpr double kUnknownBytesPerS = 4e6;

  struct Read {
    uint64_t stream = 0;
    uint64_t ticket = 0;  // the caller's
    size_t bytes = 0;
    int64_t due_ns = 0;  // 0: at no time
  };

  // Not there yet.
  void enter(uint64_t stream, const ReadClaim& claim);
  // Reads that wait are ordered anew.
  void claim(uint64_t stream, const ReadClaim& claim, int64_t now_ns);
  // Without any read that waits.
  void leave(uint64_t stream) { streams_.erase(stream); }

  // Reads of one stream go in the order in which they are put.
  void put(uint64_t stream, uint64_t ticket, size_t bytes, int64_t now_ns);
  // Those of the stream that wait for which unwanted(ticket) holds: they go.
  template <typename Unwanted>
  std::vector<uint64_t> drop(uint64_t stream, int64_t now_ns, const Unwanted& unwanted) {
    std::vector<uint64_t> dropped;
    Stream& one = streams_.at(stream);
    unplace(stream, one);
    std::erase_if(one.waiting, [&](const auto& read) {
      if (unwanted(read.first)) dropped.push_back(read.first);
      return !dropped.empty() && dropped.back() == read.first;
    });
    waiting_ -= dropped.size();
    place(stream, one, now_ns);
    return dropped;
  }
  // What goes next; nothing: none waits.
  std::optional<Read> take(int64_t now_ns);
  size_t waiting() const { return waiting_; }
  // Whether a best-effort stream waits.
  bool spare_waits() const { return !spare_.empty(); }
  // The time of best effort: as fast as the clock when those who wait get their rates.
  int64_t spare_now_ns() const { return spare_now_ns_; }

 private:
  using Queue = std::set<std::pair<int64_t, uint64_t>>;  // by time, then stream

  struct Stream {
    ReadClaim claim;
    std::deque<std::pair<uint64_t, size_t>> waiting;  // tickets and bytes
    int64_t end_ns = 0;    // of what was read: by the clock, or by spare_now_ns_ for best effort
    int64_t start_ns = 0;  // of the first that waits
    Queue* queue = nullptr;
    int64_t key_ns = 0;  // in the queue
  };

  static int64_t lasts_ns(const Stream& stream, size_t bytes);
  void place(uint64_t number, Stream& stream, int64_t now_ns);
  static void put_in(Queue& queue, int64_t key_ns, uint64_t number, Stream& stream);
  static void unplace(uint64_t number, Stream& stream);

  std::map<uint64_t, Stream> streams_;
  Queue due_;                 // by deadline
  Queue spare_;               // by the time of best effort
  Queue early_;               // by the time until which they are early
  int64_t spare_now_ns_ = 0;  // goes on as best-effort streams are served
  size_t waiting_ = 0;
};

}  // namespace server
