// Estimates a link's capacity in bytes per second from the delay and loss reported by the receiver.
//
// The rate is unlimited until congestion shows: a queue that lasts, or far more loss than chance
// explains. Then the rate drops slightly below the arrival rate and stays there until the effect is
// known. It grows again while there is more to send than it allows: slowly near the last limit,
// faster and faster beyond it. If it is not reached for some time, it is unlimited again.
//
// Random loss does not lower the rate. If queue or loss stay unchanged although less is sent, other
// traffic causes them. From then on only an increase counts.
//
// Based on Google's congestion control for WebRTC (draft-ietf-rmcat-gcc: delay and loss), the
// requirements of RFC 8836, and growth as in CUBIC (RFC 9438).
//
// Pure; no thread of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "sail/core/wire/data/packets.h"

namespace sail {

class LinkRate {
 public:
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  static constexpr double kLeastBytesPerS = 250'000;

  struct Sample {
    int64_t now_ns = 0;
    LinkCounters counters;  // cumulative
    double queue_ms = 0;
    double rtt_ms = 0;
    // The rate held back data at some time since the last sample.
    bool limited = false;
  };

  // Call with each feedback.
  void add(const Sample& sample);

  // Returns the rate in bytes of datagrams, counted as in LinkCounters.bytes_arrived. kUnlimited
  // until congestion is detected; never below kLeastBytesPerS.
  double bytes_per_s() const { return rate_; }

 private:
  enum class Sign : uint8_t { kNone, kQueue, kLoss };

  // Cumulative counters at one time.
  struct Point {
    int64_t at_ns = 0;
    uint64_t packets = 0;
    uint64_t bytes = 0;
    uint64_t lost = 0;
    uint64_t bursts = 0;
  };
  // The data that arrived between two points.
  struct Span {
    int64_t ns = 0;
    double bytes_per_s = 0;
    double loss = 0;  // share of packets lost
    // Share of packets lost beyond what random loss explains (lower bound).
    double sure_loss = 0;
  };

  void remember(const Sample& sample);
  // Returns the last `ns` nanoseconds, or the part of them that is remembered.
  Span over(int64_t ns) const;

  void watch(const Sample& sample);
  Sign sign_of_congestion(int64_t now_ns) const;
  void slow_down(const Sample& sample, Sign sign);
  // Checks whether the last reduction had an effect.
  void judge(const Sample& sample);
  void grow(const Sample& sample, double seconds);

  static constexpr size_t kPoints = 64;
  std::array<Point, kPoints> points_{};  // ring buffer; a minimum time apart
  size_t newest_ = 0;
  size_t count_ = 0;
  Point now_;

  double rate_ = kUnlimited;
  double ceiling_ = 0;  // the rate at which congestion was last detected
  Sign ceiling_sign_ = Sign::kNone;
  int64_t last_ns_ = 0;
  int64_t limited_ns_ = 0;       // time at which the rate last held back data
  int64_t queued_since_ns_ = 0;  // 0: no queue
  double queue_ms_ = 0;          // current queue without the part caused by other traffic
  // Queue and loss caused by other traffic.
  double other_queue_ms_ = 0;
  double other_loss_ = 0;

  // The last reduction, until its effect has been judged.
  Sign sign_ = Sign::kNone;
  int64_t judge_ns_ = 0;
  double sign_before_ = 0;  // queue or loss before the reduction
  int futile_ = 0;          // consecutive reductions without effect
  double rate_before_ = 0;  // the rate before the first of these
};

}  // namespace sail
