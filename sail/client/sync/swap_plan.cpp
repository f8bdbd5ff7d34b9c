#include "sail/client/sync/swap_plan.h"

#include <algorithm>
#include <cstdlib>

#include "sail/core/text/limits.h"

namespace sail {
namespace {
// A layout time further ahead means that clocks disagree; it is limited to this.
constexpr int64_t kLongestLeadNs = 1'000'000'000;
// Receivers and the group learn about a frame at most this long before its time, so that a
// layout change waits no longer than this for earlier frames.
constexpr int64_t kAnnounceAheadNs = 200'000'000;
// Additional lead time of a layout with a group's frame: three messages carry its time to others.
constexpr int64_t kGroupLeadNs = 10'000'000;
// Round trip to the coordinator, for frames without a presentation time.
constexpr int64_t kCoordinatorLeadNs = 5'000'000;
// Of frames that waited longer for an unreachable receiver, only the newest is shown.
constexpr int64_t kMostCatchUpNs = 150'000'000;
// More than the frames that can be in flight.
constexpr size_t kMaxFrameTimes = size_t{4} * kMaxFramesInFlight;
}  // namespace

void SwapPlan::add(uint64_t frame, int64_t present_ns, int64_t name) {
  if (frame_times_.size() == kMaxFrameTimes) frame_times_.erase(frame_times_.begin());
  frame_times_.push_back({.frame = frame, .present_ns = present_ns, .name = name});
  report_unseen();
}

// If no receiver shows the stream (any more), frames count as complete at once, so that the other
// members do not wait for them.
void SwapPlan::report_unseen() {
  const SwapBarrier& barrier = coming_ ? *coming_ : shown_;
  if (!barrier.all_lost() || barrier.epoch() == 0 || frame_times_.empty()) return;
  const uint64_t frame = frame_times_.back().frame;
  if (!in_group(frame)) return;
  if (coming_ && !coming_->empty()) {
    if (granted_ == 0 && proposed_ != frame) add_vote(proposed_ = frame, GroupVote::kLayoutReady);
    return;
  }
  handled_ = std::max(handled_, frame);
  if (undecided_.size() == kMaxFrameTimes) undecided_.erase(undecided_.begin());
  undecided_.push_back(frame);
  add_vote(frame, GroupVote::kReady);
}

void SwapPlan::route(uint64_t epoch, std::span<const uint32_t> members, uint32_t group_members) {
  if (proposed_ != 0) add_vote(0, GroupVote::kWithdrawn);
  proposed_ = granted_ = 0;
  coming_.emplace(epoch, members);
  coming_group_members_ = group_members;
  for (const uint32_t member : members) {
    // Start with the default timeout: the new receiver's delays are unknown.
    if (!shown_.has(member)) stall_timeout_ = {};
    if (shown_.is_stalled(member)) coming_->pass_over(member);
  }
  std::erase_if(paces_, [this](const Pace& pace) {
    return !coming_->has(pace.member) && !shown_.has(pace.member);
  });
  update_refreshes();
}

void SwapPlan::take_effect(uint64_t epoch, uint64_t frame, int64_t at_ns, int64_t now_ns) {
  if (!coming_ || coming_->epoch() != epoch) return;
  shown_ = *std::exchange(coming_, std::nullopt);
  unconfirmed_ = 0;
  layout_at_ns_ = std::min(at_ns, now_ns + kLongestLeadNs);
  last_at_ns_ = std::max(last_at_ns_, layout_at_ns_);
  // Receivers that already have the layout's first frame would drop these frames, others would not.
  std::erase_if(shows_, [epoch](const Show& show) { return show.epoch < epoch; });
  if (frame != 0) shown_.take(frame);
  handled_ = frame;
  undecided_.clear();
  const bool as_proposed = frame != 0 && frame == std::exchange(granted_, 0);
  if (as_proposed) {
    add_vote(group_shown_ = frame, GroupVote::kLayoutAt, last_at_ns_);
  } else {
    add_vote(0, GroupVote::kWithdrawn);
  }
  proposed_ = 0;
  report_unseen();
  evaluate(now_ns);
}

void SwapPlan::postpone(int64_t now_ns) {
  if (grouped_) return;
  for (Show& show : shows_) {
    if (show.at_ns == 0) continue;
    show.at_ns = std::max(show.at_ns, now_ns + lead_ns(shown_));
    last_at_ns_ = std::max(last_at_ns_, show.at_ns);
  }
}

void SwapPlan::revert(uint64_t newest, int64_t now_ns) {
  coming_.reset();
  unconfirmed_ = newest;
  settled_.reset();
  // The next manager does not know this epoch and may give it to another layout.
  settled_epoch_ = std::min(settled_epoch_, shown_.epoch());
  proposed_ = granted_ = 0;
  add_vote(0, GroupVote::kWithdrawn);
  evaluate(now_ns);
}

void SwapPlan::ready(uint32_t member, const FrameReady& ready, int64_t now_ns) {
  Pace& pace = pace_of(member);
  // Decaying maximum: one slow frame is remembered for about half a second.
  const int64_t faded_ns = pace.render_ns - pace.render_ns / 16;
  pace.render_ns = std::max(std::clamp<int64_t>(ready.render_ns, 0, kMaxLeadNs), faded_ns);
  if (ready.refresh != pace.refresh) {
    pace.refresh = ready.refresh;
    update_refreshes();
  }
  if (coming_ && ready.epoch == coming_->epoch()) {
    coming_->ready(member, ready.frame, now_ns);
  } else if (ready.epoch == shown_.epoch()) {
    const auto arrival = shown_.ready(member, ready.frame, now_ns);
    const bool alone = apart_ && arrival == SwapBarrier::Arrival::kCounted;
    // The others already show a newer frame, so this receiver drops the frame.
    const bool dropped = arrival == SwapBarrier::Arrival::kTooLate;
    if (alone || dropped || arrival == SwapBarrier::Arrival::kLate) {
      // this receiver must not show the frame earlier than the others
      const int64_t soonest_ns =
          std::max(now_ns + pace.render_ns + kMessageLeadNs, alone ? 0 : last_at_ns_);
      shown_.take_for(member, ready.frame);
      shows_.push_back({.frame = ready.frame,
                        .epoch = ready.epoch,
                        .at_ns = dropped ? 0 : soonest_ns,
                        .only = member});
    }
    if (const auto wait_ns = shown_.take_longest_wait()) stall_timeout_.add(*wait_ns);
  }
  evaluate(now_ns);
}

void SwapPlan::reported(uint32_t member, const FrameReport& report, int64_t now_ns) {
  // A receiver may report a layout's first frame before the manager's take_effect message arrives.
  if (coming_ && report.epoch == coming_->epoch()) coming_->ended(member, report.frame);
  if (report.epoch == shown_.epoch()) shown_.ended(member, report.frame);
  if (coming_) evaluate(now_ns);
}

void SwapPlan::lose(uint32_t member, int64_t now_ns) {
  shown_.lose(member);
  if (coming_) coming_->lose(member);
  evaluate(now_ns);
}

void SwapPlan::mark_unreachable(uint32_t member, int64_t now_ns) {
  const auto since_ns = shown_.waits_since_ns();
  shown_.mark_unreachable(member, now_ns);
  if (since_ns && shown_.due()) catch_up(*since_ns, now_ns);
  if (coming_) coming_->mark_unreachable(member, now_ns);
  evaluate(now_ns);
}

// At twice the rate, a delay is made up in as much time as the delay lasted.
void SwapPlan::catch_up(int64_t since_ns, int64_t now_ns) {
  const int64_t late_ns = now_ns - since_ns;
  if (late_ns > kMostCatchUpNs || half_interval_ns_ == 0) return;
  catches_up_until_ns_ = now_ns + late_ns + 2 * half_interval_ns_;
}

void SwapPlan::tick(int64_t now_ns) {
  shown_.expire(now_ns, stall_timeout_.ns());
  if (coming_) coming_->expire(now_ns);
  evaluate(now_ns);
}

std::optional<int64_t> SwapPlan::waits_since_ns() const {
  const auto shown_ns = shown_.waits_since_ns();
  const auto coming_ns = coming_ ? coming_->waits_since_ns() : std::nullopt;
  if (!shown_ns || !coming_ns) return shown_ns ? shown_ns : coming_ns;
  return std::min(*shown_ns, *coming_ns);
}

bool SwapPlan::is_for(const Show& show, uint32_t member) const {
  if (show.only) return *show.only == member;
  return show.at_ns == 0 ? shown_.has(member) : shown_.goes_to(member, show.frame);
}

void SwapPlan::evaluate(int64_t now_ns) {
  if (const auto newest = coming_ ? coming_->due() : std::nullopt) {
    // Of several complete frames, those not due yet follow later.
    const auto first = next_complete(*coming_, 0, now_ns + lead_ns(*coming_));
    return evaluate_layout(in_group(*newest) ? *newest : *first, now_ns);
  }
  if (unconfirmed_ != 0 && shown_.due().value_or(0) <= unconfirmed_) return;
  unconfirmed_ = 0;
  // Do not replace the layout's first frame before its time.
  const int64_t soonest_ns = std::max(now_ns, layout_at_ns_) + lead_ns(shown_);
  while (const auto whole = catches_up(now_ns) ? shown_.first_complete(handled_)
                                               : next_complete(shown_, handled_, soonest_ns)) {
    if (present_ns(*whole) - now_ns > kAnnounceAheadNs) return;
    const bool grouped = in_group(*whole);
    handled_ = *whole;
    report_settled(shown_, *whole);
    if (grouped) {
      undecided_.push_back(*whole);
      add_vote(*whole, GroupVote::kReady);
    } else if (apart_) {
      shown_.take(*whole);
    } else {
      const int64_t from_ns =
          catches_up(now_ns) ? std::max(soonest_ns, last_at_ns_ + half_interval_ns_) : soonest_ns;
      // Not before an earlier frame of the stream, even if the receivers have become faster.
      last_at_ns_ = std::max(cadence_.place(present_ns(*whole), from_ns, refresh_), last_at_ns_);
      show(*whole, last_at_ns_);
    }
  }
}

std::optional<uint64_t> SwapPlan::next_complete(const SwapBarrier& barrier, uint64_t after,
                                                int64_t soonest_ns) const {
  auto whole = barrier.first_complete(after);
  for (auto next = whole; next && !in_group(*next) && present_ns(*next) <= soonest_ns;) {
    whole = next;
    next = barrier.first_complete(*next);
  }
  return whole;
}

// Notifies the manager about the layout's first frame. In a group, only once the group waits for
// this frame.
void SwapPlan::evaluate_layout(uint64_t frame, int64_t now_ns) {
  if (in_group(frame)) {
    if (granted_ == 0 && proposed_ != frame) add_vote(proposed_ = frame, GroupVote::kLayoutReady);
    if (granted_ == 0) return;
    frame = granted_;
  }
  if (!shown_.all_ended() || settled_epoch_ >= coming_->epoch()) return;
  // If no tile shows the stream there are no reports, but other members still show decided frames.
  if (in_group(frame) && last_at_ns_ > now_ns + lead_ns(*coming_)) return;
  if (grouped_ && !in_group(frame)) add_vote(0, GroupVote::kWithdrawn);
  report_settled(*coming_, frame);
}

void SwapPlan::show(uint64_t frame, int64_t at_ns) {
  shown_.take(frame);
  shows_.push_back({.frame = frame, .epoch = shown_.epoch(), .at_ns = at_ns, .only = {}});
  // A receiver that was left behind keeps such a frame until a decision comes, and gets no other.
  while (const auto passed = shown_.take_passed()) {
    shows_.push_back(
        {.frame = passed->frame, .epoch = shown_.epoch(), .at_ns = 0, .only = passed->member});
  }
}

SwapPlan::FrameTimes SwapPlan::times_of(uint64_t frame) const {
  const auto due = std::find_if(frame_times_.rbegin(), frame_times_.rend(),
                                [frame](const FrameTimes& one) { return one.frame == frame; });
  return due == frame_times_.rend() ? FrameTimes{} : *due;
}

bool SwapPlan::has_name(uint64_t frame, int64_t name) const {
  return std::abs(times_of(frame).name - name) <= kSamePresentNs;
}

uint64_t SwapPlan::frame_named(int64_t after, int64_t until) const {
  const auto due =
      std::find_if(frame_times_.rbegin(), frame_times_.rend(),
                   [&](const FrameTimes& one) { return one.name >= after && one.name <= until; });
  return due == frame_times_.rend() ? 0 : due->frame;
}

// --- the group ----------------------------------------------------------------------------------

void SwapPlan::set_grouped(bool grouped, int64_t now_ns) {
  if (std::exchange(grouped_, grouped) == grouped) return;
  undecided_.clear();
  votes_.clear();
  proposed_ = granted_ = handled_ = 0;
  evaluate(now_ns);
}

void SwapPlan::add_vote(uint64_t frame, GroupVote vote, int64_t at_ns) {
  if (!grouped_) return;
  const bool layout = vote == GroupVote::kLayoutReady;
  const SwapBarrier& barrier = layout ? *coming_ : shown_;
  const FrameTimes due = times_of(frame);
  const int64_t round_trip_ns = due.present_ns == 0 ? kCoordinatorLeadNs : 0;
  votes_.push_back({.name = due.name,
                    .vote = vote,
                    .at_ns = at_ns,
                    .lead_ns = lead_ns(barrier) + round_trip_ns,
                    .members = layout ? coming_group_members_ : 0,
                    .refresh = refresh_});
}

void SwapPlan::resend() {
  votes_.clear();
  // Other members may not know that this frame is shown, and wait for it.
  if (group_shown_ != 0) add_vote(group_shown_, GroupVote::kReady);
  for (const uint64_t frame : undecided_) add_vote(frame, GroupVote::kReady);
  granted_ = 0;
  if (proposed_ != 0) add_vote(proposed_, GroupVote::kLayoutReady);
}

void SwapPlan::decide(DecisionKind kind, int64_t name, int64_t at_ns, int64_t now_ns) {
  if (kind == DecisionKind::kLayoutGranted) {
    const uint64_t frame = has_name(proposed_, name)
                               ? proposed_
                               : frame_named(name - kSamePresentNs, name + kSamePresentNs);
    if (proposed_ != 0 && frame <= proposed_ && granted_ == 0) granted_ = frame;
    return evaluate(now_ns);
  }
  const uint64_t last = frame_named(1, name + kSamePresentNs);
  const auto behind = std::upper_bound(undecided_.begin(), undecided_.end(), last);
  if (behind == undecided_.begin()) return;
  const uint64_t newest = *std::prev(behind);
  undecided_.erase(undecided_.begin(), behind);
  if (kind == DecisionKind::kShow && has_name(newest, name)) {
    // All members show the frame at this time, even if last_at_ns_ is later.
    const int64_t soon_ns = std::min(at_ns, now_ns + kLongestLeadNs);
    last_at_ns_ = std::max(last_at_ns_, soon_ns);
    show(group_shown_ = newest, soon_ns);
  } else {
    shown_.drop(newest);
    shows_.push_back({.frame = newest, .epoch = shown_.epoch(), .at_ns = 0, .only = {}});
  }
}

// ------------------------------------------------------------------------------------------------

void SwapPlan::report_settled(const SwapBarrier& barrier, uint64_t frame) {
  if (settled_epoch_ >= barrier.epoch()) return;
  settled_epoch_ = barrier.epoch();
  const int64_t group_lead_ns = in_group(frame) ? kGroupLeadNs : 0;
  settled_ = {
      .epoch = barrier.epoch(), .frame = frame, .lead_ns = lead_ns(barrier) + group_lead_ns};
}

SwapPlan::Pace& SwapPlan::pace_of(uint32_t member) {
  const auto known = std::find_if(paces_.begin(), paces_.end(),
                                  [member](const Pace& pace) { return pace.member == member; });
  return known != paces_.end() ? *known : paces_.emplace_back(Pace{.member = member});
}

void SwapPlan::update_refreshes() {
  std::vector<Refresh> refreshes;
  for (const Pace& pace : paces_) refreshes.push_back(pace.refresh);
  refresh_ = together(refreshes);
}

int64_t SwapPlan::lead_ns(const SwapBarrier& barrier) const {
  int64_t render_ns = 0;
  for (const Pace& pace : paces_) {
    if (barrier.has(pace.member)) render_ns = std::max(render_ns, pace.render_ns);
  }
  return render_ns + kMessageLeadNs;
}

}  // namespace sail
