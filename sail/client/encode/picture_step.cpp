#include "sail/client/encode/picture_step.h"

#include <algorithm>

namespace sail {
namespace {

constexpr int64_t kPeriodNs = 1'000'000'000;
constexpr int kLeastFrames = 4;  // minimum per period
// A gap of this length starts a new period.
constexpr int64_t kAnewAfterNs = 2'000'000'000;
constexpr double kTooFew = 0.5;
constexpr double kNearlyAll = 0.9;
constexpr int64_t kMaxRetryNs = 60'000'000'000;

}  // namespace

bool PictureStep::add(int64_t now_ns, bool sent) {
  if (frames_ == 0 || now_ns - last_ns_ > kAnewAfterNs) begin_period(now_ns);
  last_ns_ = now_ns;
  ++frames_;
  if (sent) ++sent_;
  if (now_ns - period_ns_ < kPeriodNs || frames_ < kLeastFrames) return false;

  const double share = static_cast<double>(sent_) / frames_;
  const int before = steps_;
  if (share < kNearlyAll) clear_since_ns_ = now_ns;
  if (share < kTooFew && steps_ < most_) {
    const bool failed = tried_ns_ != 0 && now_ns - tried_ns_ < retry_after_ns_;
    retry_after_ns_ = failed ? std::min(2 * retry_after_ns_, kMaxRetryNs) : kMinRetryNs;
    set_steps(now_ns, steps_ + 1);
  } else if (steps_ > 0 && now_ns - clear_since_ns_ >= retry_after_ns_) {
    tried_ns_ = now_ns;
    set_steps(now_ns, steps_ - 1);
  }
  frames_ = 0;
  return steps_ != before;
}

void PictureStep::begin_period(int64_t now_ns) {
  period_ns_ = now_ns;
  frames_ = sent_ = 0;
}

void PictureStep::set_steps(int64_t now_ns, int steps) {
  steps_ = steps;
  clear_since_ns_ = now_ns;
}

}  // namespace sail
