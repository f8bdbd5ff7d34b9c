#include "receiver/groups/sync_coordinator.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "sail/core/text/limits.h"

namespace receiver {
namespace {

using sail::DecisionKind;
using sail::GroupVote;

constexpr size_t kMaxInstants = size_t{2} * sail::kMaxFramesInFlight;
// A member whose frame is this much older than the others' is stalled.
constexpr int64_t kStalledNs = int64_t{sail::kBarrierTimeoutMs} * 1'000'000;
// Timeout for the member's next frame after a late layout; then the member is stalled.
constexpr int64_t kNextTimeoutNs = 150'000'000;
// Timeout for kLayoutAt after kLayoutGranted: the member's sender does not answer.
constexpr int64_t kLayoutTimeoutNs = int64_t{2} * sail::kTransactionTimeoutMs * 1'000'000;
// Longest time between a decision and its presentation time; limits the effect of clock errors.
constexpr int64_t kLongestLeadNs = 1'000'000'000;
constexpr int64_t kFarthestAheadNs = 2'000'000'000;
// Interval at which drops are counted; number of drops that is ignored; time without drops after
// which members may send faster.
constexpr int64_t kAdaptNs = 400'000'000;
constexpr int kFewDrops = 2;
constexpr int64_t kTryFasterNs = 3'000'000'000;
constexpr uint32_t kLeastSpacingUs = 40'000;

}  // namespace

void SyncCoordinator::set_members(const sail::CoordinatedGroup& group, int64_t now_ns) {
  const std::vector<uint32_t>& streams = group.streams;
  waits_ = group.waits;
  numbered_ = group.numbered;
  std::erase_if(members_, [&](const Member& member) {
    const bool remains = std::find(streams.begin(), streams.end(), member.stream) != streams.end();
    if (!remains) barrier_.leave(member.stream);
    return !remains;
  });
  for (const uint32_t stream : streams) {
    if (has(stream)) continue;
    barrier_.join(stream, !has_members_ || waits_, now_ns);
    members_.push_back({.stream = stream});
  }
  has_members_ = true;
  update_refreshes();
}

bool SyncCoordinator::is_too_far_ahead(const sail::GroupReady& ready, const Now& now) const {
  const int64_t farthest_ns = now.wall_ns + kFarthestAheadNs;
  return ready.at_ns > farthest_ns || (!numbered_ && ready.present_ns > farthest_ns);
}

void SyncCoordinator::ready(uint32_t stream, const sail::GroupReady& ready, const Now& now) {
  Member* member = find(stream);
  if (member == nullptr) return;
  // kWithdrawn has no lead time.
  if (ready.vote != GroupVote::kWithdrawn) {
    member->lead_ns =
        std::clamp<int64_t>(ready.lead_ns, 0, sail::kMaxLeadNs + sail::kMessageLeadNs);
  }
  if (ready.refresh != member->refresh) {
    member->refresh = ready.refresh;
    update_refreshes();
  }
  const int64_t present_ns = ready.present_ns == 0 ? 0 : same_instant(ready.present_ns);
  const bool layout = ready.vote == GroupVote::kLayoutReady;
  if (ready.vote == GroupVote::kWithdrawn) {
    forget(*member, now.steady_ns);
  } else if (ready.vote == GroupVote::kLayoutAt) {
    if (present_ns == granted_ns_ && present_ns > last_decided_ns()) {
      apply_layout(present_ns, ready.at_ns);
    }
    end_layout(*member);
  } else if (present_ns == 0) {
    return;  // no presentation time
  } else {
    // The others now wait for this member, even though this frame is late.
    if (last_decided_ns() - present_ns < kStalledNs) {
      barrier_.ready(stream, static_cast<uint64_t>(present_ns), now.steady_ns);
      barrier_.wait_for(stream);
    }
    if (layout) {
      // If the member also has the frame for the previous map, the frame can be shown by that map.
      const bool by_both = present_ns == member->complete_ns;
      if (member->layout_ns == 0) member->first_ns = present_ns + (by_both ? 1 : 0);
      member->layout_ns = present_ns;
      member->layout_members = ready.members;
      member->since_ns = now.steady_ns;
    } else {
      member->complete_ns = present_ns;
      if (present_ns <= last_decided_ns()) answer_late(*member, present_ns, now);
    }
  }
  decide(now);
}

void SyncCoordinator::lose(uint32_t stream, const Now& now) {
  if (Member* member = find(stream)) forget(*member, now.steady_ns);
  decide(now);
}

void SyncCoordinator::tick(const Now& now) {
  if (!waits_) barrier_.expire(now.steady_ns);
  if (granted_ns_ != 0 && now.steady_ns - granted_since_ns_ > kLayoutTimeoutNs) {
    for (Member& member : members_) {
      if (member.granted) forget(member, now.steady_ns);
    }
  }
  for (Member& member : members_) {
    const bool waited = now.steady_ns - member.since_ns >= kNextTimeoutNs;
    if (missed_decision(member) && (waited || is_shown())) show_late(member, now);
    if (!has_late_layout(member) || !waited) continue;
    member.granted = true;
    send(member.stream, {.present_ns = member.layout_ns, .kind = DecisionKind::kLayoutGranted});
  }
  decide(now);
  adapt_spacing(now.steady_ns);
}

std::vector<uint32_t> SyncCoordinator::absent(int64_t now_ns) const {
  std::vector<uint32_t> absent;
  for (const Member& member : members_) {
    if (barrier_.absent(member.stream, now_ns)) absent.push_back(member.stream);
  }
  return absent;
}

void SyncCoordinator::adapt_spacing(int64_t now_ns) {
  if (now_ns - adapted_at_ns_ < kAdaptNs) return;
  adapted_at_ns_ = now_ns;
  const int shown = std::exchange(shown_, 0);
  const int dropped = std::exchange(dropped_, 0);
  if (dropped > kFewDrops) in_step_since_ns_ = now_ns;
  if (dropped > std::max(shown, kFewDrops)) {
    spacing_us_ = std::clamp(2 * spacing_us_, kLeastSpacingUs, sail::kMaxGroupSpacingUs);
  } else if (now_ns - in_step_since_ns_ > kTryFasterNs) {
    in_step_since_ns_ = now_ns;
    spacing_us_ = spacing_us_ > kLeastSpacingUs ? spacing_us_ / 2 : 0;
  }
}

SyncCoordinator::Member* SyncCoordinator::find(uint32_t stream) {
  const auto it = std::find_if(members_.begin(), members_.end(),
                               [stream](const Member& one) { return one.stream == stream; });
  return it == members_.end() ? nullptr : &*it;
}

int64_t SyncCoordinator::same_instant(int64_t present_ns) {
  const auto known = std::find_if(instants_.begin(), instants_.end(), [&](int64_t instant_ns) {
    return std::abs(instant_ns - present_ns) <= sail::kSamePresentNs;
  });
  if (known != instants_.end()) return *known;
  if (instants_.size() == kMaxInstants) instants_.erase(instants_.begin());
  return instants_.emplace_back(present_ns);
}

// Answers a member that announces a frame which was already decided on: to drop it, or to show it
// late. If no member is known to show it, because a layout change crossed the decision, first waits
// for the next frame or the timeout.
void SyncCoordinator::answer_late(Member& member, int64_t present_ns, const Now& now) {
  if (present_ns != last_decided_ns()) {
    send(member.stream, {.present_ns = present_ns, .kind = DecisionKind::kDrop});
  } else if (is_shown()) {
    show_late(member, now);
  } else {
    member.since_ns = now.steady_ns;
  }
}

void SyncCoordinator::show_late(Member& member, const Now& now) {
  member.shows_ns = last_decided_ns();
  send(member.stream, {.present_ns = last_decided_ns(),
                       .at_ns = std::max(soonest_ns(now), last_at_ns_),
                       .kind = DecisionKind::kShow});
}

bool SyncCoordinator::missed_decision(const Member& member) const {
  const bool has_it = member.layout_ns == 0 && member.complete_ns == last_decided_ns();
  return last_decided_ns() != 0 && has_it && member.shows_ns != last_decided_ns();
}

bool SyncCoordinator::is_shown() const {
  return std::ranges::any_of(
      members_, [this](const Member& one) { return one.shows_ns == last_decided_ns(); });
}

void SyncCoordinator::apply_layout(int64_t present_ns, int64_t at_ns) {
  barrier_.take(static_cast<uint64_t>(present_ns));
  last_at_ns_ = std::max(last_at_ns_, at_ns);
  layout_at_ns_ = at_ns;
  // The manager sends the time to the members of this layout (`yours`). A member uses its old map
  // until it confirms the time with kLayoutAt; until then, decisions about newer frames do not
  // apply to this member.
  for (Member& member : members_) {
    member.shows_ns = present_ns;
    if (member.granted) continue;
    send(member.stream, {.present_ns = present_ns, .at_ns = at_ns, .kind = DecisionKind::kShow});
  }
}

void SyncCoordinator::forget(Member& member, int64_t now_ns) {
  if (waits_) {
    barrier_.leave(member.stream);
    barrier_.join(member.stream, true, now_ns);
  } else {
    barrier_.lose(member.stream);
  }
  member.complete_ns = member.shows_ns = 0;
  end_layout(member);
}

void SyncCoordinator::end_layout(Member& member) {
  member.layout_ns = member.first_ns = 0;
  member.layout_members = 0;
  member.granted = false;
  if (std::ranges::none_of(members_, &Member::granted)) granted_ns_ = 0;
}

void SyncCoordinator::decide(const Now& now) {
  while (granted_ns_ == 0) {
    const auto due = next_due(now);
    if (!due) break;
    const auto present_ns = static_cast<int64_t>(*due);
    const Layouts layouts = grant_layouts(present_ns, now.steady_ns);
    if (layouts == Layouts::kWait) return;
    if (layouts == Layouts::kDrop) {
      barrier_.drop(*due);
      dropped_ns_ = present_ns;
      send_to_all({.present_ns = present_ns, .kind = DecisionKind::kDrop});
      continue;
    }
    barrier_.take(*due);
    ++shown_;
    const int64_t longest_ns = now.wall_ns + kLongestLeadNs;
    const int64_t wanted_ns = numbered_ ? 0 : std::min(present_ns, longest_ns);
    last_at_ns_ = std::max(cadence_.place(wanted_ns, soonest_ns(now), refresh_),
                           std::min(last_at_ns_, longest_ns));
    for (Member& member : members_) member.shows_ns = present_ns;
    send_to_all({.present_ns = present_ns, .at_ns = last_at_ns_, .kind = DecisionKind::kShow});
  }
  if (granted_ns_ == 0) drop_passed_over();
}

// Steps through the times one by one, since members with a pending layout add their own times.
std::optional<uint64_t> SyncCoordinator::next_due(const Now& now) const {
  int64_t layout_ns = INT64_MAX;
  for (const Member& member : members_) {
    if (has_layout(member)) layout_ns = std::min(layout_ns, member.first_ns);
  }
  const int64_t soonest_ns = this->soonest_ns(now);
  auto due = barrier_.first_complete(barrier_.last_released());
  for (auto next = due; next && static_cast<int64_t>(*next) <= soonest_ns;) {
    // Frames before a layout do not wait for it.
    if (std::cmp_less(*due, layout_ns) && !std::cmp_less(*next, layout_ns)) break;
    due = next;
    next = barrier_.first_complete(*next);
  }
  return due;
}

SyncCoordinator::Layouts SyncCoordinator::grant_layouts(int64_t present_ns, int64_t now_ns) {
  int64_t first_ns = INT64_MAX;  // earliest presentation time of any layout
  int64_t all_ns = 0;            // earliest presentation time that all layouts can show
  size_t awaited = 0;            // members that the barrier waits for
  size_t ready_layouts = 0;      // members with an announced layout
  size_t layout_members = 0;
  for (const Member& member : members_) {
    if (!barrier_.absent(member.stream, now_ns)) ++awaited;
    if (member.layout_ns == 0) continue;
    ++ready_layouts;
    layout_members = std::max<size_t>(layout_members, member.layout_members);
    if (!has_layout(member)) continue;
    first_ns = std::min(first_ns, member.first_ns);
    all_ns = std::max(all_ns, member.first_ns);
  }
  if (present_ns < first_ns) return Layouts::kNone;
  if (ready_layouts < std::min(layout_members, awaited)) return Layouts::kWait;
  if (present_ns < all_ns) return Layouts::kDrop;
  granted_ns_ = present_ns;
  granted_since_ns_ = now_ns;
  for (Member& member : members_) {
    if (!has_layout(member)) continue;
    member.granted = true;
    send(member.stream, {.present_ns = present_ns, .kind = DecisionKind::kLayoutGranted});
  }
  return Layouts::kWait;
}

// Drops times that a member skipped. The buffers of their frames are needed for frames that all
// members may have.
void SyncCoordinator::drop_passed_over() {
  const auto slowest = barrier_.slowest();
  if (!slowest) return;
  const auto passed_ns = static_cast<int64_t>(*slowest);
  if (passed_ns <= std::max(last_decided_ns(), dropped_ns_)) return;
  dropped_ns_ = passed_ns;
  ++dropped_;
  send_to_all({.present_ns = passed_ns, .kind = DecisionKind::kDrop});
}

int64_t SyncCoordinator::soonest_ns(const Now& now) const {
  int64_t lead_ns = 0;
  for (const Member& member : members_) lead_ns = std::max(lead_ns, member.lead_ns);
  // Nothing is painted over a layout's first frame before that frame's presentation time.
  const int64_t layout_at_ns = std::min(layout_at_ns_, now.wall_ns + kLongestLeadNs);
  return std::max(now.wall_ns, layout_at_ns) + lead_ns + sail::kMessageLeadNs;
}

void SyncCoordinator::update_refreshes() {
  std::vector<sail::Refresh> refreshes;
  for (const Member& member : members_) refreshes.push_back(member.refresh);
  refresh_ = sail::together(refreshes);
}

void SyncCoordinator::send(uint32_t member, const sail::GroupDecision& decision) {
  outgoing_.push_back({member, decision});
  outgoing_.back().decision.spacing_us = spacing_us_;
}

void SyncCoordinator::send_to_all(const sail::GroupDecision& decision) {
  for (const Member& member : members_) send(member.stream, decision);
}

}  // namespace receiver
