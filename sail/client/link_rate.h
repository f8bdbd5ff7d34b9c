// How many bytes a second a link carries, from what its receiver tells of delay and loss.
//
// No limit is known until one is met: packets queue up on their way for a while, or far more of
// them are lost than chance takes. Then the rate is a little less than what arrived, stands until
// that has shown its effect, and grows again as long as SAIL has more to send: slowly near the rate
// that was too much, faster and faster beyond it. After a while in which all that there was to send
// fitted, no limit is known any more.
//
// Random loss does not lower the rate. A queue, or loss, that stays as it was while less is sent
// comes from elsewhere: from then on only what is added to it counts.
//
// The ideas: delay and loss as in Google's congestion control for WebRTC (draft-ietf-rmcat-gcc),
// requirements of RFC 8836, growth around the last limit as CUBIC's (RFC 9438).
//
// Pure. No thread of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "sail/wire/packets.h"

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
    bool limited = false;  // since the sample before there was more to send than the rate allowed
  };

  // With each feedback.
  void add(const Sample& sample);

  // Counts datagrams as LinkCounters.bytes does. kUnlimited until a limit is met, never below
  // kLeastBytesPerS.
  double bytes_per_s() const { return rate_; }

 private:
  enum class Sign : uint8_t { kNone, kQueue, kLoss };

  // What had come by then.
  struct Point {
    int64_t at_ns = 0;
    uint64_t packets = 0;
    uint64_t bytes = 0;
    uint64_t lost = 0;
    uint64_t bursts = 0;
  };
  // What came between two of them.
  struct Span {
    int64_t ns = 0;
    double bytes_per_s = 0;
    double loss = 0;       // share of packets
    double sure_loss = 0;  // the share that is hardly by chance
  };

  void remember(const Sample& sample);
  // The last so many nanoseconds, or what is remembered of them.
  Span over(int64_t ns) const;

  void watch(const Sample& sample);
  Sign sign_of_congestion(int64_t now_ns) const;
  void slow_down(const Sample& sample, Sign sign);
  // What slowing down has brought.
  void judge(const Sample& sample);
  void grow(const Sample& sample, double seconds);

  static constexpr size_t kPoints = 64;
  std::array<Point, kPoints> points_{};  // a ring, some time apart
  size_t newest_ = 0;
  size_t count_ = 0;
  Point now_;

  double rate_ = kUnlimited;
  double ceiling_ = 0;  // the rate that was too much last
  Sign ceiling_sign_ = Sign::kNone;
  int64_t last_ns_ = 0;
  int64_t limited_ns_ = 0;       // when it last was
  int64_t queued_since_ns_ = 0;  // 0: there is no queue
  double queue_ms_ = 0;          // of now, without what comes from elsewhere
  // What comes from elsewhere.
  double other_queue_ms_ = 0;
  double other_loss_ = 0;

  // The last slowing down, until it is judged.
  Sign sign_ = Sign::kNone;
  int64_t judge_ns_ = 0;
  double sign_before_ = 0;  // the queue, or the loss
  int futile_ = 0;          // how many in a row have brought nothing
  double rate_before_ = 0;  // the first of them
};

}  // namespace sail
