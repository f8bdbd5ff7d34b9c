#include "sail/client/swap_plan.h"

#include <algorithm>

#include "sail/wire/limits.h"

namespace sail {
namespace {
// No layout is decided on so long before its instant: the clocks disagree.
constexpr int64_t kLongestLeadNs = 1'000'000'000;
}  // namespace

void SwapPlan::route(uint64_t epoch, std::span<const uint32_t> members) {
  coming_.emplace(epoch, members);
  std::erase_if(paces_, [this](const Pace& pace) {
    return !coming_->has(pace.member) && !shown_.has(pace.member);
  });
}

void SwapPlan::take_effect(uint64_t epoch, uint64_t frame, int64_t at_ns, int64_t now_ns) {
  if (!coming_ || coming_->epoch() != epoch) return;
  shown_ = *std::exchange(coming_, std::nullopt);
  last_at_ns_ = std::max(last_at_ns_, std::min(at_ns, now_ns + kLongestLeadNs));
  if (frame != 0) shown_.take(frame);
  look(now_ns);
}

void SwapPlan::revert(int64_t now_ns) {
  coming_.reset();
  settled_.reset();
  look(now_ns);
}

void SwapPlan::ready(uint32_t member, const FrameReady& ready, int64_t now_ns) {
  Pace& pace = pace_of(member);
  // A peak that fades, so that one slow frame is remembered for about half a second.
  const int64_t faded_ns = pace.render_ns - pace.render_ns / 16;
  pace.render_ns = std::max(std::clamp<int64_t>(ready.render_ns, 0, kMaxLeadNs), faded_ns);
  if (coming_ && ready.epoch == coming_->epoch()) {
    coming_->ready(member, ready.frame, now_ns);
  } else if (ready.epoch == shown_.epoch()) {
    const auto arrival = shown_.ready(member, ready.frame, now_ns);
    if (arrival == SwapBarrier::Arrival::kLate) {
      shows_.push_back({.frame = ready.frame,
                        .epoch = ready.epoch,
                        .at_ns = now_ns + pace.render_ns + kMessageLeadNs,
                        .only = member});
    }
  }
  look(now_ns);
}

void SwapPlan::reported(uint32_t member, const FrameReport& report, int64_t now_ns) {
  // Receivers may report a layout's first frame before the manager's word of the layout is here.
  if (coming_ && report.epoch == coming_->epoch()) coming_->ended(member, report.frame);
  if (report.epoch == shown_.epoch()) shown_.ended(member, report.frame);
  if (coming_) look(now_ns);
}

void SwapPlan::lose(uint32_t member, int64_t now_ns) {
  shown_.lose(member);
  if (coming_) coming_->lose(member);
  look(now_ns);
}

void SwapPlan::tick(int64_t now_ns) {
  int left = shown_.expire(now_ns);
  if (coming_) left += coming_->expire(now_ns);
  if (left > 0) look(now_ns);
}

void SwapPlan::look(int64_t now_ns) {
  if (const auto next = coming_ ? coming_->due() : std::nullopt) {
    if (shown_.all_ended()) tell_settled(*coming_, *next);
    return;
  }
  const auto due = shown_.due();
  if (!due) return;
  tell_settled(shown_, *due);
  shown_.take(*due);
  // Never before an older frame of the stream, though the receivers may have become quicker.
  last_at_ns_ = std::max(now_ns + lead_ns(shown_), last_at_ns_);
  shows_.push_back({.frame = *due, .epoch = shown_.epoch(), .at_ns = last_at_ns_, .only = {}});
}

void SwapPlan::tell_settled(const SwapBarrier& barrier, uint64_t frame) {
  if (told_epoch_ >= barrier.epoch()) return;
  told_epoch_ = barrier.epoch();
  settled_ = {.epoch = barrier.epoch(), .frame = frame, .lead_ns = lead_ns(barrier)};
}

SwapPlan::Pace& SwapPlan::pace_of(uint32_t member) {
  const auto known = std::find_if(paces_.begin(), paces_.end(),
                                  [member](const Pace& pace) { return pace.member == member; });
  return known != paces_.end() ? *known : paces_.emplace_back(Pace{.member = member});
}

int64_t SwapPlan::lead_ns(const SwapBarrier& barrier) const {
  int64_t render_ns = 0;
  for (const Pace& pace : paces_) {
    if (barrier.has(pace.member)) render_ns = std::max(render_ns, pace.render_ns);
  }
  return render_ns + kMessageLeadNs;
}

}  // namespace sail
