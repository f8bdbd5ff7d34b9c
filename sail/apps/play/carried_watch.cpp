#include "sail/apps/play/carried_watch.h"

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int kBadSeconds = 4;
constexpr uint64_t kFewestFrames = 3;  // of a second that counts
constexpr double kBusyPct = 50;

}  // namespace

bool CarriedWatch::too_slow(const sail_stream_stats& stats, int64_t now_ns) {
  const uint64_t late = stats.frames_unsent + stats.frames_incomplete + stats.frames_superseded;
  if (since_ns_ != 0 && now_ns - since_ns_ < kSecondNs) return false;
  const uint64_t submitted = stats.frames_submitted - submitted_;
  const bool bad = since_ns_ != 0 && submitted >= kFewestFrames && (late - late_) * 2 > submitted &&
                   now_ns - link_busy_ns_ > 2 * kSecondNs;
  bad_seconds_ = bad ? bad_seconds_ + 1 : 0;
  since_ns_ = now_ns;
  submitted_ = stats.frames_submitted;
  late_ = late;
  return bad_seconds_ >= kBadSeconds;
}

void CarriedWatch::take(const sail_link_stats& link, int64_t now_ns) {
  if (link.busy_pct > kBusyPct) link_busy_ns_ = now_ns;
}

}  // namespace sail
