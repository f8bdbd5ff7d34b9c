#include "sail/client/sender/stream_meter.h"

#include <algorithm>
#include <utility>

namespace sail {

StreamStats StreamMeter::stats(const SubmitQueue::Status& status, FrameLedger& ledger,
                               uint64_t bytes_sent, int64_t now_ns) {
  const FrameLedger::Recent recent = ledger.take_recent();
  const double seconds =
      std::max(static_cast<double>(now_ns - std::exchange(last_ns_, now_ns)) / 1e9, 1e-3);
  const auto bytes = static_cast<double>(bytes_sent - std::exchange(last_bytes_, bytes_sent));
  StreamStats stats{.frames_submitted = status.frames_submitted,
                    .frames_sent = status.frames_sent,
                    .frames_shown = status.frames_shown,
                    .frames_dropped = status.frames_dropped,
                    .bytes_sent = bytes_sent,
                    .fps_shown = static_cast<double>(recent.shown) / seconds,
                    .mbit_per_s = bytes * 8 / 1e6 / seconds,
                    .latency_ms_p50 = recent.latency_ms_p50,
                    .latency_ms_p99 = recent.latency_ms_p99,
                    .skew_us_p50 = recent.skew_us_p50,
                    .skew_us_p99 = recent.skew_us_p99,
                    .dropped = ledger.drops(),
                    .links = {}};
  // Frames unknown to the ledger were turned away by the submit queue.
  stats.dropped.unsent += status.frames_dropped - ledger.counters().dropped;
  return stats;
}

}  // namespace sail
