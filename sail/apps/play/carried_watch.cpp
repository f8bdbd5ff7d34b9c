#include "sail/apps/play/carried_watch.h"

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kPeriodNs = 2 * kSecondNs;
constexpr int kBadPeriods = 3;
constexpr uint64_t kFewestFrames = 6;  // in a period that counts
constexpr double kBusyPct = 50;

uint64_t late_of(const sail_stream_stats& stats) {
  return stats.frames_unsent + stats.frames_incomplete + stats.frames_superseded;
}

}  // namespace

bool CarriedWatch::too_slow(const sail_stream_stats& stats, int64_t now_ns) {
  if (since_ns_ != 0 && now_ns - since_ns_ < kPeriodNs) return false;
  const bool first = since_ns_ == 0;
  const uint64_t submitted = stats.frames_submitted - before_.frames_submitted;
  const uint64_t late = late_of(stats) - late_of(before_);
  const bool any_shown = stats.frames_shown != before_.frames_shown;
  since_ns_ = now_ns;
  before_ = stats;
  if (first || submitted < kFewestFrames || now_ns - link_busy_ns_ < 2 * kPeriodNs ||
      late * 2 <= submitted) {
    bad_periods_ = 0;
  } else if (any_shown) {
    ++bad_periods_;
  }
  return bad_periods_ >= kBadPeriods;
}

void CarriedWatch::take(const sail_link_stats& link, int64_t now_ns) {
  if (link.busy_pct > kBusyPct) link_busy_ns_ = now_ns;
}

}  // namespace sail
