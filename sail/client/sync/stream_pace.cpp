#include "sail/client/sync/stream_pace.h"

#include <algorithm>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr double kFirstFps = 30;  // until two frames were submitted
constexpr int64_t kShortestNs = 2 * kMillisecondNs;
// Longer intervals count as this interval: no later frame then limits the rate.
constexpr int64_t kLongestNs = 100 * kMillisecondNs;
constexpr int64_t kPauseNs = 500 * kMillisecondNs;  // a longer gap does not count as an interval
constexpr int kMeanFrames = 8;                      // smoothing window of the interval

// The automatic delay covers sending the frame, one retransmission request and its answer, the loss
// of one of these on a short path, and scheduling delays of a busy loop.
constexpr double kRoundTrips = 2.5;
constexpr double kJitters = 4;
constexpr int64_t kMarginNs = 16 * kMillisecondNs;
constexpr int64_t kCalmMarginNs = 8 * kMillisecondNs;
constexpr int64_t kCalmAfterNs = 60 * kSecondNs;
constexpr int64_t kLongestCalmAfterNs = 3600 * kSecondNs;
// Longer sending times are delays of a busy sender and not of the path.
constexpr int64_t kLongestSendingNs = 250 * kMillisecondNs;
// The delay shifts what viewers see. Raise it at once; lower it by 1 % of the elapsed time, which
// viewers do not notice.
constexpr double kDownPerNs = 0.01;

}  // namespace

StreamPace::StreamPace(double fps, int delay_ms)
    : delay_ms_(delay_ms), interval_ns_(static_cast<int64_t>(1e9 / (fps > 0 ? fps : kFirstFps))) {
  interval_ns_ = std::clamp(interval_ns_, kShortestNs, kLongestNs);
  calm_after_ns_ = kCalmAfterNs;
  delay_ns_ = std::max(delay_ms, 0) * kMillisecondNs;
}

void StreamPace::add_frame(uint64_t number, int64_t submitted_ns) {
  if (last_frame_ != 0 && number > last_frame_ && submitted_ns > last_submitted_ns_) {
    const int64_t apart_ns =
        (submitted_ns - last_submitted_ns_) / static_cast<int64_t>(number - last_frame_);
    if (apart_ns < kPauseNs) {
      interval_ns_ += (std::clamp(apart_ns, kShortestNs, kLongestNs) - interval_ns_) / kMeanFrames;
    }
  }
  last_frame_ = number;
  last_submitted_ns_ = submitted_ns;
}

void StreamPace::adapt(int64_t now_ns, const std::optional<FrameTransport::PathDelays>& delays) {
  round_trip_ns_ = delays ? delays->round_trip_ns : 0;
  const int64_t passed_ns = std::max<int64_t>(now_ns - adapted_at_ns_, 0);
  adapted_at_ns_ = now_ns;
  if (delay_ms_ >= 0) return;
  if (!delays) {
    delay_ns_ = 0;
    return;
  }
  const double mending_ns = kRoundTrips * static_cast<double>(delays->round_trip_ns) +
                            kJitters * static_cast<double>(delays->jitter_ns);
  update_calm(now_ns, *delays);
  const int64_t least_ns = calm_ ? 0 : interval_ns_;
  const int64_t sending_ns =
      std::clamp(delays->sending_ns, least_ns, std::max(interval_ns_, kLongestSendingNs));
  const int64_t margin_ns = calm_ ? kCalmMarginNs : kMarginNs;
  const int64_t wanted_ns = std::min(sending_ns + static_cast<int64_t>(mending_ns) + margin_ns,
                                     kMaxDelayMs * kMillisecondNs);
  const auto down_ns = static_cast<int64_t>(static_cast<double>(passed_ns) * kDownPerNs);
  delay_ns_ = std::max(wanted_ns, delay_ns_ - down_ns);
}

void StreamPace::update_calm(int64_t now_ns, const FrameTransport::PathDelays& delays) {
  if (delays.trouble_ns > trouble_ns_) {
    trouble_ns_ = delays.trouble_ns;
    if (calm_) calm_after_ns_ = std::min(2 * calm_after_ns_, kLongestCalmAfterNs);
  }
  calm_ = now_ns - std::max(trouble_ns_, delays.begun_ns) >= calm_after_ns_;
}

int StreamPace::frames_in_flight() const {
  const int64_t waiting_ns = delay_ns_ + round_trip_ns_;
  const int64_t frames = 3 + (waiting_ns + interval_ns_ - 1) / interval_ns_;
  return static_cast<int>(std::min<int64_t>(frames, kMaxFramesInFlight));
}

}  // namespace sail
