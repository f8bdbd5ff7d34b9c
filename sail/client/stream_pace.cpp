#include "sail/client/stream_pace.h"

#include <algorithm>

#include "sail/base/clock.h"
#include "sail/wire/limits.h"

namespace sail {
namespace {

constexpr double kFirstFps = 30;  // until two frames have come
constexpr int64_t kShortestNs = 2 * kMillisecondNs;
// Frames that are farther apart are each sent as if they were not: nobody waits for their rhythm.
constexpr int64_t kLongestNs = 100 * kMillisecondNs;
constexpr int64_t kPauseNs = 500 * kMillisecondNs;  // tells nothing of the rhythm
constexpr int kMeanFrames = 8;                      // that the interval is the mean of

// The automatic delay has room for the sending itself, for one request to send again and its
// answer, for that to be lost once more on a short way, and for what a busy loop adds.
constexpr double kRoundTrips = 2.5;
constexpr double kJitters = 4;
constexpr int64_t kMarginNs = 16 * kMillisecondNs;
// That a busy machine once held up the sender for longer is not the way's fault.
constexpr int64_t kLongestSendingNs = 250 * kMillisecondNs;
// What a receiver shows moves with its delay: it goes up when it must, and down unseen.
constexpr double kDownPerNs = 0.01;

}  // namespace

StreamPace::StreamPace(double fps, int delay_ms)
    : delay_ms_(delay_ms), interval_ns_(static_cast<int64_t>(1e9 / (fps > 0 ? fps : kFirstFps))) {
  interval_ns_ = std::clamp(interval_ns_, kShortestNs, kLongestNs);
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

void StreamPace::adapt(int64_t now_ns, const std::optional<FrameCarrier::Way>& way) {
  round_trip_ns_ = way ? way->round_trip_ns : 0;
  const int64_t passed_ns = std::max<int64_t>(now_ns - adapted_at_ns_, 0);
  adapted_at_ns_ = now_ns;
  if (delay_ms_ >= 0) return;
  if (!way) {
    delay_ns_ = 0;
    return;
  }
  const double mending_ns = kRoundTrips * static_cast<double>(way->round_trip_ns) +
                            kJitters * static_cast<double>(way->jitter_ns);
  const int64_t sending_ns =
      std::clamp(way->sending_ns, interval_ns_, std::max(interval_ns_, kLongestSendingNs));
  const int64_t wanted_ns = std::min(sending_ns + static_cast<int64_t>(mending_ns) + kMarginNs,
                                     kMaxDelayMs * kMillisecondNs);
  const auto down_ns = static_cast<int64_t>(static_cast<double>(passed_ns) * kDownPerNs);
  delay_ns_ = std::max(wanted_ns, delay_ns_ - down_ns);
}

int StreamPace::frames_in_flight() const {
  const int64_t waiting_ns = delay_ns_ + round_trip_ns_;
  const int64_t frames = 3 + (waiting_ns + interval_ns_ - 1) / interval_ns_;
  return static_cast<int>(std::min<int64_t>(frames, kMaxFramesInFlight));
}

}  // namespace sail
