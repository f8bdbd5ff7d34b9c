// One direction of a relay: its impaired path, its counters, and a log of its traffic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <string>

#include "sail/core/base/result.h"
#include "ui/impair/impairment.h"

namespace sail {

// One direction of an impaired path: decides the outcome of each packet. Pure and deterministic:
// the same packets at the same times with the same seed have the same outcome.
class PacketPath {
 public:
  enum class Outcome { kPasses, kLost, kQueueFull };
  struct Passage {
    Outcome outcome = Outcome::kPasses;
    int64_t leaves_ns = 0;   // when the packet arrives at the far end
    bool twice = false;      // a duplicate follows immediately
    bool held_back = false;  // delivered out of order: others may overtake it
  };
  struct StreamPassage {
    int64_t leaves_ns = 0;
    bool sent_again = false;
  };

  explicit PacketPath(const Impairment& impairment) { set(impairment); }
  // Applies to packets from now on. Packets in transit keep their times, and the order is kept.
  void set(const Impairment& impairment);

  // Decides what happens to a datagram of this size. now_ns must not decrease.
  Passage take(int64_t now_ns, size_t bytes);
  // Decides when bytes of a TCP connection leave. They are never lost or dropped. As with TCP, a
  // loss delays them by a retransmission: one round trip, plus kRetransmitTimeoutMs if that is lost
  // too. Later bytes wait for them. order_ns: when the connection's previous bytes leave.
  StreamPassage take_stream(int64_t now_ns, size_t bytes, int64_t order_ns);
  static constexpr int64_t kRetransmitTimeoutMs = 200;

  // Returns how long a new packet would wait for the limited rate; and whether the queue is full.
  int64_t queued_ns(int64_t now_ns) const;
  bool queue_full(int64_t now_ns) const { return queued_ns(now_ns) > queue_ns_; }
  // Returns the size of a piece of stream data, which takes a few milliseconds to transmit.
  size_t piece_bytes() const;

 private:
  double draw();  // returns a random number in [0, 1)
  bool draw_loss();
  void pass_bottleneck(int64_t now_ns, size_t bytes);
  int64_t delay_ns(int64_t now_ns);

  Impairment impairment_;
  int64_t queue_ns_ = 0;
  std::mt19937_64 random_;
  bool losing_ = false;     // in a loss burst
  int64_t idle_at_ns_ = 0;  // when the bottleneck will have sent everything
  int64_t last_leaves_ns_ = 0;
  // The varying part of the delay, interpolated between two random values.
  int64_t turn_ = -1;
  double from_ = 0;
  double to_ = 0;
};

// Packets may leave this much late, so that a fast stream is sent in batches.
constexpr int64_t kGatherNs = 100'000;

struct LaneCounters {
  uint64_t packets = 0;  // datagrams received
  uint64_t bytes = 0;    // bytes of these datagrams
  uint64_t passed = 0;   // packets forwarded, without duplicates
  uint64_t lost = 0;
  uint64_t queue_full = 0;  // dropped: exceeded the rate's queue or the memory limit
  uint64_t held_back = 0;
  uint64_t duplicated = 0;
  uint64_t stream_bytes = 0;       // bytes of TCP connections
  uint64_t stream_sent_again = 0;  // pieces delayed by a simulated retransmission
};

// One direction of a relay.
struct Lane {
  PacketPath path;
  LaneCounters counters;
};

// Logs traffic over time as CSV: a line "ms,bytes,packets" for each millisecond with traffic,
// counted from the first packet.
class TrafficLog {
 public:
  static Result<std::unique_ptr<TrafficLog>> open(const std::string& path);
  ~TrafficLog();  // writes the last line
  TrafficLog(const TrafficLog&) = delete;
  TrafficLog& operator=(const TrafficLog&) = delete;

  // Adds a packet. arrived_ns: steady; an earlier time than before counts as the newest
  // millisecond.
  void add(int64_t arrived_ns, size_t bytes);

 private:
  explicit TrafficLog(std::FILE* file) : file_(file) {}
  void write_line();

  std::FILE* file_;
  int64_t first_ns_ = -1;
  int64_t ms_ = 0;
  uint64_t bytes_ = 0;
  uint64_t packets_ = 0;
};

}  // namespace sail
